// Writes a range of the tail's documents as a segment, field by field from the forward index. Minis keep
// the term numbers of the shared tables; the seal assigns ordinals by sorted bytes. Everything else is
// the same.

import { setBit, wordsFor } from '../../kernels/bits.ts';
import { type ColumnSummary, NO_COLUMN } from '../../segment/columns.ts';
import { encodeFields } from '../../segment/field-records.ts';
import { COLUMN_KINDS, type FieldRecord, INDEX_LEVELS, KIND, SHARED_TERMS } from '../../segment/format.ts';
import { LENGTHS } from '../../segment/postings/norms.ts';
import { addPostings, PostingsWriter } from '../../segment/postings/postings-writer.ts';
import { bucketOf, scoreCodesOf } from '../../segment/postings/score-codes.ts';
import { SectionWriter, type SegmentBytes } from '../../segment/section-writer.ts';
import { hashTerms } from '../../segment/terms.ts';
import type { ForwardField } from '../forward/forward-field.ts';
import type { TailDocuments } from '../forward/tail-documents.ts';
import { sortTerms } from '../terms/sort-terms.ts';
import { Inverter } from './inverter.ts';
import { type ColumnRange, writeNumbers, writeOrdinals } from './tail-columns.ts';

/** Width of the code buckets of minis: they are many and short-lived, and share code tables this way. */
const COARSE = 8;
/** Bytes reserved per position: enough for most texts. */
const POSITION_BYTES = 1.5;
/** Terms copied between two yields. */
const SLICE_TERMS = 10_000;

/** Arrays that an inversion needs, some megabytes. */
export interface InversionScratch {
  readonly inverter: Inverter;
  readonly writer: PostingsWriter;
}

export function newScratch(): InversionScratch {
  return { inverter: new Inverter(), writer: new PostingsWriter() };
}

/**
 * The segment of documents [base, base + docCount): sorted, with checksums, or as a mini. With `words` false the terms of
 * texts are left out: they are nearly all of the work, and a search without texts does not need them. Yields about every 2 ms.
 * Sections alias the tail and the scratch only where they are copied before either changes.
 */
export function* writeTailRange(
  documents: TailDocuments,
  fields: Iterable<ForwardField>,
  base: number,
  docCount: number,
  sorted: boolean,
  scratch: InversionScratch,
  words: boolean = true,
): Generator<void, SegmentBytes> {
  const sections = new SectionWriter();
  const records: FieldRecord[] = [];
  yield* documents.write(base, base + docCount, sections);
  for (const field of fields) {
    const from = field.entryAt(base);
    const to = field.entryAt(base + docCount);
    if (from === to) continue;
    const presence = new Uint32Array(wordsFor(docCount));
    for (let entry = from; entry < to; entry++) setBit(presence, field.docs.view[entry]! - base);
    const number = records.length;
    sections.add(KIND.present, number, presence);
    const range = { from, to, base, docCount, presence };
    const withTerms = words || !hasWords(field);
    records.push(yield* writeField(field, range, number, sorted, sections, scratch, withTerms));
    yield;
  }
  sections.addPlain(KIND.fields, encodeFields(records));
  return sorted ? yield* sections.seal(docCount) : sections.finish(docCount, SHARED_TERMS);
}

const NO_TERMS = new Uint32Array(0);

/** True for text fields. Other fields have few terms, and their columns need them. */
function hasWords({ spec }: ForwardField): boolean {
  return spec.column === 'none' && (spec.index === 'freqs' || spec.index === 'positions');
}

