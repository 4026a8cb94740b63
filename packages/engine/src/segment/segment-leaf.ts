// A segment opened for reading: a `Leaf` over its bytes. Nothing is copied, and nothing is decoded
// before it is used. The terms of texts may still be packed in the file (`PackedTerms`); the first use
// of them unpacks them.

import { Deaths } from './deaths.ts';
import { type DocArrays, DocView } from './doc-view.ts';
import { decodeFields, decodeNames, isTextRecord } from './field-records.ts';
import { type FieldRecord, KIND, SHARED_TERMS } from './format.ts';
import type { Column, Leaf, NumericColumn, OrdinalColumn } from './leaf.ts';
import { NO_POSTINGS, type PostingsArrays } from './postings/postings-arrays.ts';
import { PostingsView } from './postings/postings-view.ts';
import { scoreCodesOf } from './postings/score-codes.ts';
import { SectionTable, SegmentDamagedError } from './section-table.ts';
import { ListedTerms, type SharedTerms, SortedTerms } from './terms.ts';

let lastUid = 0;

/** A number that no leaf of this process had before. */
export function nextUid(): number {
  return ++lastUid;
}

/** The terms of the text fields of a segment while they are still packed in its file (packed/unpack.ts). */
interface PackedTerms {
  readonly isDone: boolean;
  /** Resolves when they are unpacked, or stopped: then `isDone` is false. */
  unpack(): Promise<void>;
  /** Unpacks them synchronously: tens of milliseconds for 100,000 documents. */
  unpackNow(): void;
  /** Stops: from now on only `unpackNow` writes to the segment. */
  stop(): void;
}

/** How to open a segment. */
export interface SegmentOptions {
  /** Its death log; by default a new, empty one. */
  readonly deaths?: Deaths;
  /** The shared term tables of a mini-segment, by path. */
  readonly shared?: (path: string) => SharedTerms;
  /** Its packed terms, if they are not unpacked yet. */
  readonly packedTerms?: PackedTerms;
  /** True for a mini-segment without the terms of texts. Reading them throws: they must not be taken as absent. */
  readonly lacksWords?: boolean;
}

/** A segment, sealed or mini, as a leaf. */
export class SegmentLeaf implements Leaf {
  readonly uid: number = nextUid();
  readonly bytes: Uint8Array;
  readonly docCount: number;
  readonly isMini: boolean;
  readonly docs: DocView;
  readonly deaths: Deaths;
  readonly records: readonly FieldRecord[];
  /** Undefined if nothing was packed. */
  readonly packedTerms: PackedTerms | undefined;
  readonly #table: SectionTable;
  readonly #shared: ((path: string) => SharedTerms) | undefined;
  readonly #lacksWords: boolean;
  readonly #numbers: Map<string, number> = new Map();
  readonly #terms: (SortedTerms | ListedTerms | undefined)[] = [];
  readonly #columns: (Column | undefined)[] = [];

  constructor(bytes: Uint8Array, options: SegmentOptions = {}) {
    const table = new SectionTable(bytes);
    if ((table.flags & SHARED_TERMS) !== 0 && options.shared === undefined) {
      throw new SegmentDamagedError('a mini-segment cannot be opened without its term tables');
    }
    this.bytes = bytes;
    this.docCount = table.docCount;
    this.deaths = options.deaths ?? new Deaths(table.docCount);
    this.records = table.has(KIND.fields) ? decodeFields(table.u8(KIND.fields)) : [];
    this.records.forEach((record, field) => {
      this.#numbers.set(record.path, field);
    });
    this.docs = new DocView(docArrays(table), table.docCount);
    this.#table = table;
    this.#shared = options.shared;
    this.isMini = options.shared !== undefined;
    this.packedTerms = options.packedTerms;
    this.#lacksWords = options.lacksWords === true;
  }

  get fields(): Iterable<string> {
    return this.#numbers.keys();
  }

  /** How a field is stored in this segment. */
  record(path: string): FieldRecord | undefined {
    const field = this.#numbers.get(path);
    return field === undefined ? undefined : this.records[field];
  }

