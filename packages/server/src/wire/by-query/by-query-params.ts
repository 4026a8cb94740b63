// Reads the parameters that all changes by query share: how many documents, how fast, and what a conflict does.

import { EngineError, illegalArgument } from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { refuseAbsentCopies } from '../documents/write-params.ts';
import type { Params } from '../router/route.ts';

/** Parameters of all changes by query. */
export const BY_QUERY_PARAMS: readonly string[] = [
  'max_docs',
  'refresh',
  'requests_per_second',
  'scroll',
  'slices',
  'timeout',
  'wait_for_active_shards',
  'wait_for_completion',
];

/** Documents of a page where the request does not say. */
export const PAGE_DOCUMENTS = 1_000;

/** Reads what needs only parameters. The documents are paged in one slice, whatever the number of slices. */
export function readPace(params: Params): { readonly perSecond: number; readonly refreshes: boolean } {
  refuseSlices(params.string('slices'));
  refuseAbsentCopies(params.string('wait_for_active_shards'));
  params.millis('timeout');
  params.millis('scroll');
  return { perSecond: readRate(params), refreshes: params.boolean('refresh') === true };
}

/** `requests_per_second`: -1 without a limit. */
function readRate(params: Params): number {
  const rate = params.number('requests_per_second') ?? -1;
  if (rate === -1 || rate > 0) return rate;
  throw illegalArgument(
    '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
  );
}

/** `conflicts`: whether the change goes on after one. */
export function proceedsIn(conflicts: string): boolean {
  if (conflicts === 'proceed' || conflicts === 'abort') return conflicts === 'proceed';
  throw illegalArgument(`conflicts may only be "proceed" or "abort" but was [${conflicts}]`);
}

/** Checks the number of documents of a page. */
export function pageSize(size: number): number {
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  throwIfInvalid(size === 0 ? ['[size] cannot be [0] in a scroll context'] : []);
  return size;
}

function refuseSlices(text: string | undefined): void {
  if (text === undefined || text === 'auto' || (/^\d{1,9}$/.test(text) && Number(text) > 0)) return;
  throw illegalArgument(`[slices] must be a positive integer or the string "auto", but was [${text}]`);
}

/** The highest number of documents, by parameters and by a member of the body. */
export function maxDocsOf(
  params: Params,
  member: number | undefined,
  memberName: 'max_docs' | 'size',
): number {
  const param = params.integer('max_docs') ?? params.integer('size');
  const value = param ?? member;
  if (param !== undefined && member !== undefined && param !== member) {
    throw illegalArgument(`[max_docs] set to two different values [${param}] and [${member}]`);
  }
  if (value === undefined || value === -1) return Number.MAX_SAFE_INTEGER;
  if (value > 0) return value;
  if (value < 0) {
    const name = params.has('max_docs') ? 'max_docs' : member === undefined ? 'size' : memberName;
    throw illegalArgument(`[${name}] parameter cannot be negative, found [${value}]`);
  }
  throw new EngineError(
    'action_request_validation_exception',
    `Validation Failed: 1: maxDocs should be greater than 0 if the request is limited to some number of documents or -1 if it isn't but it was [${value}];`,
  );
}
