// Little-endian numbers in files; 64-bit numbers are integers below 2^53.

const HIGH = 4_294_967_296;

export function put16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
}

export function put32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** REQUIRES: an integer, 0 <= value < 2^53. */
export function put64(bytes: Uint8Array, at: number, value: number): void {
  put32(bytes, at, value % HIGH);
  put32(bytes, at + 4, Math.floor(value / HIGH));
}

export function get16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

export function get32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

export function get64(bytes: Uint8Array, at: number): number {
  return get32(bytes, at) + get32(bytes, at + 4) * HIGH;
}
