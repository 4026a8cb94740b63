// The query parameters that lists with pages share: how many items, and a token.

import type { TInteger, TOptional, TString } from 'typebox';
import type { Limits } from '../../limits.ts';
import { Type } from './json-schema.ts';

/** Items of a page if the caller does not say how many. */
export const DEFAULT_PAGE_SIZE = 20;

/** How many of a page, in a query string. */
export function limitParameter({ feedPageSize }: Limits): TOptional<TInteger> {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: feedPageSize,
      default: Math.min(DEFAULT_PAGE_SIZE, feedPageSize),
      description: 'Items per page.',
    }),
  );
}

/** A token of a list in its query string. */
export function tokenParameter({ tokenBytes }: Limits, description: string): TOptional<TString> {
  return Type.Optional(Type.String({ minLength: 1, maxLength: tokenBytes, description }));
}
