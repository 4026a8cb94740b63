// Merges one field: presence and norms first, because codes need norms; then the dictionaries with their
// postings, term by term; the column last, because it needs the new ordinals.

import { copyBits, countBits, hasBit, nextSetBit, setBit, wordsFor } from '../kernels/bits.ts';
import { type FieldRecord, KIND } from '../segment/format.ts';
import { LENGTHS } from '../segment/postings/norms.ts';
import { addPostings, PostingsWriter } from '../segment/postings/postings-writer.ts';
import { bucketOf, scoreCodesOf } from '../segment/postings/score-codes.ts';
import type { SectionWriter } from '../segment/section-writer.ts';
import { hashTerms, SortedTerms } from '../segment/terms.ts';
import { DictionaryMerge } from './dictionary-merge.ts';
import { mergeColumn, usedOrdinals } from './merge-column.ts';
import { moveGroup, type PostingsSource } from './move-group.ts';
import type { MergeInput, Remap } from './remap.ts';

/** Work between two yields, in postings. */
const SLICE = 10_000;
const TERM_WORK = 10;

interface Dictionary {
  /** New ordinals by input and old ordinal. */
  readonly ordinals: readonly (Uint32Array | undefined)[];
  readonly termCount: number;
}

/** Adds the sections of one field and returns its record; undefined when no remaining document has it. */
export function* mergeField(
  path: string,
  inputs: readonly MergeInput[],
  remap: Remap,
  field: number,
  sections: SectionWriter,
): Generator<void, FieldRecord | undefined> {
  const records = inputs.map(({ leaf }) => leaf.record(path));
  const known = records.filter((one) => one !== undefined);
  // Segments of an older version have no columns of points.
  const record = known.find(({ column }) => column !== 0) ?? known[0];
  if (record === undefined) return undefined;
  const presence = mergePresence(path, inputs, remap);
  if (nextSetBit(presence, 0, remap.docCount) < 0) return undefined;
  sections.add(KIND.present, field, presence);
  yield;
  const norms = record.norms ? mergeNorms(path, inputs, remap) : undefined;
  sections.add(KIND.norms, field, norms);
  const freqs = record.index > 1;
  const bucket = freqs ? bucketOf(norms === undefined ? 1 : averageLength(norms)) : 0;
  const writer = new PostingsWriter();
  writer.begin(freqs ? scoreCodesOf(bucket) : undefined, record.index > 2);
  const withTerms = new Uint32Array(wordsFor(remap.docCount));
  const dictionary = yield* mergeTerms(
    path,
    record,
    inputs,
    remap,
    norms,
    withTerms,
    field,
    writer,
    sections,
  );
  const postingCount = writer.postingCount;
  const sumTotalTermFreq = freqs ? writer.freqSum : postingCount;
  if (record.index > 0 && dictionary.termCount > 0) addPostings(sections, field, writer, false);
  yield;
  const columns = inputs.map(({ leaf }) => leaf.column(path));
  const { ordinals, termCount } = dictionary;
  const column = mergeColumn(columns, remap, presence, ordinals, termCount, field, sections);
  yield;
  return {
    path,
    index: record.index,
    column: record.column,
    norms: record.norms,
    bucket: postingCount > 0 ? bucket : 0,
    termCount,
    postingCount,
    docCount: countBits(withTerms, 0, remap.docCount),
    sumDocFreq: postingCount,
    sumTotalTermFreq,
    ...column,
  };
}