  terms(path: string): SortedTerms | ListedTerms | undefined {
    const field = this.#numbers.get(path);
    if (field === undefined) return undefined;
    const record = this.records[field]!;
    if (this.#lacksWords && isTextRecord(record))
      throw new Error(`the words of [${path}] are needed, but the search was found to need none`);
    if (record.termCount === 0) return undefined;
    return (this.#terms[field] ??= this.#openTerms(field, record));
  }

  column(path: string): Column | undefined {
    const field = this.#numbers.get(path);
    if (field === undefined) return undefined;
    const record = this.records[field]!;
    if (record.column === 0 || record.valueCount === 0) return undefined;
    return (this.#columns[field] ??= this.#openColumn(field, record));
  }

  present(path: string): Uint32Array | undefined {
    const field = this.#numbers.get(path);
    return field === undefined ? undefined : this.#table.u32(KIND.present, field);
  }

  norms(path: string): Uint8Array | undefined {
    const field = this.#numbers.get(path);
    if (field === undefined || !this.#table.has(KIND.norms, field)) return undefined;
    return this.#table.u8(KIND.norms, field);
  }

  #openTerms(field: number, record: FieldRecord): SortedTerms | ListedTerms {
    const table = this.#table;
    if (this.packedTerms?.isDone === false && isTextRecord(record)) this.packedTerms.unpackNow();
    const ids = this.#shared === undefined ? undefined : table.u32(KIND.termIds, field);
    const codes = record.index > 1 ? scoreCodesOf(record.bucket) : undefined;
    const arrays = record.index === 0 ? NO_POSTINGS : postingsArrays(table, field);
    const postings = new PostingsView(arrays, codes, record.norms, ids);
    const freqs = table.u32(KIND.termFreqs, field);
    if (ids !== undefined) return new ListedTerms(record, postings, freqs, ids, this.#shared!(record.path));
    return new SortedTerms(record, postings, freqs, {
      bytes: table.u8(KIND.termBytes, field),
      starts: table.u32(KIND.termStarts, field),
      hash: table.u32(KIND.termHash, field),
    });
  }

  #openColumn(field: number, record: FieldRecord): NumericColumn | OrdinalColumn {
    const table = this.#table;
    const starts = table.has(KIND.columnStarts, field) ? table.u32(KIND.columnStarts, field) : undefined;
    const present = table.u32(
      table.has(KIND.columnPresent, field) ? KIND.columnPresent : KIND.present,
      field,
    );
    if (record.column === 2) {
      const hi = table.u32(KIND.numericHi, field);
      return { kind: 'numeric', starts, hi, lo: table.u32(KIND.numericLo, field), present };
    }
    const read = record.ordinalBytes === 1 ? 'u8' : record.ordinalBytes === 2 ? 'u16' : 'u32';
    const ordinals = table[read](KIND.ordinals, field);
    return { kind: 'ordinal', starts, ordinals, terms: this.terms(record.path)!, present };
  }
}

function postingsArrays(table: SectionTable, field: number): PostingsArrays {
  return {
    termGroups: table.u32(KIND.termGroups, field),
    groups: table.u32(KIND.groups, field),
    lows: table.u16(KIND.lows, field),
    codes: table.u8(KIND.codes, field),
    blockMax: table.u8(KIND.blockMax, field),
    exceptions: table.u32(KIND.exceptions, field),
    dense: table.u32(KIND.dense, field),
    positionBytes: table.u8(KIND.positionBytes, field),
    positionOffsets: table.u32(KIND.positionOffsets, field),
    positionHalves: table.u8(KIND.positionHalves, field),
    positionResidues: table.u8(KIND.positionResidues, field),
  };
}

function docArrays(table: SectionTable): DocArrays {
  const routed = table.has(KIND.routingStarts);
  return {
    idBytes: table.u8(KIND.idBytes),
    idStarts: table.u32(KIND.idStarts),
    idHash: table.u32(KIND.idHash),
    idPrevious: table.has(KIND.idPrevious) ? table.u32(KIND.idPrevious) : undefined,
    seqNos: table.f64(KIND.seqNos),
    versions: table.has(KIND.versions) ? table.f64(KIND.versions) : undefined,
    types: table.has(KIND.types) ? table.u16(KIND.types) : undefined,
    typeNames: table.has(KIND.typeNames) ? decodeNames(table.u8(KIND.typeNames)) : [],
    routingBytes: routed ? table.u8(KIND.routingBytes) : undefined,
    routingStarts: routed ? table.u32(KIND.routingStarts) : undefined,
    runStarts: table.u32(KIND.runStarts),
    runCommits: table.f64(KIND.runCommits),
    sourceChunks: table.u32(KIND.sourceChunks),
    sourceOffsets: table.u32(KIND.sourceOffsets),
    sourceLengths: table.u32(KIND.sourceLengths),
  };
}

/**
 * Opens a segment over `bytes`, which must lie at a multiple of 8 in their buffer and stay as they are.
 * Checks the head only; `verifySegment` checks the rest. Throws SegmentDamagedError.
 */
export function openSegment(bytes: Uint8Array, options: SegmentOptions = {}): SegmentLeaf {
  return new SegmentLeaf(bytes, options);
}
