// Publishes snapshots to replicas. After every commit, and whenever leaves move, replicas are sent what has
// changed before any caller is answered; before a replica answers, it applies all updates sent so far. So
// every thread sees whatever was acknowledged.
//
//   publish n   hold n: blocks freed and chunks removed from now on stay
//   replica     safe = n + 1: nothing there reads what only n shows      ->   hold n is released

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type Arena, arenaOf } from '../../memory/arena.ts';
import type { ArenaMemory } from '../../memory/arenas.ts';
import type { Block } from '../../memory/memory.ts';
import { SCRATCH_BYTES } from './replica-arenas.ts';
import { isLater, nextSequence, ReplicaControl } from './replica-control.ts';
import type { ArenaRange, ReplicaLink, ScratchRequest, SnapshotUpdate } from './replica-messages.ts';
import type { CommonUpdate, SnapshotDiff } from './snapshot-diff.ts';

/** What the publisher needs. */
interface PublisherEnvironment {
  readonly memory: ArenaMemory;
  /** Finds what has changed since the last update. */
  readonly diff: SnapshotDiff;
  /** Keeps chunks of the log from being removed until the returned function is called. */
  readonly enterLog: () => () => void;
}

/** A replica. */
interface Replica {
  readonly port: MessagePort;
  readonly control: ReplicaControl;
  /** Holds by message, oldest first; the newest stays. */
  holds: { readonly number: number; readonly leave: () => void }[];
  arenas: number;
  readonly scratch: Block[];
  newScratch: ArenaRange[];
}

/**
 * While memory waits to be freed, idle replicas are sent empty updates at this interval so that they release
 * it.
 */
const NUDGE_MS = 100;

/** The publisher of an engine. */
export class SnapshotPublisher {
  readonly #env: PublisherEnvironment;
  readonly #replicas = new Set<Replica>();
  #number = 0;
  #nudge: NodeJS.Timeout | undefined;

  constructor(env: PublisherEnvironment) {
    this.#env = env;
  }

  /** Whether any replica is attached. */
  get hasReplicas(): boolean {
    return this.#replicas.size > 0;
  }

  /** Attaches one more replica, until the other side of the port closes. */
  attach(): ReplicaLink {
    if (this.#replicas.size > 0) this.publish();
    else this.#env.diff.next();
    const { port1: port, port2: theirs } = new MessageChannel();
    const control = new ReplicaControl();
    control.head = control.safe = this.#number;
    const replica: Replica = { port, control, holds: [], arenas: 0, scratch: [], newScratch: [] };
    this.#replicas.add(replica);
    port.on('message', (request: ScratchRequest) => this.#addScratchFor(replica, request));
    port.once('close', () => this.#end(replica));
    port.unref();
    this.#send(replica, this.#env.diff.full());
    return { port: theirs, control: control.buffer };
  }

  /**
   * Sends what has changed. To be called before callers are answered, and before replaced memory is freed.
   */
  publish(): void {
    if (this.#replicas.size === 0) return;
    const changes = this.#env.diff.next();
    if (changes !== undefined) this.#sendAll(changes);
    else this.#releaseHolds();
    this.#nudgeLater();
  }

  close(): void {
    clearTimeout(this.#nudge);
    for (const replica of this.#replicas) {
      replica.port.close();
      this.#end(replica);
    }
  }

  #sendAll(changes: CommonUpdate): void {
    this.#number = nextSequence(this.#number);
    for (const replica of this.#replicas) this.#send(replica, changes);
    this.#releaseHolds();
  }

  #send(replica: Replica, changes: CommonUpdate): void {
    const { port, control } = replica;
    const { memory, enterLog } = this.#env;
    const arenas = memory.arenas.slice(replica.arenas);
    for (let at = replica.arenas; at < memory.arenas.length; at++)
      this.#addScratch(replica, at, SCRATCH_BYTES);
    replica.arenas = memory.arenas.length;
    const number = this.#number;
    const [leaveMemory, leaveLog] = [memory.beginReading(), enterLog()];
    const leave = (): void => {
      leaveMemory();
      leaveLog();
    };
    replica.holds.push({ number, leave });
    port.postMessage({ ...changes, number, arenas, scratch: replica.newScratch } satisfies SnapshotUpdate);
    replica.newScratch = [];
    control.head = number;
  }

  #releaseHolds(): void {
    for (const replica of this.#replicas) {
      const { safe } = replica.control;
      const kept = replica.holds.findIndex(({ number }) => !isLater(safe, number));
      for (const { leave } of replica.holds.splice(0, kept < 0 ? replica.holds.length - 1 : kept)) leave();
    }
  }

  #nudgeLater(): void {
    if (this.#nudge !== undefined || this.#env.memory.usage().waiting === 0) return;
    this.#nudge = setTimeout(() => {
      this.#nudge = undefined;
      if (this.#replicas.size === 0) return;
      this.#releaseHolds();
      // A replica that has not applied the last update needs no further one.
      if ([...this.#replicas].every(({ control }) => control.safe === this.#number))
        this.#sendAll(this.#env.diff.empty());
      this.#nudgeLater();
    }, NUDGE_MS).unref();
  }

  #addScratchFor(replica: Replica, { arena, bytes }: ScratchRequest): void {
    if (!this.#replicas.has(replica)) return;
    this.#addScratch(replica, arena, Math.max(bytes, SCRATCH_BYTES));
    this.#number = nextSequence(this.#number);
    for (const each of this.#replicas) this.#send(each, this.#env.diff.empty());
  }

  /** Without scratch this replica uses no kernels in that arena; its answers are the same. */
  #addScratch(replica: Replica, arena: number, bytes: number): void {
    const block = arenaAt(this.#env.memory, arena).alloc(bytes);
    if (block === undefined) return;
    replica.scratch.push(block);
    replica.newScratch.push({ arena, ptr: block.ptr, bytes: block.bytes });
  }

  #end(replica: Replica): void {
    if (!this.#replicas.delete(replica)) return;
    for (const { leave } of replica.holds) leave();
    for (const block of replica.scratch) this.#env.memory.free(block);
    if (this.#replicas.size === 0) this.#env.diff.reset();
  }
}

function arenaAt({ arenas }: ArenaMemory, number: number): Arena {
  return arenaOf(arenas[number]!.buffer)!;
}
