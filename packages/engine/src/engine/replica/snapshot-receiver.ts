// Applies the updates of the writing thread on a replica, message by message: before each request, all sent
// so far, which is everything that any caller was answered; and in the background when the thread is idle.
//
//   catchUp    applied = head        enter    what `applied` shows stays until the reading ends

import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { parseJson } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';
import { NO_MAPPING_LIMITS } from '../../mapping/definition/mapping-limits.ts';
import type { Memory } from '../../memory/memory.ts';
import { openSegment } from '../../segment/segment-leaf.ts';
import { Tail } from '../../tail/tail.ts';
import { runToEnd } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import { RefreshHistory } from '../../write/leases/refresh-history.ts';
import type { SegmentEntry } from '../../write/segment-files/segment-store.ts';
import { decodeIndex, type IndexRecord, type MappingOptions } from '../indices/index-codec.ts';
import { NeedsWriterThread } from './needs-writer-thread.ts';
import { ReplicaArenas } from './replica-arenas.ts';
import { isLater, ReplicaControl } from './replica-control.ts';
import type { ReplicaLog } from './replica-log.ts';
import type {
  IndexDefinition,
  ReplicaDeaths,
  ReplicaIndex,
  ReplicaLink,
  ReplicaSegment,
  ReplicaTail,
  SnapshotUpdate,
} from './replica-messages.ts';
import { tailAt } from './tail-addresses.ts';

const encoder = new TextEncoder();
const ACCEPTED: MappingOptions = { limits: NO_MAPPING_LIMITS, isKept: true };

/** What the receiver fills. */
interface ReceiverEnvironment {
  /** Memory of this thread. */
  readonly memory: Memory;
  readonly log: ReplicaLog;
  /** All indices by name; changed in place. */
  readonly byName: Map<string, IndexState>;
  readonly setting: (kind: string, name: string, value: JsonValue | undefined) => void;
  /**
   * An update could not be applied (no memory, for example): from here on every request needs the writing
   * thread.
   */
  readonly broken: (error: unknown) => void;
}

interface ReceivedIndex {
  readonly state: IndexState;
  readonly segments: Map<number, SegmentEntry>;
  readonly tails: Map<number, { readonly tail: Tail; specs: ReplicaTail['specs'] }>;
}

/** The receiving side of a replica link. */
export class SnapshotReceiver {
  readonly #env: ReceiverEnvironment;
  readonly #port: MessagePort;
  readonly #control: ReplicaControl;
  readonly #arenas: ReplicaArenas;
  readonly #indices = new Map<number, ReceivedIndex>();
  /** Number of open readings by the update they began with, ascending. */
  readonly #open = new Map<number, number>();
  #applied = 0;
  #published = 0;
  #isBroken = false;

  /** The first message is there already: it has everything. */
  constructor({ port, control }: ReplicaLink, env: ReceiverEnvironment) {
    this.#env = env;
    this.#port = port;
    this.#control = new ReplicaControl(control);
    this.#arenas = new ReplicaArenas((wanted) => port.postMessage(wanted));
    const first = receiveMessageOnPort(port);
    if (first === undefined) throw new Error('a replica link without its first message');
    this.#apply(first.message as SnapshotUpdate);
    port.on('message', (changes: SnapshotUpdate) => this.#receive(changes));
    port.unref();
  }

  /** The newest commit that can be searched here. */
  get published(): number {
    return this.#published;
  }

  /** Calls the listener when the writing thread has ended. */
  onEnd(listener: () => void): void {
    this.#port.once('close', listener);
  }

  /** Applies all updates sent so far: whatever was acknowledged before becomes visible. */
  catchUp(): void {
    const { head } = this.#control;
    while (!this.#isBroken && isLater(head, this.#applied)) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) throw new NeedsWriterThread('knows what is newest');
      this.#receive(received.message as SnapshotUpdate);
    }
    if (this.#isBroken) throw new NeedsWriterThread('goes on');
  }

  /** Begins a reading of the current state; the returned function ends it. */
  enter(): () => void {
    const number = this.#applied;
    this.#open.set(number, (this.#open.get(number) ?? 0) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = this.#open.get(number)! - 1;
      if (left > 0) this.#open.set(number, left);
      else {
        this.#open.delete(number);
        this.#updateSafe();
      }
    };
  }

  close(): void {
    this.#port.close();
  }

  /** Applies an update. A half-applied one is never shown: the replica is broken from then on. */
  #receive(changes: SnapshotUpdate): void {
    if (this.#isBroken) return;
    try {
      this.#apply(changes);
    } catch (error) {
      this.#isBroken = true;
      this.#env.broken(error);
      this.#updateSafe();
    }
  }

  #updateSafe(): void {
    // Open readings finish; then the writing thread need not keep anything for this one.
    if (this.#isBroken) {
      if (this.#open.size === 0) this.#port.close();
      return;
    }
    let safe = this.#applied;
    for (const oldest of this.#open.keys()) {
      safe = oldest;
      break;
    }
    this.#control.safe = safe;
  }

  #apply(changes: SnapshotUpdate): void {
    const { number, published, arenas, scratch, removedIndices, indices, removedChunks, chunks, settings } =
      changes;
    for (const memory of arenas) this.#arenas.add(memory);
    for (const block of scratch) this.#arenas.addScratch(block);
    for (const chunk of chunks) this.#env.log.put(chunk);
    for (const index of removedIndices) this.#removeIndex(index);
    for (const index of indices) this.#applyIndex(index, published);
    for (const chunk of removedChunks) this.#env.log.drop(chunk);
    for (const { kind, name, value } of settings)
      this.#env.setting(kind, name, value === undefined ? undefined : parseJson(encoder.encode(value)));
    this.#published = published;
    this.#applied = number;
    this.#updateSafe();
  }

