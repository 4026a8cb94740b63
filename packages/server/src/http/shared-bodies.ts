// Where do long bodies lie that threads share? In memory that is used again: to the system, memory that was never touched
// costs more than what is copied into it, and the collector goes by what has piled up.

/** Memory comes in multiples of this, so that bodies of about one size fit into each other's. */
const STEP = 256 << 10;
/** So much may be kept; the rest is left to the collector. */
const MOST_BYTES = 16 << 20;
/** What nobody has asked for in so long is let go. */
const IDLE_MS = 5_000;

let spare: SharedArrayBuffer[] = [];
let spareBytes = 0;
let idle: NodeJS.Timeout | undefined;
/** Memory that was given out here and is in use. */
const inUse = new WeakSet<ArrayBufferLike>();

/** Room for a body. What is in it is left from another one. */
export function allocateShared(bytes: number): Buffer {
  const at = spare.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes + STEP);
  const buffer = at < 0 ? new SharedArrayBuffer(Math.ceil(bytes / STEP) * STEP) : spare.splice(at, 1)[0]!;
  if (at >= 0) spareBytes -= buffer.byteLength;
  inUse.add(buffer);
  return Buffer.from(buffer, 0, bytes);
}

/** Gives a body back that `takeShared` made room for; others are left alone. REQUIRES: nobody looks at it again. */
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
