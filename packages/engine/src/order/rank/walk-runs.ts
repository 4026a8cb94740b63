// Reads the documents behind a cut, or before it: merges the runs for as many documents as the page has. The
// heads of the runs stand in a queue, and the run that gave a document moves back in it.

import type { Side } from '../compare.ts';
import { leadAt, type OrderRun, type RunCut } from './run.ts';

/** Documents that a merge looks ahead in one run. */
const AHEAD = 8;

/**
 * One document of a page: its leaf, its number there, and its score; NaN where it was not needed to find the
 * page.
 */
export interface PageDoc {
  readonly side: Side;
  readonly doc: number;
  readonly score: number;
}

/** The next `count` visible documents behind a cut, after skipping some, in list order. */
export function walkForwards(runs: readonly OrderRun[], cut: RunCut, skip: number, count: number): PageDoc[] {
  return walk(runs, cut, skip, count, 1);
}

/** The last `count` visible documents before a cut, after skipping some, in list order too. */
export function walkBackwards(
  runs: readonly OrderRun[],
  cut: RunCut,
  skip: number,
  count: number,
): PageDoc[] {
  return walk(runs, cut, skip, count, -1).reverse();
}

function picked(run: OrderRun, p: number): PageDoc {
  const { stack } = run;
  const n = run.docs[p]!;
  const part = stack.partOf(n);
  const side = stack.sides[part]!;
  return { side, doc: n - stack.bases[part]!, score: side.score };
}

function step(run: OrderRun, p: number, direction: 1 | -1): number {
  if (direction < 0) return run.view.previous(p);
  const next = run.view.next(p);
  return next < run.view.n ? next : -1;
}

/**
 * Whether the next AHEAD documents of a run come before another head, so that none of them has to be
 * compared.
 */
function isAhead(run: OrderRun, p: number, direction: 1 | -1, other: number): boolean {
  let far = p;
  for (let n = 0; n < AHEAD; n++) {
    far = step(run, direction > 0 ? far + 1 : far, direction);
    if (far < 0) return false;
  }
  return direction * (leadAt(run, far) - other) < 0;
}

/**
 * The heads of runs, the next one first: `runs[first … end)` and their leading keys, which are less for a run
 * that comes first. Reused from page to page, because it would be most of the garbage of a page.
 */
class Queue {
  runs: Int32Array = new Int32Array(32);
  keys: Float64Array = new Float64Array(32);
  /** Position by run. */
  heads: Float64Array = new Float64Array(32);
  first = 0;
  end = 0;

  /** Makes it empty, with room for the heads of so many runs. */
  clear(runs: number): void {
    if (this.runs.length < runs) {
      this.runs = new Int32Array(2 * runs);
      this.keys = new Float64Array(2 * runs);
      this.heads = new Float64Array(2 * runs);
    }
    this.first = runs;
    this.end = runs;
  }

  /** Puts a run in the first place, and moves it back to where its head belongs. Cheap for two dozen runs. */
  settle(all: readonly OrderRun[], run: number, key: number, direction: 1 | -1): void {
    const { runs, keys, end } = this;
    let k = this.first;
    for (; k + 1 < end; k++) {
      const other = keys[k + 1]!;
      if (key < other || (key === other && this.#compare(all, run, runs[k + 1]!, direction) < 0)) break;
      keys[k] = other;
      runs[k] = runs[k + 1]!;
    }
    keys[k] = key;
    runs[k] = run;
  }

  #compare(all: readonly OrderRun[], i: number, j: number, direction: 1 | -1): number {
    const a = all[i]!;
    const b = all[j]!;
    return direction * a.stack.compare(a.docs[this.heads[i]!]!, b.stack, b.docs[this.heads[j]!]!);
  }
}

const queue = new Queue();

/** Merges the heads of all runs. O(runs² + (skip + count) · runs), mostly comparisons of adjacent numbers. */
function walk(
  runs: readonly OrderRun[],
  cut: RunCut,
  skip: number,
  count: number,
  direction: 1 | -1,
): PageDoc[] {
  queue.clear(runs.length);
  const { heads } = queue;
  for (let i = 0; i < runs.length; i++) {
    const head = step(runs[i]!, cut[i]!, direction);
    if (head < 0) continue;
    heads[i] = head;
    queue.first--;
    queue.settle(runs, i, runs.length > 1 ? direction * leadAt(runs[i]!, head) : 0, direction);
  }
  const out: PageDoc[] = [];
  let toSkip = skip;
  // Documents of the first run that are known to come before all other heads.
  let sure = 0;
  // A second head that comes sooner than that: while it stays second, looking ahead again tells nothing new.
  let near = Number.NaN;
  while (queue.first < queue.end && out.length < count) {
    const i = queue.runs[queue.first]!;
    const run = runs[i]!;
    const at = heads[i]!;
    if (toSkip > 0) toSkip--;
    else out.push(picked(run, at));
    const head = step(run, direction > 0 ? at + 1 : at, direction);
    if (head < 0) {
      queue.first++;
      sure = 0;
      continue;
    }
    heads[i] = head;
    if (queue.end - queue.first < 2 || --sure >= 0) continue;
    sure = 0;
    const key = direction * leadAt(run, head);
    queue.settle(runs, i, key, direction);
    // Stored leads lie side by side; without them every key is a cache miss, and looking ahead pays.
    const other = queue.keys[queue.first + 1]!;
    const isWorth =
      run.leads === undefined && queue.runs[queue.first] === i && key !== other && other !== near;
    if (!isWorth) continue;
    if (isAhead(run, head, direction, direction * other)) sure = AHEAD;
    else near = other;
  }
  return out;
}