  #removeIndex(number: number): void {
    const { state, tails } = this.#indices.get(number)!;
    this.#indices.delete(number);
    const { byName } = this.#env;
    if (byName.get(state.info.name) === state) byName.delete(state.info.name);
    for (const { tail } of tails.values()) tail.release();
  }

  #applyIndex(update: ReplicaIndex, published: number): void {
    const { number, definition, visibleCommit, segments, tails } = update;
    let index = this.#indices.get(number);
    if (definition !== undefined) {
      const { record, mappings } = parseJson(encoder.encode(definition)) as IndexDefinition;
      const own = record as unknown as IndexRecord;
      const now = runToEnd(decodeIndex(number, own, mappings, published, ACCEPTED));
      if (index === undefined) {
        index = { state: now, segments: new Map(), tails: new Map() };
        this.#indices.set(number, index);
      } else {
        index.state.info = now.info;
        index.state.mapping = now.mapping;
        index.state.analysis = now.analysis;
      }
      this.#env.byName.set(index.state.info.name, index.state);
    }
    const { state } = index!;
    state.refreshes = new RefreshHistory(visibleCommit);
    this.#applySegments(index!, segments);
    this.#applyTails(index!, tails);
    state.publish(published);
  }

  #applySegments({ state, segments }: ReceivedIndex, updates: readonly ReplicaSegment[]): void {
    state.segments = updates.map((segment) => {
      const { number, first, deaths } = segment;
      let entry = segments.get(number);
      if (first !== undefined) {
        const { meta, place } = first;
        const leaf = openSegment(this.#arenas.view(place.arena, place.ptr, place.bytes));
        entry = { meta, leaf, block: this.#arenas.block(place) };
        segments.set(number, entry);
      }
      each(deaths, (doc, commit) => entry!.leaf.deaths.append(doc, commit));
      return entry!;
    });
    const present = new Set(updates.map(({ number }) => number));
    for (const number of segments.keys()) {
      if (present.has(number)) continue;
      segments.delete(number);
      state.droppedDead++;
    }
  }

  #applyTails({ state, tails }: ReceivedIndex, updates: readonly ReplicaTail[]): void {
    state.tails = updates.map(({ id, addresses, types, specs, deaths }) => {
      let known = tails.get(id);
      if (known === undefined) tails.set(id, (known = { tail: new Tail(this.#env.memory), specs }));
      known.specs = specs ?? known.specs;
      const { tail } = known;
      tail.borrow(
        tailAt(addresses, { types, specs: known.specs! }, (arena, ptr, bytes) =>
          this.#arenas.view(arena, ptr, bytes),
        ),
      );
      each(deaths, (doc, commit) => {
        const place = tail.locate(doc)!;
        place.leaf.deaths.append(place.doc, commit);
      });
      return tail;
    });
    const present = new Set(updates.map(({ id }) => id));
    for (const [id, { tail }] of tails) {
      if (present.has(id)) continue;
      tails.delete(id);
      tail.release();
      state.droppedDead++;
    }
  }
}

function each(deaths: ReplicaDeaths | undefined, take: (doc: number, commit: number) => void): void {
  if (deaths === undefined) return;
  for (let i = 0; i < deaths.length; i += 2) take(deaths[i]!, deaths[i + 1]!);
}
