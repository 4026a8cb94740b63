// Finds what has changed since the last update to replicas, by comparing each index with what was last
// published of it. Only published commits are sent, so nothing sent is ever rolled back.

import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { SharedChunk } from '../../log/chunk/chunk.ts';
import type { DocumentLog } from '../../log/log.ts';
import { type Arena, arenaOf } from '../../memory/arena.ts';
import type { ArenaMemory } from '../../memory/arenas.ts';
import type { Memory } from '../../memory/memory.ts';
import type { DeathLog } from '../../segment/leaf.ts';
import type { Tail } from '../../tail/tail.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import { encodeIndex } from '../indices/index-codec.ts';
import { DeferredFreeMemory } from './deferred-free-memory.ts';
import type {
  IndexDefinition,
  ReplicaDeaths,
  ReplicaIndex,
  ReplicaSegment,
  ReplicaSetting,
  ReplicaTail,
  SnapshotUpdate,
} from './replica-messages.ts';
import { addressesOf } from './tail-addresses.ts';

/** The part of an update that is the same for all replicas. */
export type CommonUpdate = Omit<SnapshotUpdate, 'number' | 'arenas' | 'scratch'>;

/** What the diff reads. */
interface SnapshotDiffEnvironment {
  readonly memory: ArenaMemory;
  readonly log: Pick<DocumentLog, 'sharedChunks'>;
  readonly states: () => Iterable<IndexState>;
  readonly published: () => number;
  readonly settings: () => Iterable<Setting>;
}

/** A settings document. */
interface Setting {
  readonly kind: string;
  readonly name: string;
  readonly value: JsonValue | undefined;
}

/** What was last published of an index. */
interface PublishedIndex {
  readonly state: IndexState;
  readonly version: number;
  readonly info: IndexState['info'];
  readonly mapping: IndexState['mapping'];
  readonly visibleCommit: number;
  readonly published: number;
  readonly segments: ReadonlySet<number>;
  /** Tails with the version of the fields that was sent. */
  readonly tails: ReadonlyMap<Tail, number>;
}

interface TailIdentity {
  readonly id: number;
  readonly memory: DeferredFreeMemory;
}

const NOTHING: Pick<CommonUpdate, 'removedIndices' | 'indices' | 'removedChunks' | 'chunks' | 'settings'> = {
  removedIndices: [],
  indices: [],
  removedChunks: [],
  chunks: [],
  settings: [],
};

/** Computes updates. */
export class SnapshotDiff {
  readonly #env: SnapshotDiffEnvironment;
  readonly #lastPublished = new Map<number, PublishedIndex>();
  readonly #chunks = new Map<number, SharedChunk>();
  readonly #tails = new WeakMap<Tail, TailIdentity>();
  readonly #publishedTails = new Set<Tail>();
  readonly #numbers = new Map<Arena, number>();
  #settings: ReplicaSetting[] = [];
  #lastTail = 0;
  #published = -1;

  constructor(env: SnapshotDiffEnvironment) {
    this.#env = env;
  }

  /** A tail made by `make`, with deferred frees. */
  newTail(make: (memory: Memory) => Tail): Tail {
    const id = ++this.#lastTail;
    let tail: Tail | undefined;
    const memory = new DeferredFreeMemory(
      this.#env.memory,
      () => tail !== undefined && this.#publishedTails.has(tail),
    );
    tail = make(memory);
    this.#tails.set(tail, { id, memory });
    return tail;
  }

  /** Notes a change of a settings document. */
  addSetting(setting: Setting): void {
    this.#settings.push(encodeSetting(setting));
  }

