// Messages between the serving thread and the thread that parses documents ahead: one answer per job, in
// order. The sources are copied into a buffer, which is transferred, and transferred back with the answer.

import type { ErrorMessage } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { MappingLimits } from '../../mapping/definition/mapping-limits.ts';
import type { RecordedDocuments } from '../../tail/recording/recording.ts';

/** The JSON and settings that a mapping is parsed from. */
export interface MappingText {
  readonly mappings: JsonObject;
  readonly settings: Readonly<Record<string, string>>;
}

/** Both sides clear their table of mappings when it has more entries. */
export const MAX_MAPPINGS = 8;

export interface ReadAheadJob {
  /** Number of the mapping; equal numbers mean the same mapping. */
  readonly mapping: number;
  /** Sent once for each number. */
  readonly text: MappingText | undefined;
  /** Greatest nesting of a document. */
  readonly nesting: number;
  /** The limits of the index now. */
  readonly limits: MappingLimits;
  /** The sources, in a buffer that is transferred back. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Undefined if there are no updates among the operations. */
  readonly updates: PatchTable | undefined;
  /** Set if the job is one large document, which the writer waits for. */
  readonly large?: LargeDocument;
}

/** A document that may bring new fields, and whose error is reported. */
export interface LargeDocument {
  readonly id: string;
  readonly type: string;
  readonly routing: string | undefined;
}

/** Patches to apply to documents before they are parsed. */
export interface PatchTable {
  /** The patch of a document lies behind its source and ends here; empty if there is none. */
  readonly patchEnds: Uint32Array<ArrayBuffer>;
  /** 1 if a patch that changes nothing counts as a change (detect_noop false). */
  readonly always: Uint8Array<ArrayBuffer>;
  /** Results may be written to the bytes from here on. */
  readonly room: number;
}

/** Positions of patched sources in the bytes; start > end if the patch changes nothing. */
export interface PatchResults {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

export interface ReadAheadAnswer {
  /** The transferred buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Undefined if the mapping could not be parsed. */
  readonly recorded: RecordedDocuments | undefined;
  readonly patched: PatchResults | undefined;
  /** The mapping with the new fields of a large document. */
  readonly grown?: JsonObject | undefined;
  /** Why a large document is refused. */
  readonly fault?: ErrorMessage;
}
