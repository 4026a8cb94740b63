// Splits the body of a `_bulk` into lines, as views of the bytes, and removes byte order marks.

import { skipByteOrderMark } from '../../http/body-reader.ts';

export const NEWLINE = 10;
const MARKED = Buffer.from('\n\ufeff', 'utf8');

/**
 * Returns the body, or a copy without byte order marks if lines have some: the cluster would store them as
 * part of the source.
 */
export function stripByteOrderMarks(body: Uint8Array): Uint8Array {
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

/** The lines without their line ends. */
export function* splitLines(body: Uint8Array): Generator<Uint8Array, undefined> {
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(NEWLINE, at);
    yield body.subarray(at, end < 0 ? body.length : end);
    at = end < 0 ? body.length : end + 1;
  }
  return undefined;
}

/** True for a line of white space. */
export function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte <= 32);
}
