// The number of the last committed line of the manifest, in a file of its own: `catalog/manifest.mark`. A
// manifest that ends before it has lost its end, also where it ends between two lines.
//
//   <crc> <number>\n        crc: CRC-32 of "<number>", 8 hex digits;  number: 15 digits
//
// It is written and synced after the line is, and before the commit is acknowledged. So it may be one line behind,
// but never ahead. A mark that is missing or damaged says nothing: older versions wrote none.

import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { codeOf, isDiskFull } from '../disk/failure.ts';

const NAME = 'catalog/manifest.mark';

/** The number in the mark; undefined if there is none. */
export async function readMark(disk: Disk): Promise<number | undefined> {
  let text: string;
  try {
    text = new TextDecoder('latin1').decode(await disk.read(NAME));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const [, sum, digits] = /^([0-9a-f]{8}) (\d{15})\n$/.exec(text) ?? [];
  return digits !== undefined && sum === sumOf(digits) ? Number(digits) : undefined;
}

/** The mark of a catalog that is open. */
export class ManifestMark {
  readonly #disk: Disk;
  #file: DiskFile | undefined;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Writes the number of a committed line. On a full disk the mark stays behind. */
  async write(number: number): Promise<void> {
    const digits = String(number).padStart(15, '0');
    try {
      this.#file ??= await this.#disk.open(NAME, { create: true });
      await this.#file.writeThrough([new TextEncoder().encode(`${sumOf(digits)} ${digits}\n`)], 0);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

function sumOf(digits: string): string {
  return crc32(digits).toString(16).padStart(8, '0');
}
