// The documents for walks and jumps over a cluster: heavy ties, a skew and many documents without a value, in
// a known order.

import assert from 'node:assert/strict';
import type { Served } from '../../packages/server/test/process.ts';

/** The checked members of a page. */
export interface Hits {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] };
  readonly next_token?: string;
  readonly _scroll_id?: string;
  readonly renewed?: boolean;
}

/** Documents per bulk request. */
const AT_ONCE = 10_000;

const idOf = (i: number): string => `i${String(i).padStart(6, '0')}`;
const hasKey = (i: number): boolean => i % 11 !== 0;
const keyOf = (i: number): number => (i % 2 === 0 ? i % 97 : (i * 2_654_435_761) % 100_003);

/** Fills an index with up to a million documents. Returns their ids by `k` descending, then by id. */
export async function fillIndex(
  ask: Served['ask'],
  index: string,
  count: number,
  settings: object,
): Promise<string[]> {
  const mappings = { properties: { id: { type: 'keyword' }, k: { type: 'long' } } };
  const made = await ask(`PUT /${index}`, { settings: { refresh_interval: '-1', ...settings }, mappings });
  assert.equal(made.status, 200);
  for (let at = 0; at < count; at += AT_ONCE) {
    const lines = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, n) => {
      const i = at + n;
      const id = idOf(i);
      return `{"index":{"_id":"${id}"}}\n{"id":"${id}"${hasKey(i) ? `,"k":${keyOf(i)}` : ''}}\n`;
    });
    const path = `/${index}/_bulk?filter_path=errors`;
    assert.deepEqual((await ask(`POST ${path}`, lines.join(''))).body, { errors: false });
  }
  assert.equal((await ask(`POST /${index}/_refresh`)).status, 200);
  const rank = (i: number): number => (hasKey(i) ? keyOf(i) : -1);
  return Array.from({ length: count }, (_, i) => i)
    .sort((a, b) => rank(b) - rank(a) || a - b)
    .map(idOf);
}

/** The ids of a page. */
export function idsOf(page: unknown): string[] {
  return (page as Hits).hits.hits.map((hit) => hit._id);
}
