// How do other threads come to see what this one has written? Whenever something was committed, or lies elsewhere, they are
// told what has changed before anybody is answered; before it answers, a reader takes in all that was told (reader.ts). So
// whatever was acknowledged is seen by every thread.
//
//   tell n      hold n: blocks that are freed and chunks that are removed from now on stay
//   reader      safe = n + 1: nobody there uses what only n shows      ->   hold n is left

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type Arena, arenaOf } from '../../memory/arena.ts';
import type { ArenaMemory } from '../../memory/arenas.ts';
import type { Block } from '../../memory/memory.ts';
import { ROOM_BYTES } from './replica-arenas.ts';
import { isLater, nextSequence, ReplicaControl } from './replica-control.ts';
import type { ArenaRange, ReplicaLink, ScratchRequest, SnapshotUpdate } from './replica-messages.ts';
import type { CommonUpdate, SnapshotDiff } from './snapshot-diff.ts';

/** What the lender stands on. */
export interface PublisherEnvironment {
  readonly memory: ArenaMemory;
  /** What has changed since it was asked last. */
  readonly diff: SnapshotDiff;
  /** Keeps chunks of the log from being removed; the returned function ends it. */
  readonly enterLog: () => () => void;
}

/** A thread that reads. */
interface Reader {
  readonly port: MessagePort;
  readonly control: ReplicaControl;
  /** By message, oldest first; the newest stays. */
  holds: { readonly number: number; readonly leave: () => void }[];
  arenas: number;
  readonly rooms: Block[];
  newRooms: ArenaRange[];
}

/** While something waits to be freed, readers that have nothing to do are told to let go of it. */
const NUDGE_MS = 100;

/** Tells reading threads. One per engine. */
export class SnapshotPublisher {
  readonly #env: PublisherEnvironment;
  readonly #readers = new Set<Reader>();
  #number = 0;
  #nudge: NodeJS.Timeout | undefined;

  constructor(env: PublisherEnvironment) {
    this.#env = env;
  }

  /** Is anybody told? */
  get hasReplicas(): boolean {
    return this.#readers.size > 0;
  }

  /** Lends everything to one more thread; ends when the other side of the port closes. */
  attach(): ReplicaLink {
    if (this.#readers.size > 0) this.publish();
    else this.#env.diff.next();
    const { port1: port, port2: theirs } = new MessageChannel();
    const control = new ReplicaControl();
    control.head = control.safe = this.#number;
    const reader: Reader = { port, control, holds: [], arenas: 0, rooms: [], newRooms: [] };
    this.#readers.add(reader);
    port.on('message', (wanted: ScratchRequest) => this.#makeRoom(reader, wanted));
    port.once('close', () => this.#end(reader));
    port.unref();
    this.#send(reader, this.#env.diff.full());
    return { port: theirs, control: control.buffer };
  }

  /** Tells what has changed. To be called before anybody is told that it has, and before what is replaced is freed. */
  publish(): void {
    if (this.#readers.size === 0) return;
    const changes = this.#env.diff.next();
    if (changes !== undefined) this.#sendAll(changes);
    else this.#leaveHolds();
    this.#nudgeLater();
  }

  close(): void {
    clearTimeout(this.#nudge);
    for (const reader of this.#readers) {
      reader.port.close();
      this.#end(reader);
    }
  }

  #sendAll(changes: CommonUpdate): void {
    this.#number = nextSequence(this.#number);
    for (const reader of this.#readers) this.#send(reader, changes);
    this.#leaveHolds();
  }

  #send(reader: Reader, changes: CommonUpdate): void {
    const { port, control } = reader;
    const { memory, enterLog } = this.#env;
    const arenas = memory.arenas.slice(reader.arenas);
    for (let at = reader.arenas; at < memory.arenas.length; at++) this.#addRoom(reader, at, ROOM_BYTES);
    reader.arenas = memory.arenas.length;
    const number = this.#number;
    const [leaveMemory, leaveLog] = [memory.beginReading(), enterLog()];
    const leave = (): void => {
      leaveMemory();
      leaveLog();
    };
    reader.holds.push({ number, leave });
    port.postMessage({ ...changes, number, arenas, scratch: reader.newRooms } satisfies SnapshotUpdate);
    reader.newRooms = [];
    control.head = number;
  }

  #leaveHolds(): void {
    for (const reader of this.#readers) {
      const { safe } = reader.control;
      const kept = reader.holds.findIndex(({ number }) => !isLater(safe, number));
      for (const { leave } of reader.holds.splice(0, kept < 0 ? reader.holds.length - 1 : kept)) leave();
    }
  }

  #nudgeLater(): void {
    if (this.#nudge !== undefined || this.#env.memory.usage().waiting === 0) return;
    this.#nudge = setTimeout(() => {
      this.#nudge = undefined;
      if (this.#readers.size === 0) return;
      this.#leaveHolds();
      // A reader that has not come to this message yet needs no other.
      if ([...this.#readers].every(({ control }) => control.safe === this.#number))
        this.#sendAll(this.#env.diff.empty());
      this.#nudgeLater();
    }, NUDGE_MS).unref();
  }

  #makeRoom(reader: Reader, { arena, bytes }: ScratchRequest): void {
    if (!this.#readers.has(reader)) return;
    this.#addRoom(reader, arena, Math.max(bytes, ROOM_BYTES));
    this.#number = nextSequence(this.#number);
    for (const each of this.#readers) this.#send(each, this.#env.diff.empty());
  }

  /** Without room there are no kernels in that arena for this reader; its answers are the same. */
  #addRoom(reader: Reader, arena: number, bytes: number): void {
    const block = faceOf(this.#env.memory, arena).alloc(bytes);
    if (block === undefined) return;
    reader.rooms.push(block);
    reader.newRooms.push({ arena, ptr: block.ptr, bytes: block.bytes });
  }

  #end(reader: Reader): void {
    if (!this.#readers.delete(reader)) return;
    for (const { leave } of reader.holds) leave();
    for (const room of reader.rooms) this.#env.memory.free(room);
    if (this.#readers.size === 0) this.#env.diff.reset();
  }
}

function faceOf({ arenas }: ArenaMemory, number: number): Arena {
  return arenaOf(arenas[number]!.buffer)!;
}
