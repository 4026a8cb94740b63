// Does a body differ from the last one only in where its page begins? Walks and jumps do: where all before and behind the one
// hole is the same, byte by byte, nothing of it is read again.

import type { Hole } from './holes.ts';
import type { Asked } from './templates.ts';

/** Digits of a number that a double holds exactly. */
const MOST_DIGITS = 15;
const ZERO = 48;
const NINE = 57;
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

/** Whether the bytes [at, end) are one value, such that a reader of the body finds its end there too. */
type IsValue = (body: Buffer, at: number, end: number) => boolean;

const READ: Partial<Record<Hole, IsValue>> = { from: isNumber, page: isNumber, search_after: isFlatList };

/** A body with one hole: a number, or a list of plain values. */
export interface OneHole {
  readonly key: string;
  readonly name: Hole;
  readonly isValue: IsValue;
  readonly before: Buffer;
  readonly behind: Buffer;
}

/** Where the hole of a body lies; undefined where it has none, or others. `asked` was read from it. */
export function oneHole(body: Buffer, { key, values, at }: Asked): OneHole | undefined {
  const [name, ...others] = Object.keys(values) as Hole[];
  const isValue = name && READ[name];
  if (others.length > 0 || isValue === undefined) return undefined;
  const end = at + values[name!]!.length;
  if (!isValue(body, at, end)) return undefined;
  return { key, name: name!, isValue, before: body.subarray(0, at), behind: body.subarray(end) };
}

/** What a body asks for that is the same but for its hole; undefined where it is not. O(bytes). */
export function askedAgain({ key, name, isValue, before, behind }: OneHole, body: Buffer): Asked | undefined {
  const at = before.length;
  const end = body.length - behind.length;
  if (!isValue(body, at, end)) return undefined;
  if (before.compare(body, 0, at) !== 0 || behind.compare(body, end) !== 0) return undefined;
  return { key, values: { [name]: body.latin1Slice(at, end) }, at };
}

/** Whether these bytes are a number as JSON has it, without sign and fraction. */
function isNumber(body: Buffer, at: number, end: number): boolean {
  if (end <= at || end - at > MOST_DIGITS || (body[at] === ZERO && end > at + 1)) return false;
  for (let i = at; i < end; i++) if (body[i]! < ZERO || body[i]! > NINE) return false;
  return true;
}

/** Whether they are a list in brackets of their own without others in it; strings with escapes are not looked into. */
function isFlatList(body: Buffer, at: number, end: number): boolean {
  if (end < at + 2 || body[at] !== OPEN_LIST || body[end - 1] !== CLOSE_LIST) return false;
  let isText = false;
  for (let i = at + 1; i < end - 1; i++) {
    const byte = body[i]!;
    if (byte === BACKSLASH) return false;
    if (byte === QUOTE) isText = !isText;
    else if (!isText && (byte === OPEN_LIST || byte === CLOSE_LIST || byte === OPEN || byte === CLOSE))
      return false;
  }
  return !isText;
}
