// How are bytes copied where threads share them? `set` goes byte by byte there unless both sides lie alike within words, as
// the language demands of memory that somebody may write to meanwhile: 0.5 µs a KiB, in place of 0.05. Nobody does here:
// what is shared is written by one thread, and told to others when it is done. So it is copied as buffers are.

const { copy } = Buffer.prototype;

/** So many bytes are copied one by one: a call costs more. */
const FEW = 32;

/**
 * Copies bytes [start, end) of `source` to `target` at `at`. Throws a RangeError where there is no room. REQUIRES: no byte of
 * them is written to.
 */
export function copyBytes(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): void {
  const length = end - start;
  if (start < 0 || length < 0 || end > source.length || at < 0 || length > target.length - at)
    throw new RangeError(
      `bytes ${start} to ${end} of ${source.length} do not go to ${at} of ${target.length}`,
    );
  if (length <= FEW) {
    for (let i = start, j = at; i < end; i++, j++) target[j] = source[i]!;
    return;
  }
  // Of a whole array a buffer makes a `set`: its last byte goes by itself.
  copy.call(source as Buffer, target, at, start, end - 1);
  target[at + length - 1] = source[end - 1]!;
}

/** The same for elements of 32 bits. */
export function copyWords(
  source: Uint32Array,
  start: number,
  end: number,
  target: Uint32Array,
  at: number,
): void {
  const length = end - start;
  if (start < 0 || length < 0 || end > source.length || at < 0 || length > target.length - at)
    throw new RangeError(
      `words ${start} to ${end} of ${source.length} do not go to ${at} of ${target.length}`,
    );
  // What it asks of both is that they are views: places in them are bytes.
  copy.call(
    source as ArrayBufferView as Buffer,
    target as ArrayBufferView as Buffer,
    at * 4,
    start * 4,
    end * 4,
  );
}
