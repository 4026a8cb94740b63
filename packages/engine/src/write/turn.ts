// How does long work leave room for others on the same thread? It looks at the clock now and then, and lets the event
// loop turn when its slice is over.

/** Slice of work between two turns of the event loop, in milliseconds. */
const SLICE_MS = 3;

/** Resolves in a later turn of the event loop, after waiting I/O. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A slice of time. */
export class Turn {
  #end: number = performance.now() + SLICE_MS;

  over(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + SLICE_MS;
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
