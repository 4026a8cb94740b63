// The number of acknowledged commits, written after each commit without a sync. A killed process leaves it as it is, so a log
// that does not reach the mark has lost commits; after a power cut the mark may be behind, never ahead.
//
//   records.mark   two records, 512 bytes apart, written in turn:  "OMRK"  identity (16)  commits (8)  CRC-32 (4)

import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const MAGIC = 0x4b524d4f;
const BYTES = 32;
const APART = 512;

/** The contents of a mark. */
export interface CommitMarkContent {
  /** Of the records, in hex. */
  readonly id: string;
  readonly commits: number;
}

/** The mark of a store that is open. */
export class CommitMark {
  readonly #file: number;
  readonly #record: Buffer = Buffer.alloc(BYTES);

  constructor(dir: string, id: string) {
    this.#file = openSync(markFile(dir), existsSync(markFile(dir)) ? 'r+' : 'w+', 0o600);
    this.#record.writeUInt32LE(MAGIC, 0);
    this.#record.write(id, 4, 'hex');
  }

  /** Records the number of durable commits. */
  write(commits: number): void {
    this.#record.writeBigUInt64LE(BigInt(commits), 20);
    this.#record.writeUInt32LE(crc32(this.#record.subarray(0, 28)), 28);
    writeSync(this.#file, this.#record, 0, BYTES, (commits % 2) * APART);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The mark of a directory; undefined where there is none that can be read. */
export function readCommitMark(dir: string): CommitMarkContent | undefined {
  if (!existsSync(markFile(dir))) return undefined;
  const bytes = readFileSync(markFile(dir));
  let newest: CommitMarkContent | undefined;
  for (const at of [0, APART]) {
    const record = bytes.subarray(at, at + BYTES);
    if (record.length < BYTES || record.readUInt32LE(0) !== MAGIC) continue;
    if (record.readUInt32LE(28) !== crc32(record.subarray(0, 28))) continue;
    const commits = Number(record.readBigUInt64LE(20));
    if (commits >= (newest?.commits ?? 0)) newest = { id: record.toString('hex', 4, 20), commits };
  }
  return newest;
}

/** Removes the mark where the records of a directory are replaced, or are changed without counting commits. */
export function removeCommitMark(dir: string): void {
  rmSync(markFile(dir), { force: true });
}

export function markFile(dir: string): string {
  return `${dir}/records.mark`;
}
