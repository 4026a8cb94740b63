// When is the memory of a large array free again? When it is collected, which a thread without work may not do for a long
// time; or at once, when its last user says so.

/** Below this collecting is as good. */
const LARGE = 65_536;

/** Frees what lies under these arrays, but for what is small or shared. REQUIRES: nobody looks at it again; no pooled buffers. */
export function giveBack(arrays: Iterable<ArrayBufferView>): void {
  for (const { buffer } of arrays) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE && !buffer.detached) buffer.transfer(0);
  }
}
