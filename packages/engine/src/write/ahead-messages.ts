// What do the serving thread and the one that reads documents ahead say to each other? Jobs in their order, one answer
// each. The bytes of the sources are handed over and come back with the answer, to be filled again.
//
//   job ─>     <─ read

import type { JsonObject } from '../json/value.ts';
import type { RecordedDocuments } from '../tail/recording.ts';

/** What a mapping is made of. */
export interface MappingText {
  readonly mappings: JsonObject;
  readonly settings: Readonly<Record<string, string>>;
}

/** Mappings that are kept: one more, and both sides forget them all. */
export const MOST_MAPPINGS = 8;

export interface AheadJob {
  /** Of the mapping; equal numbers mean the same one. */
  readonly mapping: number;
  /** Said once for each number. */
  readonly text: MappingText | undefined;
  /** Sources, one behind the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

export interface AheadAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Undefined where the mapping could not be read. */
  readonly read: RecordedDocuments | undefined;
}
