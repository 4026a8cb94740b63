// The door of paging: positions, tokens, and lists that can be walked.

export { type ArrayList, arraySource, iterableSource } from './array-source.ts';
export { type Branch, branchesOf, type Cut, cutAt, keysOf, reversed, type Term } from './cut.ts';
export { CURSOR_ERRORS, CursorError, type CursorErrorCode } from './errors.ts';
export { type Jump, jumpToPage } from './jump.ts';
export { type Around, around, firstItems, lastItems, takePages } from './lists.ts';
export {
  type Anchor,
  compareAnchors,
  compareBytes,
  compareText,
  compareValues,
  type Direction,
} from './order.ts';
export { type RankAnswer, type RankQuestion, searchRank } from './rank.ts';
export {
  type CountedSource,
  type PageRequest,
  type PageSource,
  type SourcePage,
  type Stretch,
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
  type SearchList,
  searchFingerprint,
} from './tokens/fingerprint.ts';
export {
  type OpenedPayload,
  type Sealed,
  type Sealer,
  type SealerAtOnce,
  type SealKey,
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
  readTokenAtOnce,
  sealToken,
  sealTokenAtOnce,
  type TokenMode,
} from './tokens/token.ts';
export { type TokenList, type TokenListOptions, type TokenPage, tokenList } from './tokens/token-list.ts';
export { type Tuple, type TupleValue, tupleBytes } from './tuple.ts';
