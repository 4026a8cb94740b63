// The door of paging: positions, tokens, and lists that can be walked.

export { type ArrayList, arraySource } from './array-source.ts';
export { CURSOR_ERRORS, CursorError, type CursorErrorCode } from './errors.ts';
export { canonicalText, changedParts, type Fingerprint, fingerprint, hashText } from './fingerprint.ts';
export { type Anchor, compareAnchors, compareText, type Direction } from './order.ts';
export { type OpenedPayload, type Sealed, type Sealer, type SealKey, webCryptoSealer } from './sealer.ts';
export {
  type PageRequest,
  type PageSource,
  type SourcePage,
  type WalkOptions,
  walk,
  walkPages,
} from './source.ts';
export {
  checkPosition,
  type Expectation,
  MAX_TOKEN_LENGTH,
  nextTokenFrom,
  openToken,
  type Position,
  readPosition,
  readToken,
  sealToken,
  type TokenMode,
} from './token.ts';
export { type Tuple, type TupleValue, tupleBytes } from './tuple.ts';
