// Does a body differ from the last one in a number only? Walks by pages and jumps do: where all before and behind the number
// is the same, byte by byte, nothing of it is read again.

import type { Asked } from './templates.ts';

/** Digits of a number that a double holds exactly. */
const MOST_DIGITS = 15;
const ZERO = 48;
const NINE = 57;

/** A body whose only hole is a number. */
export interface OneNumber {
  readonly key: string;
  readonly name: 'from' | 'page';
  readonly before: Buffer;
  readonly behind: Buffer;
}

/** Where the number of a body lies; undefined where it has none, or other holes. `asked` was read from it. */
export function oneNumber(body: Buffer, { key, values, at }: Asked): OneNumber | undefined {
  const [name, ...others] = Object.keys(values);
  if (others.length > 0 || (name !== 'from' && name !== 'page')) return undefined;
  const end = at + values[name]!.length;
  if (!isNumber(body, at, end)) return undefined;
  return { key, name, before: body.subarray(0, at), behind: body.subarray(end) };
}

/** What a body asks for that is the same but for its number; undefined where it is not. */
export function askedAgain({ key, name, before, behind }: OneNumber, body: Buffer): Asked | undefined {
  const at = before.length;
  const end = body.length - behind.length;
  if (!isNumber(body, at, end)) return undefined;
  if (before.compare(body, 0, at) !== 0 || behind.compare(body, end) !== 0) return undefined;
  return { key, values: { [name]: body.latin1Slice(at, end) }, at };
}

/** Whether these bytes are a number as JSON has it, without sign and fraction. */
function isNumber(body: Buffer, at: number, end: number): boolean {
  if (end <= at || end - at > MOST_DIGITS || (body[at] === ZERO && end > at + 1)) return false;
  for (let i = at; i < end; i++) if (body[i]! < ZERO || body[i]! > NINE) return false;
  return true;
}
