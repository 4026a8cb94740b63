// Memory that threads share, for long request bodies, used again after each request. Touching fresh memory
// costs the system more than copying a body into it, and freed SharedArrayBuffers pile up until a garbage
// collection.

/** Buffers are multiples of this, so that bodies of similar length fit into each other's buffers. */
const STEP = 256 << 10;
/** So many bytes of unused buffers are kept; the rest is left to the garbage collector. */
const MOST_BYTES = 16 << 20;
/** Unused buffers are dropped after so long. */
const IDLE_MS = 5_000;

let spare: SharedArrayBuffer[] = [];
let spareBytes = 0;
let idle: NodeJS.Timeout | undefined;
/** Buffers that hold a body. */
const inUse = new WeakSet<ArrayBufferLike>();

/** A buffer for a body. It holds bytes of an earlier body. */
export function allocateShared(bytes: number): Buffer {
  const at = spare.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes + STEP);
  const buffer = at < 0 ? new SharedArrayBuffer(Math.ceil(bytes / STEP) * STEP) : spare.splice(at, 1)[0]!;
  if (at >= 0) spareBytes -= buffer.byteLength;
  inUse.add(buffer);
  return Buffer.from(buffer, 0, bytes);
}

/**
 * Returns the buffer of a body for use by another; bodies that are not from `allocateShared` are left alone.
 * REQUIRES: no reader.
 */
export function releaseShared({ buffer }: Uint8Array): void {
  if (!(buffer instanceof SharedArrayBuffer) || !inUse.delete(buffer)) return;
  if (spareBytes + buffer.byteLength > MOST_BYTES) return;
  spare.push(buffer);
  spareBytes += buffer.byteLength;
  if (idle === undefined) idle = setTimeout(dropSpare, IDLE_MS).unref();
  else idle.refresh();
}

function dropSpare(): void {
  idle = undefined;
  spare = [];
  spareBytes = 0;
}