  /** Everything, for a new replica. REQUIRES: the others are sent `next` in the same turn. */
  full(): CommonUpdate {
    return {
      ...NOTHING,
      published: this.#published,
      indices: [...this.#lastPublished.values()].map(({ state }) => this.#encode(state, undefined)),
      chunks: [...this.#chunks.values()],
      settings: [...this.#env.settings()].map(encodeSetting),
    };
  }

  /** An update without changes. */
  empty(): CommonUpdate {
    return { ...NOTHING, published: this.#published };
  }

  /** What has changed since the last call; undefined if nothing has. O(indices + chunks + changes). */
  next(): CommonUpdate | undefined {
    const published = this.#env.published();
    const publishedBefore = this.#published;
    this.#published = published;
    const present = new Set<number>();
    const indices: ReplicaIndex[] = [];
    for (const state of this.#env.states()) {
      present.add(state.number);
      const before = this.#lastPublished.get(state.number);
      if (before !== undefined && isSame(before, state, published)) continue;
      const update = this.#encode(state, before);
      indices.push(update);
      this.#remember(state, update, before);
    }
    const removedIndices = [...this.#lastPublished.keys()].filter((number) => !present.has(number));
    for (const number of removedIndices) {
      this.#release(this.#lastPublished.get(number)!.tails.keys());
      this.#lastPublished.delete(number);
    }
    const settings = this.#settings;
    this.#settings = [];
    const { chunks, removedChunks } = this.#newChunks();
    const isNew = [indices, removedIndices, settings, chunks, removedChunks].some(({ length }) => length > 0);
    if (!isNew && published === publishedBefore) return undefined;
    return { published, indices, removedIndices, settings, chunks, removedChunks };
  }

  /** The last replica has gone. */
  reset(): void {
    this.#lastPublished.clear();
    this.#chunks.clear();
    this.#settings = [];
    this.#release([...this.#publishedTails]);
  }

  /** Remembers what was published of an index, and lets its tails free what they gave up before. */
  #remember(
    state: IndexState,
    { visibleCommit, segments, tails }: ReplicaIndex,
    before: PublishedIndex | undefined,
  ): void {
    const { info, mapping, version, number } = state;
    const fields = new Map<Tail, number>();
    for (const [i, tail] of state.tails.entries()) {
      fields.set(tail, tails[i]!.fields);
      this.#publishedTails.add(tail);
      this.#tails.get(tail)!.memory.flush();
    }
    this.#lastPublished.set(number, {
      ...{ state, version, info, mapping, visibleCommit, published: this.#published, tails: fields },
      segments: new Set(segments.map((segment) => segment.number)),
    });
    this.#release([...(before?.tails.keys() ?? [])].filter((tail) => !fields.has(tail)));
  }

  /** These tails will not be published again. */
  #release(tails: Iterable<Tail>): void {
    for (const tail of tails) {
      this.#publishedTails.delete(tail);
      this.#tails.get(tail)!.memory.flush();
    }
  }

  #encode(state: IndexState, before: PublishedIndex | undefined): ReplicaIndex {
    const { info, mapping, number } = state;
    const published = this.#published;
    const after = before?.published ?? 0;
    const visibleCommit = visibleCommitOf(state, published);
    const segments = state.segments.map(({ meta, leaf, block: { arena, ptr } }): ReplicaSegment => {
      const isKnown = before?.segments.has(meta.number) === true;
      const place = { arena, ptr, bytes: leaf.bytes.length };
      return {
        number: meta.number,
        first: isKnown ? undefined : { meta, place },
        deaths: deathsOf(leaf.deaths, isKnown ? after : 0, published),
      };
    });
    const tails = state.tails.map((tail): ReplicaTail => {
      const { id } = this.#tails.get(tail)!;
      const known = before?.tails.get(tail);
      const shared = tail.lendAt(published);
      const addresses = addressesOf(shared, (arena) => this.#numberOf(arena));
      const fields = tail.fieldsVersion;
      const specs = known === fields ? undefined : shared.fields.map(({ spec }) => spec);
      const pairs = tail.deathsIn(known === undefined ? 0 : after, published);
      const deaths =
        pairs.length === 0 ? undefined : Float64Array.from(pairs.flatMap(({ doc, commit }) => [doc, commit]));
      return { id, addresses, types: shared.documents.types, fields, specs, deaths };
    });
    const isRedefined = before === undefined || before.info !== info || before.mapping !== mapping;
    const definition = isRedefined
      ? stringifyJson({ record: encodeIndex(info), mappings: mapping.toJson() } satisfies IndexDefinition)
      : undefined;
    return { number, definition, visibleCommit, segments, tails };
  }

  #numberOf(arena: Arena): number {
    let number = this.#numbers.get(arena);
    if (number === undefined) {
      number = this.#env.memory.arenas.findIndex(({ buffer }) => arenaOf(buffer) === arena);
      this.#numbers.set(arena, number);
    }
    return number;
  }

  #newChunks(): Pick<SnapshotUpdate, 'chunks' | 'removedChunks'> {
    const chunks: SharedChunk[] = [];
    const present = new Set<number>();
    for (const chunk of this.#env.log.sharedChunks()) {
      present.add(chunk.number);
      const before = this.#chunks.get(chunk.number);
      if (before !== undefined && before.end === chunk.end && before.isIntact === chunk.isIntact) continue;
      chunks.push(chunk);
      this.#chunks.set(chunk.number, chunk);
    }
    const removedChunks = [...this.#chunks.keys()].filter((number) => !present.has(number));
    for (const number of removedChunks) this.#chunks.delete(number);
    return { chunks, removedChunks };
  }
}

function isSame(before: PublishedIndex, state: IndexState, published: number): boolean {
  const { version, info, mapping } = state;
  const isUnchanged = before.state === state && before.version === version && before.info === info;
  return (
    isUnchanged && before.mapping === mapping && before.visibleCommit === visibleCommitOf(state, published)
  );
}

/** The commit that searches of a manually refreshed index see; infinity for others. */
function visibleCommitOf({ refreshes }: IndexState, published: number): number {
  return refreshes.isManual ? refreshes.visibleCommit(published) : Number.POSITIVE_INFINITY;
}

function deathsOf(deaths: DeathLog, after: number, upTo: number): ReplicaDeaths | undefined {
  const from = deaths.countAt(after);
  const count = deaths.countAt(upTo) - from;
  if (count === 0) return undefined;
  const pairs = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    pairs[i * 2] = deaths.doc(from + i);
    pairs[i * 2 + 1] = deaths.commit(from + i);
  }
  return pairs;
}

function encodeSetting({ kind, name, value }: Setting): ReplicaSetting {
  return { kind, name, value: value === undefined ? undefined : stringifyJson(value) };
}
