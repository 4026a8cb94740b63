// Public API of @octavo/paging: positions, tokens, and lists that can be walked.

export { type ArrayList, arraySource, iterableSource } from './array-source.ts';
export { type Branch, branchesOf, type Cut, cutAt, keysOf, reversed, type Term } from './cut.ts';
export { CURSOR_ERRORS, CursorError, type CursorErrorCode } from './errors.ts';
export { type Jump, jumpToPage } from './jump-to-page.ts';
export { firstItems, itemsAround, lastItems, type Neighbourhood, takePages } from './list-slices.ts';
export {
  type Anchor,
  compareAnchors,
  compareBytes,
  compareText,
  compareTupleValues,
  type Direction,
} from './order.ts';
export { type RankAnswer, type RankQuestion, searchRank } from './rank-search.ts';
export {
  type CountingSource,
  type CutRange,
  type PageRequest,
  type PageSource,
  type SourcePage,
  type WalkOptions,
  walk,
  walkPages,
} from './source.ts';
export {
  canonicalText,
  changedParts,
  type Fingerprint,
  fingerprint,
  hashText,
  indexNames,
  type SearchIdentity,
  searchFingerprint,
} from './tokens/fingerprint.ts';
export {
  type OpenedPayload,
  type Sealed,
  type Sealer,
  type SealKey,
  type SyncSealer,
  webCryptoSealer,
} from './tokens/sealer.ts';
export {
  checkPosition,
  type Expectation,
  MAX_TOKEN_LENGTH,
  nextTokenFrom,
  openToken,
  type Position,
  readPosition,
  readToken,
  readTokenSync,
  sealToken,
  sealTokenSync,
  type TokenMode,
} from './tokens/token.ts';
export { type TokenList, type TokenListOptions, type TokenPage, tokenList } from './tokens/token-list.ts';
export { tupleBytes } from './tokens/tuple-codec.ts';
export type { Tuple, TupleValue } from './tuple.ts';