function* mergeTerms(
  path: string,
  record: FieldRecord,
  inputs: readonly MergeInput[],
  remap: Remap,
  norms: Uint8Array | undefined,
  withTerms: Uint32Array,
  field: number,
  writer: PostingsWriter,
  sections: SectionWriter,
): Generator<void, Dictionary> {
  const terms = inputs.map(({ leaf }) => sortedTerms(leaf.terms(path)));
  const indexed = record.index > 0;
  const positions = record.index > 2;
  // Without postings, the ordinals that remaining documents use decide which terms stay.
  const used = indexed
    ? []
    : usedOrdinals(
        inputs.map(({ leaf }) => leaf.column(path)),
        remap,
      );
  const sources = terms.map((one, input): PostingsSource | undefined =>
    one === undefined ? undefined : { postings: one.postings, newDoc: remap.newDoc[input]! },
  );
  let mostTerms = 0;
  let mostBytes = 0;
  let mostPostings = 0;
  let mostPositions = 0;
  for (const one of terms) {
    if (one === undefined) continue;
    mostTerms += one.count;
    mostBytes += one.bytes.length;
    mostPostings += one.postings.lo.length;
    mostPositions += one.postings.arrays.positionBytes.length;
  }
  writer.reserve(mostPostings, mostPositions);
  const bytes = new Uint8Array(mostBytes);
  const starts = new Uint32Array(mostTerms + 1);
  const ordinals = terms.map((one) =>
    one === undefined || record.column !== 1 ? undefined : new Uint32Array(one.count),
  );
  const walk = new DictionaryMerge(terms);
  let count = 0;
  let work = 0;
  while (walk.next()) {
    if (indexed) {
      writer.term();
      for (let i = 0; i < walk.count; i++) {
        const source = sources[walk.inputs[i]!]!;
        const end = source.postings.endGroup(walk.ordinals[i]!);
        for (let group = source.postings.firstGroup(walk.ordinals[i]!); group < end; group++) {
          moveGroup(source, group, norms, positions, withTerms, writer);
          work += source.postings.end(group) - source.postings.start(group);
          if (work > SLICE) {
            work = 0;
            yield;
          }
        }
      }
      if (writer.dropEmptyTerm()) continue;
    } else if (!anyUsed(walk, used)) continue;
    for (let i = 0; i < walk.count; i++) {
      const map = ordinals[walk.inputs[i]!];
      if (map !== undefined) map[walk.ordinals[i]!] = count;
    }
    starts[count + 1] =
      starts[count]! + copyTerm(terms[walk.inputs[0]!]!, walk.ordinals[0]!, bytes, starts[count]!);
    count++;
    work += TERM_WORK;
  }
  if (count > 0) {
    const dictionary = starts.subarray(0, count + 1);
    sections.add(KIND.termBytes, field, bytes.subarray(0, starts[count]!));
    sections.add(KIND.termStarts, field, dictionary);
    sections.add(KIND.termHash, field, yield* hashTerms(bytes, dictionary, count));
  }
  return { ordinals, termCount: count };
}

function sortedTerms(terms: unknown): SortedTerms | undefined {
  if (terms === undefined) return undefined;
  if (terms instanceof SortedTerms) return terms;
  throw new Error('only sealed segments merge: minis belong to their tail');
}

function anyUsed(walk: DictionaryMerge, used: readonly (Uint32Array | undefined)[]): boolean {
  for (let i = 0; i < walk.count; i++) {
    const bits = used[walk.inputs[i]!];
    if (bits !== undefined && hasBit(bits, walk.ordinals[i]!)) return true;
  }
  return false;
}

function copyTerm(terms: SortedTerms, ordinal: number, target: Uint8Array, at: number): number {
  const start = terms.starts[ordinal]!;
  const length = terms.starts[ordinal + 1]! - start;
  for (let i = 0; i < length; i++) target[at + i] = terms.bytes[start + i]!;
  return length;
}

function mergePresence(path: string, inputs: readonly MergeInput[], remap: Remap): Uint32Array {
  const presence = new Uint32Array(wordsFor(remap.docCount));
  inputs.forEach(({ leaf }, input) => {
    const old = leaf.present(path);
    const map = remap.newDoc[input]!;
    if (old === undefined || map.length === 0) return;
    if (map[0]! >= 0 && map.at(-1)! - map[0]! === map.length - 1) {
      copyBits(presence, map[0]!, old, 0, map.length);
      return;
    }
    for (let doc = nextSetBit(old, 0, map.length); doc >= 0; doc = nextSetBit(old, doc + 1, map.length)) {
      if (map[doc]! >= 0) setBit(presence, map[doc]!);
    }
  });
  return presence;
}

function mergeNorms(path: string, inputs: readonly MergeInput[], remap: Remap): Uint8Array {
  const norms = new Uint8Array(remap.docCount);
  inputs.forEach(({ leaf }, input) => {
    const old = leaf.norms(path);
    const map = remap.newDoc[input]!;
    if (old === undefined) return;
    for (let doc = 0; doc < map.length; doc++) if (map[doc]! >= 0) norms[map[doc]!] = old[doc]!;
  });
  return norms;
}

function averageLength(norms: Uint8Array): number {
  let sum = 0;
  let n = 0;
  for (let doc = 0; doc < norms.length; doc++) {
    if (norms[doc] === 0) continue;
    sum += LENGTHS[norms[doc]!]!;
    n++;
  }
  return n === 0 ? 1 : sum / n;
}
