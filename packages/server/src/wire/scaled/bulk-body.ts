// Where are the lines of a bulk body? As they came, one by one, as views.

export const NEWLINE = 10;

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