function* writeField(
  field: ForwardField,
  range: ColumnRange,
  number: number,
  sorted: boolean,
  sections: SectionWriter,
  scratch: InversionScratch,
  withTerms: boolean,
): Generator<void, FieldRecord> {
  const { spec } = field;
  const { from, to, base } = range;
  const ids = withTerms ? yield* scratch.inverter.terms(field, from, to) : NO_TERMS;
  const order = sorted ? yield* sortTerms(field.table, ids) : ids;
  if (sorted) yield* writeDictionary(field, order, number, sections);
  else sections.add(KIND.termIds, number, ids);

  const norms = spec.norms ? writeNorms(field, range, number, sections) : undefined;
  let stats = { postingCount: 0, docCount: 0, sumDocFreq: 0, sumTotalTermFreq: 0, bucket: 0 };
  if (spec.index === 'none' || ids.length === 0) scratch.inverter.uncount(ids);
  else {
    const docsWithTerms = countWithTerms(field, from, to);
    const freqs = spec.index !== 'docs';
    const average = freqs ? averageLength(field, from, to, docsWithTerms) : 1;
    const bucket = freqs ? bucketOf(average, sorted ? 1 : COARSE) : 0;
    // A seal hands over its arrays; minis copy them out of the scratch.
    const writer = sorted ? new PostingsWriter() : scratch.writer;
    const codes = freqs ? scoreCodesOf(bucket) : undefined;
    writer.begin(codes, field.hasPositions);
    const tokens = field.tokenAt(to) - field.tokenAt(from);
    // Unused pages are never touched; growing would copy everything twice over.
    const positionBytes = field.hasPositions ? Math.ceil(tokens * POSITION_BYTES) : 0;
    if (sorted) writer.reserve(tokens, positionBytes, ids.length);
    yield* scratch.inverter.write(field, from, to, base, ids, order, norms, codes, writer);
    addPostings(sections, number, writer, !sorted);
    const postingCount = writer.postingCount;
    const sumTotalTermFreq = freqs ? tokens : postingCount;
    stats = { postingCount, docCount: docsWithTerms, sumDocFreq: postingCount, sumTotalTermFreq, bucket };
  }
  const column = writeColumn(field, range, sorted ? order : undefined, number, sections);
  return {
    path: spec.path,
    index: INDEX_LEVELS.indexOf(spec.index),
    column: COLUMN_KINDS.indexOf(spec.column),
    norms: spec.norms,
    termCount: ids.length,
    ...stats,
    ...column,
  };
}

function writeColumn(
  field: ForwardField,
  range: ColumnRange,
  order: Uint32Array | undefined,
  number: number,
  sections: SectionWriter,
): ColumnSummary {
  const { column } = field.spec;
  if (column === 'none') return NO_COLUMN;
  if (column === 'numeric') return writeNumbers(field, range, number, sections);
  if (order === undefined) {
    return writeOrdinals(field, range, undefined, field.table.count, number, sections);
  }
  const ordinals = new Uint32Array(field.table.count);
  for (let ordinal = 0; ordinal < order.length; ordinal++) ordinals[order[ordinal]!] = ordinal;
  return writeOrdinals(field, range, ordinals, order.length, number, sections);
}

function* writeDictionary(
  field: ForwardField,
  order: Uint32Array,
  number: number,
  sections: SectionWriter,
): Generator<void, void> {
  if (order.length === 0) return;
  const { table } = field;
  const starts = new Uint32Array(order.length + 1);
  for (let i = 0; i < order.length; i++) starts[i + 1] = starts[i]! + table.length(order[i]!);
  yield;
  const bytes = new Uint8Array(starts[order.length]!);
  for (let from = 0; from < order.length; from += SLICE_TERMS) {
    const to = Math.min(order.length, from + SLICE_TERMS);
    for (let i = from; i < to; i++) table.copy(order[i]!, bytes, starts[i]!);
    yield;
  }
  sections.add(KIND.termBytes, number, bytes);
  sections.add(KIND.termStarts, number, starts);
  sections.add(KIND.termHash, number, yield* hashTerms(bytes, starts, order.length));
}

function writeNorms(
  field: ForwardField,
  range: ColumnRange,
  number: number,
  sections: SectionWriter,
): Uint8Array {
  const norms = new Uint8Array(range.docCount);
  for (let entry = range.from; entry < range.to; entry++) {
    norms[field.docs.view[entry]! - range.base] = field.norms.view[entry]!;
  }
  sections.add(KIND.norms, number, norms);
  return norms;
}

function countWithTerms(field: ForwardField, from: number, to: number): number {
  let n = 0;
  for (let entry = from; entry < to; entry++) if (field.tokenAt(entry + 1) > field.tokenAt(entry)) n++;
  return n;
}

/** The average of the lengths that norms encode, for K0; 1 without norms. */
function averageLength(field: ForwardField, from: number, to: number, withTerms: number): number {
  if (!field.spec.norms) return 1;
  let sum = 0;
  for (let entry = from; entry < to; entry++) sum += LENGTHS[field.norms.view[entry]!]!;
  return sum / Math.max(1, withTerms);
}
