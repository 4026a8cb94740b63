// Merges doc tables, row by row. Runs of commits stay runs; commits that no reader can distinguish any
// more become one.

import { hashIds, idHash } from '../segment/doc-view.ts';
import { encodeNames } from '../segment/field-records.ts';
import { KIND } from '../segment/format.ts';
import type { SectionWriter } from '../segment/section-writer.ts';
import type { MergeInput, Remap } from './remap.ts';

/** The new place of a source whose chunk of the log was rewritten. */
export interface MovedSource {
  readonly chunk: number;
  readonly offset: number;
}

/** Decisions of the caller about documents. */
export interface DocumentOptions {
  /** The new place of a document's source; undefined if it has not moved. */
  readonly relocate?: (input: number, doc: number) => MovedSource | undefined;
  /** The oldest snapshot of any reader: commits up to it may become one. */
  readonly oldest?: number;
}

/** Documents between two yields. */
const SLICE = 4_096;

/** Adds the documents' sections. */
export function* mergeDocuments(
  inputs: readonly MergeInput[],
  remap: Remap,
  options: DocumentOptions,
  sections: SectionWriter,
): Generator<void, void> {
  const n = remap.docCount;
  yield* mergeIds(inputs, remap, sections);
  const seqNos = new Float64Array(n);
  const versions = new Float64Array(n);
  const chunks = new Uint32Array(n);
  const offsets = new Uint32Array(n);
  const lengths = new Uint32Array(n);
  for (const [input, { leaf }] of inputs.entries()) {
    const { docs } = leaf;
    const map = remap.newDoc[input]!;
    for (let doc = 0; doc < map.length; doc++) {
      if (doc % SLICE === SLICE - 1) yield;
      const to = map[doc]!;
      if (to < 0) continue;
      seqNos[to] = docs.seqNo(doc);
      versions[to] = docs.version(doc);
      const moved = options.relocate?.(input, doc);
      chunks[to] = moved === undefined ? docs.sourceChunk(doc) : moved.chunk;
      offsets[to] = moved === undefined ? docs.sourceOffset(doc) : moved.offset;
      lengths[to] = docs.sourceLength(doc);
    }
  }
  sections.addPlain(KIND.seqNos, seqNos);
  if (versions.some((version) => version !== 1)) sections.addPlain(KIND.versions, versions);
  sections.addPlain(KIND.sourceChunks, chunks);
  sections.addPlain(KIND.sourceOffsets, offsets);
  sections.addPlain(KIND.sourceLengths, lengths);
  mergeTypes(inputs, remap, sections);
  yield* mergeRouting(inputs, remap, sections);
  mergeRuns(inputs, remap, options.oldest ?? Number.NEGATIVE_INFINITY, sections);
}

/** The byte strings of the remaining documents, concatenated. */
function* mergeBytes(
  inputs: readonly MergeInput[],
  remap: Remap,
  of: (input: MergeInput) => { bytes: Uint8Array; starts: Uint32Array } | undefined,
): Generator<void, { bytes: Uint8Array; starts: Uint32Array }> {
  const starts = new Uint32Array(remap.docCount + 1);
  const sources = inputs.map(of);
  let total = 0;
  sources.forEach((source, input) => {
    const map = remap.newDoc[input]!;
    for (let doc = 0; doc < map.length; doc++) {
      if (map[doc]! < 0) continue;
      if (source !== undefined) total += source.starts[doc + 1]! - source.starts[doc]!;
      starts[map[doc]! + 1] = total;
    }
  });
  yield;
  const bytes = new Uint8Array(total);
  for (const [input, source] of sources.entries()) {
    if (source === undefined) continue;
    const map = remap.newDoc[input]!;
    for (let doc = 0; doc < map.length; doc++) {
      if (doc % SLICE === SLICE - 1) yield;
      const to = map[doc]!;
      if (to < 0) continue;
      let at = starts[to]!;
      for (let i = source.starts[doc]!; i < source.starts[doc + 1]!; i++) bytes[at++] = source.bytes[i]!;
    }
  }
  return { bytes, starts };
}

function* mergeIds(
  inputs: readonly MergeInput[],
  remap: Remap,
  sections: SectionWriter,
): Generator<void, void> {
  const { bytes, starts } = yield* mergeBytes(inputs, remap, ({ leaf }) => ({
    bytes: leaf.docs.idBytes,
    starts: leaf.docs.idStarts,
  }));
  sections.addPlain(KIND.idBytes, bytes);
  sections.addPlain(KIND.idStarts, starts);
  const n = remap.docCount;
  const ids = idHash(n);
  for (let from = 0; from < n; from += SLICE) {
    yield;
    hashIds(ids, bytes, starts, from, Math.min(n, from + SLICE), n);
  }
  sections.addPlain(KIND.idHash, ids.hash);
  sections.addPlain(KIND.idPrevious, ids.previous);
}

function* mergeRouting(
  inputs: readonly MergeInput[],
  remap: Remap,
  sections: SectionWriter,
): Generator<void, void> {
  if (inputs.every(({ leaf }) => leaf.docs.arrays.routingStarts === undefined)) return;
  const { bytes, starts } = yield* mergeBytes(inputs, remap, ({ leaf }) => {
    const { routingBytes, routingStarts } = leaf.docs.arrays;
    if (routingBytes === undefined || routingStarts === undefined) return undefined;
    return { bytes: routingBytes, starts: routingStarts };
  });
  if (bytes.length === 0) return;
  sections.addPlain(KIND.routingBytes, bytes);
  sections.addPlain(KIND.routingStarts, starts);
}

function mergeTypes(inputs: readonly MergeInput[], remap: Remap, sections: SectionWriter): void {
  if (inputs.every(({ leaf }) => leaf.docs.arrays.types === undefined)) return;
  const types = new Uint16Array(remap.docCount);
  const names = ['_doc'];
  inputs.forEach(({ leaf }, input) => {
    const map = remap.newDoc[input]!;
    for (let doc = 0; doc < map.length; doc++) {
      if (map[doc]! < 0) continue;
      const name = leaf.docs.type(doc);
      const known = names.indexOf(name);
      types[map[doc]!] = known >= 0 ? known : names.push(name) - 1;
    }
  });
  if (names.length === 1) return;
  sections.addPlain(KIND.types, types);
  sections.addPlain(KIND.typeNames, encodeNames(names));
}

function mergeRuns(
  inputs: readonly MergeInput[],
  remap: Remap,
  oldest: number,
  sections: SectionWriter,
): void {
  const starts: number[] = [];
  const commits: number[] = [];
  inputs.forEach(({ leaf }, input) => {
    const map = remap.newDoc[input]!;
    const { runStarts, runCommits } = leaf.docs.arrays;
    for (let run = 0; run < runStarts.length; run++) {
      const end = run + 1 < runStarts.length ? runStarts[run + 1]! : map.length;
      let doc = runStarts[run]!;
      while (doc < end && map[doc]! < 0) doc++;
      if (doc === end) continue;
      const commit = runCommits[run]!;
      const before = commits.at(-1);
      if (before !== undefined && (before === commit || (before <= oldest && commit <= oldest))) {
        commits[commits.length - 1] = commit;
        continue;
      }
      starts.push(map[doc]!);
      commits.push(commit);
    }
  });
  sections.addPlain(KIND.runStarts, Uint32Array.from(starts));
  sections.addPlain(KIND.runCommits, Float64Array.from(commits));
}
