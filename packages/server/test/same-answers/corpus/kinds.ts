// Sorts by values of every kind, each of which is printed in its own way.

import { type Request, request } from '../request.ts';

const FIELDS = ['k', 'd', 'f', 'day', 'b', 'u', 'l', 'ip', 'short', '_id', '_doc', 'none'];

const search = (body: object): Request => request('POST /kinds/_search', body);

export const kindsOfValues: readonly (readonly Request[])[] = [
  ...FIELDS.flatMap((field) =>
    ['asc', 'desc'].map((order) => {
      const first = { [field]: { order, ...(field === 'none' ? { unmapped_type: 'long' } : {}) } };
      const body = { query: { match_all: {} }, sort: [first, { k: 'desc' }], size: 3, _source: false };
      return [search({ ...body, from: 0 }), search({ ...body, from: 7 }), search({ ...body, from: 58 })];
    }),
  ),
  ...[0, 11].map((from) => [search({ query: { term: { k: 'plain' } }, from, size: 4 })]),
];
