// Turns ascending numbers into bytes that compress well: each word minus an earlier one, then all bytes
// of one weight together, so most upper planes are zeros. (The byte shuffle of Blosc, after a delta.)

/** `words` as differences to the word `stride` places before, in planes. Wraps around. O(n). */
export function toPlanes16(words: Uint16Array): Uint8Array {
  const n = words.length;
  const planes = new Uint8Array(n * 2);
  let last = 0;
  for (let i = 0; i < n; i++) {
    const word = words[i]!;
    const difference = word - last;
    last = word;
    planes[i] = difference;
    planes[n + i] = difference >>> 8;
  }
  return planes;
}

/** The words of `toPlanes16`, written to `words`. REQUIRES: planes.length is words.length · 2. */
export function fromPlanes16(planes: Uint8Array, words: Uint16Array): void {
  const n = words.length;
  let last = 0;
  for (let i = 0; i < n; i++) {
    last = (last + planes[i]! + (planes[n + i]! << 8)) & 0xffff;
    words[i] = last;
  }
}

/** As `toPlanes16`, of words of 32 bits, less the one `stride` places before. */
export function toPlanes32(words: Uint32Array, stride: number): Uint8Array {
  const n = words.length;
  const planes = new Uint8Array(n * 4);
  for (let i = 0; i < n; i++) {
    const difference = (words[i]! - (i < stride ? 0 : words[i - stride]!)) | 0;
    planes[i] = difference;
    planes[n + i] = difference >>> 8;
    planes[n * 2 + i] = difference >>> 16;
    planes[n * 3 + i] = difference >>> 24;
  }
  return planes;
}

/** The words of `toPlanes32`, written to `words`. REQUIRES: planes.length is words.length · 4. */
export function fromPlanes32(planes: Uint8Array, words: Uint32Array, stride: number): void {
  const n = words.length;
  for (let i = 0; i < n; i++) {
    const difference =
      planes[i]! | (planes[n + i]! << 8) | (planes[n * 2 + i]! << 16) | (planes[n * 3 + i]! << 24);
    words[i] = difference + (i < stride ? 0 : words[i - stride]!);
  }
}
