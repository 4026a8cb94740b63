// Where are the lines of a bulk body? As they came, one by one, as views; but without byte order marks.

import { skipByteOrderMark } from '../../http/body-reader.ts';

export const NEWLINE = 10;
const MARKED = Buffer.from('\n\ufeff', 'utf8');

/** The body as it came, or a copy whose lines have no byte order marks, where some have: a cluster would keep them as a part of the source. */
export function withoutMarks(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (skipByteOrderMark(bytes, 0) === 0 && !bytes.includes(MARKED)) return body;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(NEWLINE, at) + 1 || body.length;
    parts.push(body.subarray(skipByteOrderMark(body, at), end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** Lines without what ends them. */
export function* linesOf(body: Uint8Array): Generator<Uint8Array, undefined> {
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(NEWLINE, at);
    yield body.subarray(at, end < 0 ? body.length : end);
    at = end < 0 ? body.length : end + 1;
  }
  return undefined;
}

/** True for a line that says nothing. */
export function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte <= 32);
}
