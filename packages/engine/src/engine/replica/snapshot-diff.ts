// What has changed since the reading threads were told last? Told of each index is what it then was; what differs from that
// is new. Nothing that is not published is ever told, so nothing that was told is taken back.

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

/** A message without what is each reader's own. */
export type CommonUpdate = Omit<SnapshotUpdate, 'number' | 'arenas' | 'scratch'>;

/** What changes are looked for in. */
export interface SnapshotDiffEnvironment {
  readonly memory: ArenaMemory;
  readonly log: Pick<DocumentLog, 'sharedChunks'>;
  readonly states: () => Iterable<IndexState>;
  readonly published: () => number;
  readonly settings: () => Iterable<Setting>;
}

/** A document of the settings. */
interface Setting {
  readonly kind: string;
  readonly name: string;
  readonly value: JsonValue | undefined;
}

/** What was told of an index last. */
interface PublishedIndex {
  readonly state: IndexState;
  readonly version: number;
  readonly info: IndexState['info'];
  readonly mapping: IndexState['mapping'];
  readonly visibleCommit: number;
  readonly published: number;
  readonly segments: ReadonlySet<number>;
  /** Tails with the version of the fields that were told. */
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

/** Finds what is new. */
export class SnapshotDiff {
  readonly #env: SnapshotDiffEnvironment;
  readonly #told = new Map<number, PublishedIndex>();
  readonly #chunks = new Map<number, SharedChunk>();
  readonly #tails = new WeakMap<Tail, TailIdentity>();
  readonly #toldTails = new Set<Tail>();
  readonly #numbers = new Map<Arena, number>();
  #settings: ReplicaSetting[] = [];
  #lastTail = 0;
  #published = -1;

  constructor(env: SnapshotDiffEnvironment) {
    this.#env = env;
  }

  /** A tail of `make`, whose memory waits for readers. */
  newTail(make: (memory: Memory) => Tail): Tail {
    const id = ++this.#lastTail;
    let tail: Tail | undefined;
    const memory = new DeferredFreeMemory(
      this.#env.memory,
      () => tail !== undefined && this.#toldTails.has(tail),
    );
    tail = make(memory);
    this.#tails.set(tail, { id, memory });
    return tail;
  }

  /** A setting has changed. */
  addSetting(setting: Setting): void {
    this.#settings.push(encodeSetting(setting));
  }

  /** Everything, for one who was told nothing yet. REQUIRES: the others are told in this turn what `since` says. */
  full(): CommonUpdate {
    return {
      ...NOTHING,
      published: this.#published,
      indices: [...this.#told.values()].map(({ state }) => this.#lend(state, undefined)),
      chunks: [...this.#chunks.values()],
      settings: [...this.#env.settings()].map(encodeSetting),
    };
  }

  /** Nothing new, but for the number of the message. */
  empty(): CommonUpdate {
    return { ...NOTHING, published: this.#published };
  }

  /** What has changed since this was asked last; undefined where nothing has. O(indices + chunks + what is new). */
  next(): CommonUpdate | undefined {
    const published = this.#env.published();
    const before = this.#published;
    this.#published = published;
    const present = new Set<number>();
    const indices: ReplicaIndex[] = [];
    for (const state of this.#env.states()) {
      present.add(state.number);
      const told = this.#told.get(state.number);
      if (told !== undefined && isSame(told, state, published)) continue;
      const lent = this.#lend(state, told);
      indices.push(lent);
      this.#remember(state, lent, told);
    }
    const removedIndices = [...this.#told.keys()].filter((number) => !present.has(number));
    for (const number of removedIndices) {
      this.#release(this.#told.get(number)!.tails.keys());
      this.#told.delete(number);
    }
    const settings = this.#settings;
    this.#settings = [];
    const { chunks, removedChunks } = this.#newChunks();
    const isNew = [indices, removedIndices, settings, chunks, removedChunks].some(({ length }) => length > 0);
    if (!isNew && published === before) return undefined;
    return { published, indices, removedIndices, settings, chunks, removedChunks };
  }

  /** Nobody is told any more. */
  reset(): void {
    this.#told.clear();
    this.#chunks.clear();
    this.#settings = [];
    this.#release([...this.#toldTails]);
  }

  /** What was told of an index from here on. What its tails gave up before goes when nobody reads it. */
  #remember(
    state: IndexState,
    { visibleCommit, segments, tails }: ReplicaIndex,
    before: PublishedIndex | undefined,
  ): void {
    const { info, mapping, version, number } = state;
    const fields = new Map<Tail, number>();
    for (const [i, tail] of state.tails.entries()) {
      fields.set(tail, tails[i]!.fields);
      this.#toldTails.add(tail);
      this.#tails.get(tail)!.memory.flush();
    }
    this.#told.set(number, {
      ...{ state, version, info, mapping, visibleCommit, published: this.#published, tails: fields },
      segments: new Set(segments.map((segment) => segment.number)),
    });
    this.#release([...(before?.tails.keys() ?? [])].filter((tail) => !fields.has(tail)));
  }

  /** These tails will not be told of any more. */
  #release(tails: Iterable<Tail>): void {
    for (const tail of tails) {
      this.#toldTails.delete(tail);
      this.#tails.get(tail)!.memory.flush();
    }
  }

  #lend(state: IndexState, told: PublishedIndex | undefined): ReplicaIndex {
    const { info, mapping, number } = state;
    const published = this.#published;
    const after = told?.published ?? 0;
    const visibleCommit = visibleCommitOf(state, published);
    const segments = state.segments.map(({ meta, leaf, block: { arena, ptr } }): ReplicaSegment => {
      const isKnown = told?.segments.has(meta.number) === true;
      const place = { arena, ptr, bytes: leaf.bytes.length };
      return {
        number: meta.number,
        first: isKnown ? undefined : { meta, place },
        deaths: deathsOf(leaf.deaths, isKnown ? after : 0, published),
      };
    });
    const tails = state.tails.map((tail): ReplicaTail => {
      const { id } = this.#tails.get(tail)!;
      const known = told?.tails.get(tail);
      const lent = tail.lendAt(published);
      const addresses = addressesOf(lent, (arena) => this.#numberOf(arena));
      const fields = tail.fieldsVersion;
      const specs = known === fields ? undefined : lent.fields.map(({ spec }) => spec);
      const pairs = tail.deathsIn(known === undefined ? 0 : after, published);
      const deaths =
        pairs.length === 0 ? undefined : Float64Array.from(pairs.flatMap(({ doc, commit }) => [doc, commit]));
      return { id, addresses, types: lent.documents.types, fields, specs, deaths };
    });
    const isRedefined = told === undefined || told.info !== info || told.mapping !== mapping;
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
      const told = this.#chunks.get(chunk.number);
      if (told !== undefined && told.end === chunk.end && told.isIntact === chunk.isIntact) continue;
      chunks.push(chunk);
      this.#chunks.set(chunk.number, chunk);
    }
    const removedChunks = [...this.#chunks.keys()].filter((number) => !present.has(number));
    for (const number of removedChunks) this.#chunks.delete(number);
    return { chunks, removedChunks };
  }
}

function isSame(told: PublishedIndex, state: IndexState, published: number): boolean {
  const { version, info, mapping } = state;
  const isKept = told.state === state && told.version === version && told.info === info;
  return isKept && told.mapping === mapping && told.visibleCommit === visibleCommitOf(state, published);
}

/** The commit that searches see of an index whose refreshes are held back; infinity of others. */
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
