// Text and number of a parsed value where the caller expected a scalar, as Java prints them: `[1, 2]`,
// `{a=1}`. `String()` and `Number()` throw on objects without a prototype, which ours are.

import type { JsonValue } from './value.ts';

const LONGEST = 1_000;
const DEEPEST = 20;

/** Text of any value; lists and objects as Java prints them, cut short where they are long. Never throws. */
export function plainText(value: JsonValue | undefined): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const text = print(value, 0);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What `Number()` makes of a scalar; NaN for lists and objects. */
export function plainNumber(value: JsonValue | undefined): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value);
}

function print(value: JsonValue | undefined, depth: number): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= DEEPEST) return '…';
  const parts: string[] = [];
  let length = 0;
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, JsonValue | undefined>)[key];
    const part = isList ? print(member, depth + 1) : `${key}=${print(member, depth + 1)}`;
    parts.push(part);
    length += part.length + 2;
    if (length > LONGEST) break;
  }
  return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}
