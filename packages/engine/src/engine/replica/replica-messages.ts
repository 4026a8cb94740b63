// Messages from the writing thread to replicas: numbered updates with what has changed since the last one.
// Large arrays lie in shared memory and are sent as addresses. An update is consistent by itself: what it
// shows was committed together.

import type { MessagePort } from 'node:worker_threads';
import type { JsonObject } from '../../json/value.ts';
import type { SharedChunk } from '../../log/chunk/chunk.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { WasmMemory } from '../../memory/wasm.ts';
import type { SegmentMeta } from '../../write/segment-files/segment-store.ts';
import type { TailAddresses } from './tail-addresses.ts';

/** Pairs of a document and the commit with which it died, in commit order. */
export type ReplicaDeaths = Float64Array;

/** A range of bytes in an arena. */
export interface ArenaRange {
  readonly arena: number;
  readonly ptr: number;
  readonly bytes: number;
}

/** A segment, and its deaths since the last update. */
export interface ReplicaSegment {
  readonly number: number;
  /** Its meta and its bytes; sent once. */
  readonly first: { readonly meta: SegmentMeta; readonly place: ArenaRange } | undefined;
  readonly deaths: ReplicaDeaths | undefined;
}

/** The published part of a tail, and its deaths since the last update. */
export interface ReplicaTail {
  /** Given by the publisher and never reused. */
  readonly id: number;
  readonly addresses: TailAddresses;
  readonly types: readonly string[];
  /** Version of the set of fields. */
  readonly fields: number;
  /** Specs of all fields; sent when the version changes. */
  readonly specs: readonly FieldSpec[] | undefined;
  readonly deaths: ReplicaDeaths | undefined;
}

/** The definition of an index in the catalog. */
export interface IndexDefinition extends JsonObject {
  readonly record: JsonObject;
  readonly mappings: JsonObject;
}

/** The changes of one index. */
export interface ReplicaIndex {
  readonly number: number;
  /**
   * `IndexDefinition` as JSON, if it has changed. JSON keeps longs and null prototypes as the catalog has
   * them.
   */
  readonly definition: string | undefined;
  /** The commit that searches see; infinity unless the index is refreshed manually. */
  readonly visibleCommit: number;
  /** All segments, in order. */
  readonly segments: readonly ReplicaSegment[];
  readonly tails: readonly ReplicaTail[];
}

/** A settings document as JSON; undefined if it was removed. */
export interface ReplicaSetting {
  readonly kind: string;
  readonly name: string;
  readonly value: string | undefined;
}

/** One update. */
export interface SnapshotUpdate {
  readonly number: number;
  readonly published: number;
  readonly arenas: readonly WasmMemory[];
  /** New scratch blocks of this replica. */
  readonly scratch: readonly ArenaRange[];
  readonly removedIndices: readonly number[];
  readonly indices: readonly ReplicaIndex[];
  readonly removedChunks: readonly number[];
  readonly chunks: readonly SharedChunk[];
  readonly settings: readonly ReplicaSetting[];
}

/** A request of a replica for more scratch in an arena. */
export interface ScratchRequest {
  readonly arena: number;
  readonly bytes: number;
}

/** What a replica is opened with. The port has to be transferred to its thread. */
export interface ReplicaLink {
  readonly port: MessagePort;
  /** The shared numbers (replica-control.ts). */
  readonly control: SharedArrayBuffer;
}
