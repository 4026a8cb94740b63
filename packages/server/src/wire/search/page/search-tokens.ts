// How do tokens page a search? A token holds the sort values and the id of the hit next to the page: the next page is
// what lies behind it, however the list has changed meanwhile. In score order it stands on a snapshot as well, because
// scores move with every write.

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
  type SearchIdentity,
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

/** True where the search asks for tokens or continues one. */
export function usesTokens(spec: SearchSpec): boolean {
  return spec.tokens || spec.nextToken !== undefined || spec.prevToken !== undefined;
}

/** The request moved to where its token points. */
export function moveToToken(
  request: SearchRequest,
  spec: SearchSpec,
  target: Target,
  services: Services,
): SearchRequest {
  refuseOtherPositions(spec);
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

/** A value of a token as `search_after` has it. No field of a document sorts by bytes. */
export function searchValue(value: Tuple[number]): Exclude<Tuple[number], Date | Uint8Array> {
  if (value instanceof Date) return value.getTime();
  if (!(value instanceof Uint8Array)) return value;
  throw new EngineError('cursor_invalid', 'the token holds bytes, which no sort here has');
}

/**
 * Finds a page. Where more is asked of its snapshot than the page (the next one in score order, the groups of its hits), the
 * snapshot is held from before the search; `keep` holds it on for a next page.
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
 * `as_of` of a reply, and `next_token` and `prev_token`, which are absent at the ends. In score order `keep` is called where
 * there is one.
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

/** What tokens are made of: the ends of a page, and whether the list goes on there. */
type TokenPage = Pick<SearchPage, 'count' | 'more' | 'moreBefore' | 'snapshot' | 'position'>;

/** The token of a position. Throws cursor_invalid where sort values are too long for one. */
export function sealPosition(position: Position, { sealer, limits }: Services): string {
  try {
    return sealTokenSync(position, sealer, limits.tokenBytes);
  } catch (error) {
    throw asWireError(error);
  }
}

/** Throws where a token stands beside another way to say where the page begins. */
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

/** What a token says, for this list and this caller; throws cursor_* for others. */
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

/** What is wrong with a token, as errors are told here. */
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

/** True where the request names one index outright: there will never be another. */
function isOneIndex({ indices, expression }: Target): boolean {
  return indices.length === 1 && expression.length === 1 && expression[0] === indices[0];
}

/** Tokens are their caller's own; those of a server without keys are anybody's. */
export function tokenOwner({ principal }: Services): Pick<Position, 'principal'> {
  return principal === ANONYMOUS ? {} : { principal: principal.id };
}

/** What makes it the same list, by the function that callers build tokens with. */
export function fingerprintOf(spec: SearchSpec, { expression }: Pick<Target, 'expression'>): Fingerprint {
  const { query, postFilter, minScore, sort } = spec;
  const list = { index: expression, query, postFilter, minScore, sort };
  const last = lastFingerprints.get(expression);
  if (last !== undefined && isSame(last.list, list)) return last.print;
  const print = searchFingerprint(list);
  lastFingerprints.set(expression, { list, print });
  return print;
}

/** A page needs the same print three times, and the next page of a list that is remembered once more. */
const lastFingerprints = new WeakMap<
  readonly string[],
  { readonly list: SearchIdentity; readonly print: Fingerprint }
>();

/** True for the very same parts: nobody changes what was read from a body. */
function isSame(a: SearchIdentity, b: SearchIdentity): boolean {
  return (
    a.sort === b.sort && a.query === b.query && a.postFilter === b.postFilter && a.minScore === b.minScore
  );
}

/** Scores decide the order, at least in part. */
export function isScored(spec: SearchSpec): boolean {
  const sort = spec.sort === undefined ? [] : Array.isArray(spec.sort) ? spec.sort : [spec.sort];
  return (
    sort.length === 0 ||
    sort.some((entry) => entry === '_score' || stringifyJson(entry).startsWith('{"_score"'))
  );
}
