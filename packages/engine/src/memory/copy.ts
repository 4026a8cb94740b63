// Copies bytes in shared memory at full speed. `TypedArray.set` copies shared memory byte by byte unless
// source and target are aligned alike, because the language allows concurrent writes: 0.5 µs per KiB
// instead of 0.05. Here no thread writes to bytes that are copied (one thread writes, and publishes when
// it is done), so `Buffer.copy` is used.

const { copy } = Buffer.prototype;

/** Up to so many bytes are copied one by one: a call costs more. */
const FEW = 32;

/**
 * Copies bytes [start, end) of `source` to `target` at `at`. Throws a RangeError where there is no room. REQUIRES: no
 * concurrent writes to these bytes.
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
  // `Buffer.copy` falls back to `set` when it copies a whole array: the last byte is copied apart.
  copy.call(source as Buffer, target, at, start, end - 1);
  target[at + length - 1] = source[end - 1]!;
}
