// Pages a search by tokens. A token holds the sort values and the id of the hit next to the page: the next
// page begins behind them, however the list has changed. In score order a token also holds a snapshot,
// because scores change with every write.

import {
  EngineError,
  type ErrorType,
  type HitPosition,
  illegalArgument,
  type SearchPage,
  type SearchRequest,
  stringifyJson,
} from '@octavo/engine';
import {
  CursorError,
  type Fingerprint,
  type Position,
  readTokenSync,
  sealTokenSync,
  searchFingerprint,
  type Tuple,
} from '@octavo/paging';
import { ANONYMOUS } from '../../../access/callers/principal.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';
import type { MaybePromise } from '../../../sync-first.ts';
import type { Target } from '../../resolve/target.ts';
import type { Services } from '../../router/route.ts';
import type { SearchSpec } from '../body/search-spec.ts';

/** True if the search asks for tokens or has one. */
export function usesTokens(spec: SearchSpec): boolean {
  return spec.tokens || spec.nextToken !== undefined || spec.prevToken !== undefined;
}

/**
 * The request at the position of its token. Such a list is complete, so an index that does not map a field of the
 * sort (a new one without documents, say) is part of it.
 */
export function moveToToken(
  list: SearchRequest,
  spec: SearchSpec,
  target: Target,
  services: Services,
): SearchRequest {
  refuseOtherPositions(spec);
  const request = { ...list, ignoreUnmapped: true };
  const token = spec.nextToken || spec.prevToken || undefined;
  if (token === undefined) return request;
  const position = readPageToken(token, spec, target, services);
  const { searchAfterId, searchAfterIndex, snapshot } = {
    searchAfterId: position.id,
    searchAfterIndex: position.index,
    snapshot: position.snapshot,
  };
  if (snapshot !== undefined && request.snapshot === undefined) services.snapshots.require(snapshot);
  return {
    ...request,
    searchAfter: position.tuple.map(searchValue),
    ...(searchAfterId === undefined ? {} : { searchAfterId }),
    ...(searchAfterIndex === undefined ? {} : { searchAfterIndex }),
    ...(snapshot === undefined || request.snapshot !== undefined ? {} : { snapshot }),
    backwards: position.backwards,
  };
}

/** A value of a token as a value of `search_after`. No document has a sort value of bytes. */
export function searchValue(value: Tuple[number]): Exclude<Tuple[number], Date | Uint8Array> {
  if (value instanceof Date) return value.getTime();
  if (!(value instanceof Uint8Array)) return value;
  throw new EngineError('cursor_invalid', 'the token holds bytes, which are no sort value here');
}

/**
 * Finds a page. If its snapshot is needed for more than the page (the next page in score order, the groups of its hits), a lease holds it
 * from before the search; `keep` holds it on for the next page.
 */
export function withSnapshot<T>(
  request: SearchRequest,
  spec: SearchSpec,
  { engine, snapshots }: Services,
  find: (request: SearchRequest, keep?: () => void) => MaybePromise<T>,
): MaybePromise<T> {
  const isWalk = usesTokens(spec) && isScored(spec);
  if (!isWalk && spec.innerHits.length === 0) return find(request);
  const { snapshot = engine.snapshot() } = request;
  return snapshots.during(snapshot, (keep) => find({ ...request, snapshot }, keep));
}

/**
 * The members `as_of`, `next_token` and `prev_token` of a reply; tokens are absent at the ends of the list. In score order `keep` is
 * called if there is a token.
 */
export function tokenMembers(
  page: TokenPage,
  spec: SearchSpec,
  target: Target,
  services: Services,
  keep?: () => void,
): ReplyObject {
  const { count, more, moreBefore, snapshot } = page;
  const out: ReplyObject = { as_of: snapshot };
  if (count === 0) return out;
  if (isScored(spec) && (more || moreBefore)) keep?.();
  const token = (hit: number, backwards: boolean): string =>
    sealPosition(
      { ...positionOf(page.position(hit), backwards, snapshot, spec, target), ...tokenOwner(services) },
      services,
    );
  if (more) out['next_token'] = token(count - 1, false);
  if (moreBefore) out['prev_token'] = token(0, true);
  return out;
}

