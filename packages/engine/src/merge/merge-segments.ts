// Merges adjacent segments into one, structure by structure. A generator: the caller decides when the
// next slice of about 2 ms runs.

import { encodeFields } from '../segment/field-records.ts';
import { type FieldRecord, KIND } from '../segment/format.ts';
import { SectionWriter, type SegmentBytes } from '../segment/section-writer.ts';
import { type DocumentOptions, mergeDocuments } from './merge-documents.ts';
import { mergeField } from './merge-field.ts';
import { type MergeInput, remapDocuments } from './remap.ts';

/** A merged segment, and the new numbers of the documents. */
export interface MergeResult {
  readonly segment: SegmentBytes;
  /** New number of each document, by input and old number; -1 for dropped ones. */
  readonly newDoc: readonly Int32Array[];
}

/**
 * Merges adjacent sealed segments, in order. Ignores their death logs: `drop` says which documents go, and the caller carries
 * over the deaths of the others by `newDoc`.
 */
export function* mergeSegments(
  inputs: readonly MergeInput[],
  options: DocumentOptions = {},
): Generator<void, MergeResult> {
  const remap = remapDocuments(inputs);
  const sections = new SectionWriter();
  yield* mergeDocuments(inputs, remap, options, sections);
  yield;
  const paths = new Set<string>();
  for (const { leaf } of inputs) for (const path of leaf.fields) paths.add(path);
  const records: FieldRecord[] = [];
  for (const path of paths) {
    const record = yield* mergeField(path, inputs, remap, records.length, sections);
    if (record !== undefined) records.push(record);
  }
  sections.addPlain(KIND.fields, encodeFields(records));
  return { segment: yield* sections.seal(remap.docCount), newDoc: remap.newDoc };
}
