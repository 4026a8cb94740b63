// The doc table of a segment: id, sequence number, version, commit and place of the source of each
// document, as views over the documents' sections (format.ts). Commits are stored as runs: a binary
// search over the few commits of a segment instead of eight bytes per document.

import { hashBytes, lowerBound } from '../kernels/sorted-search.ts';
import type { DocTable } from './leaf.ts';
import { tableSize } from './terms.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The arrays of a doc table; an undefined one means that all documents have the default. */
export interface DocArrays {
  readonly idBytes: Uint8Array;
  readonly idStarts: Uint32Array;
  readonly idHash: Uint32Array;
  readonly idPrevious: Uint32Array | undefined;
  readonly seqNos: Float64Array;
  readonly versions: Float64Array | undefined;
  readonly types: Uint16Array | undefined;
  readonly typeNames: readonly string[];
  readonly routingBytes: Uint8Array | undefined;
  readonly routingStarts: Uint32Array | undefined;
  readonly runStarts: Uint32Array;
  readonly runCommits: Float64Array;
  readonly sourceChunks: Uint32Array;
  readonly sourceOffsets: Uint32Array;
  readonly sourceLengths: Uint32Array;
}

/** A doc table over arrays. */
export class DocView implements DocTable {
  readonly idBytes: Uint8Array;
  readonly idStarts: Uint32Array;
  readonly arrays: DocArrays;
  readonly docCount: number;
  readonly #ids: Buffer;

  constructor(arrays: DocArrays, docCount: number) {
    this.arrays = arrays;
    const { buffer, byteOffset, length } = arrays.idBytes;
    this.#ids = Buffer.from(buffer, byteOffset, length);
    this.idBytes = arrays.idBytes;
    this.idStarts = arrays.idStarts;
    this.docCount = docCount;
  }

  id(doc: number): string {
    // TextDecoder refuses shared memory, Buffer does not.
    return this.#ids.toString('utf8', this.idStarts[doc]!, this.idStarts[doc + 1]!);
  }

  find(id: Uint8Array, before: number = this.docCount): number {
    let doc = this.#newest(id);
    const { idPrevious } = this.arrays;
    while (doc >= before) doc = idPrevious === undefined ? -1 : idPrevious[doc]! - 1;
    return doc;
  }

  isId(doc: number, id: Uint8Array): boolean {
    const { idBytes, idStarts } = this;
    const length = id.length;
    const at = idStarts[doc]!;
    if (doc >= this.docCount || idStarts[doc + 1]! - at !== length) return false;
    let i = 0;
    while (i < length && idBytes[at + i] === id[i]) i++;
    return i === length;
  }

  #newest(id: Uint8Array): number {
    const { idHash } = this.arrays;
    const mask = idHash.length - 1;
    for (let slot = hashBytes(id, 0, id.length) & mask; ; slot = (slot + 1) & mask) {
      const doc = idHash[slot]! - 1;
      if (doc < 0) return -1;
      if (this.isId(doc, id)) return doc;
    }
  }

  seqNo(doc: number): number {
    return this.arrays.seqNos[doc]!;
  }

  version(doc: number): number {
    const { versions } = this.arrays;
    return versions === undefined ? 1 : versions[doc]!;
  }

  type(doc: number): string {
    const { types, typeNames } = this.arrays;
    return types === undefined ? '_doc' : typeNames[types[doc]!]!;
  }

  routing(doc: number): string | undefined {
    const { routingBytes, routingStarts } = this.arrays;
    if (routingBytes === undefined || routingStarts === undefined) return undefined;
    const start = routingStarts[doc]!;
    const end = routingStarts[doc + 1]!;
    return start === end ? undefined : decoder.decode(routingBytes.slice(start, end));
  }

  commit(doc: number): number {
    const { runStarts, runCommits } = this.arrays;
    return runCommits[lowerBound(runStarts, 0, runStarts.length, doc + 1) - 1]!;
  }

  countAt(commit: number): number {
    const { runStarts, runCommits } = this.arrays;
    let low = 0;
    let high = runCommits.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (runCommits[mid]! <= commit) low = mid + 1;
      else high = mid;
    }
    return low < runStarts.length ? runStarts[low]! : this.docCount;
  }

  sourceChunk(doc: number): number {
    return this.arrays.sourceChunks[doc]!;
  }

  sourceOffset(doc: number): number {
    return this.arrays.sourceOffsets[doc]!;
  }

  sourceLength(doc: number): number {
    return this.arrays.sourceLengths[doc]!;
  }
}

/** A hash table of ids and the chains from newer versions to older ones. */
interface IdHash {
  readonly hash: Uint32Array;
  /** Undefined while every id occurs once. */
  previous: Uint32Array | undefined;
}

/** An empty table for `count` documents. */
export function idHash(count: number): IdHash {
  return { hash: new Uint32Array(tableSize(count)), previous: undefined };
}

/**
 * Adds documents [from, to) of `count`: the table finds the newest of each id. REQUIRES: in ascending order.
 */
export function hashIds(
  table: IdHash,
  bytes: Uint8Array,
  starts: Uint32Array,
  from: number,
  to: number,
  count: number,
): void {
  const { hash } = table;
  const mask = hash.length - 1;
  for (let doc = from; doc < to; doc++) {
    const start = starts[doc]!;
    const length = starts[doc + 1]! - start;
    let slot = hashBytes(bytes, start, start + length) & mask;
    for (; hash[slot] !== 0; slot = (slot + 1) & mask) {
      const at = starts[hash[slot]! - 1]!;
      if (starts[hash[slot]!]! - at !== length) continue;
      let i = 0;
      while (i < length && bytes[at + i] === bytes[start + i]) i++;
      if (i < length) continue;
      table.previous ??= new Uint32Array(count);
      table.previous[doc] = hash[slot]!;
      break;
    }
    hash[slot] = doc + 1;
  }
}
