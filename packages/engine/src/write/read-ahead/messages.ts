// What do the serving thread and the one that reads documents ahead say to each other? Jobs in their order, one answer
// each. The bytes of the sources are shared where they came so, or else copied, handed over, and given back with the answer.
//
//   job ─>     <─ read

import type { JsonObject } from '../../json/value.ts';
import type { RecordedDocuments } from '../../tail/recording/recording.ts';

/** What a mapping is made of. */
export interface MappingText {
  readonly mappings: JsonObject;
  readonly settings: Readonly<Record<string, string>>;
}

/** Mappings that are kept: one more, and both sides forget them all. */
export const MOST_MAPPINGS = 8;

export interface ReadAheadJob {
  /** Of the mapping; equal numbers mean the same one. */
  readonly mapping: number;
  /** Said once for each number. */
  readonly text: MappingText | undefined;
  /** The depth that documents may have. */
  readonly nesting: number;
  /** Where the sources lie: shared memory, that of a request's body, or a buffer that comes back. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Undefined where there are none among the operations. */
  readonly updates: PatchTable | undefined;
}

/** What is to be done to documents before they are read. */
export interface PatchTable {
  /** The patch of a document lies behind its source and ends here; it is empty where there is none. */
  readonly patchEnds: Uint32Array<ArrayBuffer>;
  /** 1 where it counts as a change also when it changes nothing. */
  readonly always: Uint8Array<ArrayBuffer>;
  /** What is made may be written to the bytes from here on. */
  readonly room: number;
}

/** Where in the bytes lies what updates have made? It begins behind its end where that is the same as before. */
export interface PatchResults {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

export interface ReadAheadAnswer {
  /** What was handed over. */
  readonly bytes: Uint8Array | undefined;
  /** Undefined where the mapping could not be read. */
  readonly recorded: RecordedDocuments | undefined;
  readonly patched: PatchResults | undefined;
}
