// Frees the memory of large arrays by hand. An idle thread does not collect garbage, and the arrays that
// come with every bulk write (recordings, chunks of the body) would make V8 mark the whole heap again
// and again.

/** Smaller buffers are left to the garbage collector. */
const LARGE = 65_536;

/**
 * Frees the buffers of these arrays, except small and shared ones. REQUIRES: nobody reads them again; no
 * pooled buffers.
 */
export function releaseBuffers(arrays: Iterable<ArrayBufferView>): void {
  for (const { buffer } of arrays) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE && !buffer.detached) buffer.transfer(0);
  }
}