/** The part of a page that tokens are made of: its ends, and whether the list goes on there. */
type TokenPage = Pick<SearchPage, 'count' | 'more' | 'moreBefore' | 'snapshot' | 'position'>;

/** The token of a position. Throws cursor_invalid if its sort values are too long. */
export function sealPosition(position: Position, { sealer, limits }: Services): string {
  try {
    return sealTokenSync(position, sealer, limits.tokenBytes);
  } catch (error) {
    throw asWireError(error);
  }
}

/** Throws if a token is given together with another position of the page. */
export function refuseOtherPositions(spec: SearchSpec): void {
  if (spec.nextToken && spec.prevToken)
    throw illegalArgument('[next_token] and [prev_token] exclude each other');
  if (!spec.nextToken && !spec.prevToken) return;
  if ((spec.from ?? 0) > 0) throw illegalArgument('[from] cannot be used together with a token');
  if (spec.page !== undefined) throw illegalArgument('[page] cannot be used together with a token');
  if (spec.searchAfter !== undefined)
    throw illegalArgument('[search_after] cannot be used together with a token');
  if (spec.collapse !== undefined) throw illegalArgument('[collapse] cannot be used together with a token');
}

/** The position in a token; throws cursor_* if it is of another list or another caller. */
export function readPageToken(
  token: string,
  spec: SearchSpec,
  target: Pick<Target, 'expression'>,
  services: Services,
): Position {
  try {
    const expected = {
      fingerprint: fingerprintOf(spec, target),
      principal: services.principal.id,
      now: Date.now(),
      allowOpen: services.options.openTokens !== false,
      maxLength: services.limits.tokenBytes,
    };
    return readTokenSync(token, expected, services.sealer);
  } catch (error) {
    throw asWireError(error);
  }
}

/** An error of a token as an error of the wire. */
function asWireError(error: unknown): unknown {
  if (!(error instanceof CursorError)) return error;
  return new EngineError(error.code.replace('-', '_') as ErrorType, error.message, {
    status: error.status,
    ...(error.changed.length === 0 ? {} : { details: { changed: [...error.changed] } }),
  });
}

function positionOf(
  { index, id, score, sort }: HitPosition,
  backwards: boolean,
  snapshot: number,
  spec: SearchSpec,
  target: Target,
): Position {
  return {
    mode: isScored(spec) ? 'score' : 'sort',
    tuple: (sort as Tuple | undefined) ?? [score],
    id,
    ...(isOneIndex(target) ? {} : { index }),
    backwards,
    ...(isScored(spec) ? { snapshot } : {}),
    fingerprint: fingerprintOf(spec, target),
  };
}

/** True if the request names one index itself: its list will never have another index. */
function isOneIndex({ indices, expression }: Target): boolean {
  return indices.length === 1 && expression.length === 1 && expression[0] === indices[0];
}

/** The caller that may use a token; anybody on a server without keys. */
export function tokenOwner({ principal }: Services): Pick<Position, 'principal'> {
  return principal === ANONYMOUS ? {} : { principal: principal.id };
}

/** The fingerprint of a list, by the function with which callers build tokens. */
export function fingerprintOf(spec: SearchSpec, { expression }: Pick<Target, 'expression'>): Fingerprint {
  const { query, postFilter, minScore, sort } = spec;
  return searchFingerprint({ index: expression, query, postFilter, minScore, sort });
}

/** True if scores decide the order, at least in part. */
export function isScored(spec: SearchSpec): boolean {
  const sort = spec.sort === undefined ? [] : Array.isArray(spec.sort) ? spec.sort : [spec.sort];
  return (
    sort.length === 0 ||
    sort.some((entry) => entry === '_score' || stringifyJson(entry).startsWith('{"_score"'))
  );
}
