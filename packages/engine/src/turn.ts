// Cooperative scheduling of long work on the serving thread. Work checks the clock (`Turn.isOver`) and
// yields when its slice is used up. All long work shares one slice per turn of the event loop and one
// queue, so a request waits for at most one slice, however much work is queued:
//   2 ms without searches; 0.25 ms while searches run; 0.06 ms while searches run and at most one write is under way
// Searches do not queue here. While there are searches, queued work waits for one more turn of the loop (3 to
// 5 µs), so that requests which have arrived meanwhile are read first: an immediate scheduled by an I/O
// callback would run before the system is polled again. Publishing a commit, answering a bulk and reading a
// large request yield the same way (`Turn.nextIfSearching`).

import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Long work as a generator that yields every few tens or hundreds of microseconds, so that the caller can look at the clock. */
export type Steps<T> = Generator<void, T, undefined>;

/** Slice of work between two turns of the event loop, in milliseconds. */
export const SLICE_MS = 2;
/**
 * The slice while there are searches and several writes: a turn of the loop costs a fiftieth of it (3 to 5
 * µs).
 */
const BUSY_MS = 0.25;
/** The slice while there are searches and at most one write: no other write waits for it. */
const SINGLE_WRITE_MS = 0.06;
/** A thread counts as searching for so long after its last search. */
const RECENT_MS = 100;

interface Waiting {
  readonly run: () => void;
  readonly keepsAlive: boolean;
}

const queue: Waiting[] = [];
let scheduled: NodeJS.Immediate | undefined;
let searches = 0;
let lastSearch = Number.NEGATIVE_INFINITY;
let writes = 0;

/** Time of the last search of this thread, shared with the threads that work for it: see `isSearchingAt`. */
export const lastSearchClock: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4));

/** Resolves in a later turn of the event loop, after waiting I/O. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Queues a callback. One callback runs per turn of the event loop. With `keepsAlive` false it does not keep
 * the process alive.
 */
export function enqueueTurn(run: () => void, keepsAlive: boolean = true): void {
  queue.push({ run, keepsAlive });
  if (scheduled === undefined) schedule();
  else if (keepsAlive) scheduled.ref();
}

/** The length of a slice at the moment, in milliseconds. */
export function sliceMs(): number {
  if (!isSearching()) return SLICE_MS;
  return writes > 1 ? BUSY_MS : SINGLE_WRITE_MS;
}

/** Whether this thread is searching, or has searched in the last 100 ms. */
export function isSearching(): boolean {
  return searches > 0 || performance.now() - lastSearch < RECENT_MS;
}

/** A search begins; it ends when the returned function is called, once. */
export function beginSearch(): () => void {
  searches++;
  noteSearch();
  return () => {
    searches--;
    noteSearch();
  };
}

/** A write begins; it ends with `endWrite`. */
export function beginWrite(): void {
  writes++;
}

/** A write ends: it has been answered. */
export function endWrite(): void {
  writes--;
}

/** Notes a search that is finished in one slice. */
export function noteSearch(): void {
  lastSearch = performance.now();
  Atomics.store(lastSearchClock, 0, clock());
}

/** Whether the thread that owns this `lastSearchClock` has searched in the last 100 ms. */
export function isSearchingAt(read: Int32Array): boolean {
  const since = clock() - Atomics.load(read, 0);
  return since >= 0 && since < RECENT_MS;
}

/** Milliseconds, the same in all threads, in 31 bits; never 0. */
function clock(): number {
  return (Date.now() % 0x7fff_ffff) + 1;
}

/** Lets requests that have arrived go first while there are searches: see the head of this file. */
function schedule(): void {
  if (isServing || !isSearching()) soon(serve, served);
  else soon(() => soon(serve, served));
}

function soon(run: () => void, then?: () => void): void {
  scheduled = setImmediate(run);
  // In the same phase of the loop as `run`, behind the continuations that `run` has resolved.
  if (then !== undefined) setImmediate(then).unref();
  if (queue.some(({ keepsAlive }) => keepsAlive)) return;
  scheduled.unref();
  wake();
}

let waking: MessagePort | undefined;

/** Wakes the event loop: an unreferenced immediate alone does not. */
function wake(): void {
  if (waking === undefined) {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => {});
    port2.unref();
    waking = port1;
  }
  waking.postMessage(undefined);
}

/** True while a queued callback and its continuations run. */
let isServing = false;

function served(): void {
  isServing = false;
}

function serve(): void {
  isServing = true;
  scheduled = undefined;
  const first = queue.shift()!;
  if (queue.length > 0) schedule();
  begin();
  first.run();
}

/** The slice of this turn of the event loop: its end, and its number; 0 before it begins. */
let sliceEnd = 0;
let slice = 0;
let slices = 0;

function begin(): void {
  const own = ++slices;
  slice = own;
  sliceEnd = performance.now() + sliceMs();
  // Work that starts in the same turn has already waited for this slice: it shares it.
  setImmediate(() => {
    if (slice === own) slice = 0;
  });
}

/** Work in slices. All work of one turn shares one slice: several in a row would be one long slice. */
export class Turn {
  /** True when the slice is used up. The first call of a turn begins the slice. */
  isOver(): boolean {
    if (slice === 0) begin();
    return performance.now() >= sliceEnd;
  }

  /** Waits for the next turn while there are searches; undefined without them. */
  nextIfSearching(): Promise<void> | undefined {
    return isSearching() ? this.next() : undefined;
  }

  /** Resolves in a later turn, with a new slice. */
  next(): Promise<void> {
    return new Promise((resolve) => enqueueTurn(resolve));
  }
}

/** Runs a generator to its end in slices; `stopped` ends it early (undefined is returned then). */
export async function runSliced<T>(
  work: Generator<unknown, T>,
  stopped: () => boolean = () => false,
): Promise<T | undefined> {
  const turn = new Turn();
  for (;;) {
    if (stopped()) {
      // Runs the generator's `finally` blocks.
      work.return(undefined as never);
      return undefined;
    }
    const step = work.next();
    if (step.done) return step.value;
    if (turn.isOver()) await turn.next();
  }
}

/** Runs a generator: in this call where it ends within a slice, else it goes on in slices of later turns. */
export function startSliced<T>(work: Generator<unknown, T, undefined>): T | Promise<T> {
  const turn = new Turn();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (turn.isOver()) return turn.next().then(() => runSliced(work) as Promise<T>);
  }
}

/** Runs steps to their end at once, for work that is short. */
export function runToEnd<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
