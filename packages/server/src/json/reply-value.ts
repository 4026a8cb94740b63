// The trees that replies are printed from: JSON, stored bytes, and numbers that are printed with a point.

import type { JsonValue } from '@octavo/engine';
import type { Real } from './number-text.ts';

/** Bytes that are JSON already, such as a stored source: copied into the reply as they are. */
export class RawJson {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Text that is JSON already. */
export class RawText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A JSON tree that may hold stored bytes and `float(1)`, `double(1)` (printed `1.0`). Undefined members are
 * left out.
 */
export type ReplyValue =
  | JsonValue
  | RawJson
  | RawText
  | Real
  | ReplyObject
  | readonly ReplyValue[]
  | undefined;

export interface ReplyObject {
  [key: string]: ReplyValue;
}
