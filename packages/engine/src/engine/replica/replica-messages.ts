// What does the writing thread tell those that only read? What has changed since it told them last, numbered; large things
// lie in shared memory and are told by their places. A message is whole by itself: what it shows was committed together.

import type { MessagePort } from 'node:worker_threads';
import type { JsonObject } from '../../json/value.ts';
import type { SharedChunk } from '../../log/chunk/chunk.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { WasmMemory } from '../../memory/wasm.ts';
import type { SegmentMeta } from '../../write/segment-files/segment-store.ts';
import type { TailAddresses } from './tail-addresses.ts';

/** Pairs: a document, the commit with which it died; in the order of commits. */
export type ReplicaDeaths = Float64Array;

/** A run of bytes. */
export interface ArenaRange {
  readonly arena: number;
  readonly ptr: number;
  readonly bytes: number;
}

/** A segment, and who died in it since. */
export interface ReplicaSegment {
  readonly number: number;
  /** Where it lies; told once. */
  readonly first: { readonly meta: SegmentMeta; readonly place: ArenaRange } | undefined;
  readonly deaths: ReplicaDeaths | undefined;
}

/** A tail as far as it is published, and who died in it since. */
export interface ReplicaTail {
  /** Given by the lender, never used again. */
  readonly id: number;
  readonly addresses: TailAddresses;
  readonly types: readonly string[];
  /** Another number when they are others. */
  readonly fields: number;
  /** Those of all its fields; told when there are others. */
  readonly specs: readonly FieldSpec[] | undefined;
  readonly deaths: ReplicaDeaths | undefined;
}

/** What the catalog has of an index. */
export interface IndexDefinition extends JsonObject {
  readonly record: JsonObject;
  readonly mappings: JsonObject;
}

/** What is new about an index. */
export interface ReplicaIndex {
  readonly number: number;
  /** When something about it changed: `IndexAbout` as JSON, which keeps longs and objects as they are in the catalog. */
  readonly definition: string | undefined;
  /** The commit that searches see; infinity where refreshes are not held back. */
  readonly visibleCommit: number;
  /** All of them, in their order. */
  readonly segments: readonly ReplicaSegment[];
  readonly tails: readonly ReplicaTail[];
}

/** A document of the settings as JSON; undefined where it was removed. */
export interface ReplicaSetting {
  readonly kind: string;
  readonly name: string;
  readonly value: string | undefined;
}

/** One message. */
export interface SnapshotUpdate {
  readonly number: number;
  readonly published: number;
  readonly arenas: readonly WasmMemory[];
  /** Blocks in arenas for the scratch of one reader. */
  readonly scratch: readonly ArenaRange[];
  readonly removedIndices: readonly number[];
  readonly indices: readonly ReplicaIndex[];
  readonly removedChunks: readonly number[];
  readonly chunks: readonly SharedChunk[];
  readonly settings: readonly ReplicaSetting[];
}

/** What a reader asks of the lender: more room in an arena. */
export interface ScratchRequest {
  readonly arena: number;
  readonly bytes: number;
}

/** What a reading thread is started with; the port is to be transferred. */
export interface ReplicaLink {
  readonly port: MessagePort;
  /** Two numbers that both sides see (`control.ts`). */
  readonly control: SharedArrayBuffer;
}
