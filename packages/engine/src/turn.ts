// How does long work leave room for others on the same thread? It looks at the clock now and then, and lets the event
// loop turn when the slice is over. There is one slice a turn, for all such work together, and one line to wait in:
// however much of it there is, a request that comes in waits for one slice, and for a much shorter one while there are
// searches.

import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Slice of work between two turns of the event loop, in milliseconds. */
const SLICE_MS = 2;
/** The same while somebody searches and writes wait for each other: a turn of the loop costs a fiftieth of it (3 to 5 µs). */
const BESIDE_MS = 0.25;
/** While somebody searches and at most one write is under way: it has time, since none waits behind it. */
const UNHURRIED_MS = 0.06;
/** Whoever has searched a moment ago will search again. */
const MOMENT_MS = 100;

interface Waiting {
  readonly run: () => void;
  readonly keepsAlive: boolean;
}

const line: Waiting[] = [];
let scheduled: NodeJS.Immediate | undefined;
let searches = 0;
let lastSearch = Number.NEGATIVE_INFINITY;
let writes = 0;

/** When somebody searched last, for threads that work for this one: see `isReadAt`. */
export const lastRead: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4));

/** Resolves in a later turn of the event loop, after waiting I/O. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Calls back in a turn of the event loop in which nothing else of the line runs; one that does not keep the process alive waits with it. */
export function standInLine(run: () => void, keepsAlive: boolean = true): void {
  line.push({ run, keepsAlive });
  if (scheduled === undefined) schedule();
  else if (keepsAlive) scheduled.ref();
}

/** How long a slice may be now, in milliseconds. */
export function sliceMs(): number {
  if (!isRead()) return SLICE_MS;
  return writes > 1 ? BESIDE_MS : UNHURRIED_MS;
}

/** Whether this thread searches, or has a moment ago. */
export function isRead(): boolean {
  return searches > 0 || performance.now() - lastSearch < MOMENT_MS;
}

/** A search is under way until the returned function is called, once. */
export function searching(): () => void {
  searches++;
  reading();
  return () => {
    searches--;
    reading();
  };
}

/** A write is under way until `written` is called. */
export function writing(): void {
  writes++;
}

/** A write is answered. */
export function written(): void {
  writes--;
}

/** There is a search, done at once. */
export function reading(): void {
  lastSearch = performance.now();
  Atomics.store(lastRead, 0, clock());
}

/** Whether the thread whose `lastRead` this is has searched a moment ago. */
export function isReadAt(read: Int32Array): boolean {
  const since = clock() - Atomics.load(read, 0);
  return since >= 0 && since < MOMENT_MS;
}

/** Milliseconds on which all threads agree, in 31 bits; never 0. */
function clock(): number {
  return (Date.now() % 0x7fff_ffff) + 1;
}

/**
 * An immediate that is asked for where something has come in runs before the system is asked again what has. While there are
 * searches those go first: one more turn of the event loop, which is 3 to 5 µs where nothing has come.
 */
function schedule(): void {
  if (isServing || !isRead()) soon(serve, served);
  else soon(() => soon(serve, served));
}

function soon(run: () => void, then?: () => void): void {
  scheduled = setImmediate(run);
  // In the same phase of the loop as the first, behind all that waited for it.
  if (then !== undefined) setImmediate(then).unref();
  if (line.some(({ keepsAlive }) => keepsAlive)) return;
  scheduled.unref();
  wake();
}

let waking: MessagePort | undefined;

/** Lets the event loop turn, which it would not for an immediate alone that does not keep the process alive. */
function wake(): void {
  if (waking === undefined) {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => {});
    port2.unref();
    waking = port1;
  }
  waking.postMessage(undefined);
}

/** True while one of the line runs, and what waited for it. */
let isServing = false;

function served(): void {
  isServing = false;
}

function serve(): void {
  isServing = true;
  scheduled = undefined;
  const first = line.shift()!;
  if (line.length > 0) schedule();
  begin();
  first.run();
}

/** The slice of this turn of the event loop: when it ends, and its number; 0 where none has begun. */
let sliceEnd = 0;
let slice = 0;
let slices = 0;

function begin(): void {
  const own = ++slices;
  slice = own;
  sliceEnd = performance.now() + sliceMs();
  // What comes in before that has waited for this slice already.
  setImmediate(() => {
    if (slice === own) slice = 0;
  });
}

/** Work in slices. Whatever else works in the same turn shares its slice: one after the other would be a long one. */
export class Turn {
  /** True when the slice is over, which begins with the first question. */
  over(): boolean {
    if (slice === 0) begin();
    return performance.now() >= sliceEnd;
  }

  /** What waits behind a slice of work while somebody searches; undefined where nobody does. */
  apart(): Promise<void> | undefined {
    return isRead() ? this.next() : undefined;
  }

  /** Resolves in a turn of its own, with a new slice. */
  next(): Promise<void> {
    return new Promise((resolve) => standInLine(resolve));
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
      // Its `finally` must run.
      work.return(undefined as never);
      return undefined;
    }
    const step = work.next();
    if (step.done) return step.value;
    if (turn.over()) await turn.next();
  }
}

/** Runs steps to their end at once, for work that is short. */
export function runToEnd<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
