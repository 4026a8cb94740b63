// The checksum of a page: CRC-32 with the number of the page as its seed, so that a page at another place is damage too.

import { crc32 } from 'node:zlib';

/** Never 0, which stands for a page without a checksum. */
export function pageSum(bytes: Uint8Array, page: number): number {
  return crc32(bytes, page) || 1;
}
