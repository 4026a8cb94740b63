// Which documents are on this page, when each leaf is in order by itself? By rank: all runs are narrowed at once
// around a pivot from the widest one, interpolated, every third step bisecting, until few documents are left. By
// cursor: one binary search per run. Then the runs are merged, forwards or backwards, for as long as the page is.
// (Frederickson and Johnson, 1982, select in sorted runs with weights; interpolation as in Perl and Reingold, 1977.)

import { type Cursor, compareToCursor, type Side } from './compare.ts';
import type { RankView } from './rank.ts';
import type { Stack } from './stack.ts';

/** Leaves in one order: document `docs[p]` of the stack at position p, of which the view says what is visible. */
export interface Run {
  readonly stack: Stack;
  readonly docs: Uint32Array;
  readonly view: RankView;
  /** `stack.lead` by position, where it is kept. */
  readonly leads?: Float64Array | undefined;
}

/** Positions in all runs at once: everything before them comes first in the merged order. */
export type Cut = number[];

const CLOSE = 24;
const NARROW = 48;
/** So far a merge looks ahead in one run. */
const AHEAD = 8;

/** Visible documents of all runs. */
export function totalOf(runs: readonly Run[]): number {
  let total = 0;
  for (const run of runs) total += run.view.total;
  return total;
}

/** Visible documents before a cut. */
export function rankOf(runs: readonly Run[], cut: Cut): number {
  let rank = 0;
  for (let i = 0; i < runs.length; i++) rank += runs[i]!.view.count(cut[i]!);
  return rank;
}

function leadAt({ leads, stack, docs }: Run, p: number): number {
  return leads === undefined ? stack.lead(docs[p]!) : leads[p]!;
}

/** First position in [low, high) of a run whose document does not come before the pivot, galloping from a guess. */
function locate(
  run: Run,
  low: number,
  high: number,
  guess: number,
  pivot: Run,
  pivotDoc: number,
  pivotLead: number,
): number {
  if (low >= high) return low;
  const g = Math.min(Math.max(guess, low), high - 1);
  const { leads } = run;
  if (leads === undefined) {
    return firstAt(low, high, g, (p) => {
      const lead = leadAt(run, p);
      return lead === pivotLead
        ? run.stack.compare(run.docs[p]!, pivot.stack, pivotDoc) < 0
        : lead < pivotLead;
    });
  }
  // Documents that tie lie side by side: they are found by their numbers alone, and only they are compared.
  const from = firstLead(leads, low, high, g, pivotLead, false);
  if (from === high || leads[from] !== pivotLead) return from;
  const to = firstLead(leads, from, high, from, pivotLead, true);
  return firstAt(
    from,
    to,
    (from + to) >>> 1,
    (p) => run.stack.compare(run.docs[p]!, pivot.stack, pivotDoc) < 0,
  );
}

/** First position in [low, high) whose lead is not less than x, or with `past` is more, galloping from g. */
function firstLead(
  leads: Float64Array,
  low: number,
  high: number,
  g: number,
  x: number,
  past: boolean,
): number {
  let l = low;
  let h = high;
  let step = 8;
  if (past ? leads[g]! <= x : leads[g]! < x) {
    l = g + 1;
    while (l + step < h && (past ? leads[l + step]! <= x : leads[l + step]! < x)) {
      l += step + 1;
      step <<= 2;
    }
    if (l + step < h) h = l + step;
  } else {
    h = g;
    while (h - step >= l && !(past ? leads[h - step]! <= x : leads[h - step]! < x)) {
      h -= step;
      step <<= 2;
    }
    if (h - step >= l) l = h - step + 1;
  }
  while (l < h) {
    const mid = (l + h) >>> 1;
    if (past ? leads[mid]! <= x : leads[mid]! < x) l = mid + 1;
    else h = mid;
  }
  return l;
}

/** First position in [low, high) that is not before what is looked for, galloping from g. */
function firstAt(low: number, high: number, g: number, before: (p: number) => boolean): number {
  let l = low;
  let h = high;
  let step = 8;
  if (before(g)) {
    l = g + 1;
    while (l + step < h && before(l + step)) {
      l += step + 1;
      step <<= 2;
    }
    if (l + step < h) h = l + step;
  } else {
    h = g;
    while (h - step >= l && !before(h - step)) {
      h -= step;
      step <<= 2;
    }
    if (h - step >= l) l = h - step + 1;
  }
  while (l < h) {
    const mid = (l + h) >>> 1;
    if (before(mid)) l = mid + 1;
    else h = mid;
  }
  return l;
}

/** A cut at or shortly before the visible document of the given rank; `skip` says how many lie between. O(log² n). */
export function cutAtRank(runs: readonly Run[], rank: number): { cut: Cut; skip: number } {
  const low: Cut = runs.map(() => 0);
  const high: Cut = runs.map((r) => r.docs.length);
  let before = 0;
  let upTo = totalOf(runs);
  if (rank >= upTo) return { cut: high, skip: 0 };
  const at: Cut = low.slice();
  for (let turn = 0; ; turn++) {
    let widest = 0;
    let width = 0;
    let left = 0;
    for (let i = 0; i < runs.length; i++) {
      const w = high[i]! - low[i]!;
      left += w;
      if (w > width) {
        width = w;
        widest = i;
      }
    }
    if (left <= NARROW || width <= 1 || upTo - before <= CLOSE) break;
    let fraction = 0.5;
    if (turn % 3 !== 2) {
      const margin = 1.2 / Math.sqrt(left);
      fraction = (rank - before) / (upTo - before);
      fraction += fraction < 0.5 ? margin : -margin;
    }
    const run = runs[widest]!;
    const from = low[widest]!;
    const pivot = Math.min(Math.max(from + Math.floor(width * fraction), from + 1), from + width - 1);
    const doc = run.docs[pivot]!;
    // Its keys are far away in memory: they are not looked at where nothing is left to be compared with them.
    const lead = left > width ? leadAt(run, pivot) : 0;
    let count = 0;
    for (let i = 0; i < runs.length; i++) {
      const span = high[i]! - low[i]!;
      const guess = low[i]! + Math.floor((span * (pivot - from)) / width);
      at[i] = i === widest ? pivot : locate(runs[i]!, low[i]!, high[i]!, guess, run, doc, lead);
      count += runs[i]!.view.count(at[i]!);
    }
    if (count <= rank) {
      for (let i = 0; i < runs.length; i++) low[i] = at[i]!;
      before = count;
    } else {
      for (let i = 0; i < runs.length; i++) high[i] = at[i]!;
      upTo = count;
    }
  }
  return { cut: low, skip: rank - before };
}

/**
 * The cut at a cursor. `past` says on which side of it documents that tie with the cursor are: true puts them before
 * the cut (a walk forwards goes on behind them), false after it (a walk backwards ends before them). O(runs · log n).
 */
export function cutAtCursor(runs: readonly Run[], cursor: Cursor, past: boolean): Cut {
  return runs.map((run) => {
    let low = 0;
    let high = run.docs.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      const c = compareRunToCursor(run, mid, cursor);
      if (past ? c <= 0 : c < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  });
}

function compareRunToCursor({ stack, docs }: Run, p: number, cursor: Cursor): number {
  const n = docs[p]!;
  const part = stack.partOf(n);
  const side = stack.sides[part]!;
  return compareToCursor(side, n - stack.bases[part]!, side.score, cursor);
}

/** One document of a page: the leaf it is in, its number there, and its score. */
export interface Picked {
  readonly side: Side;
  readonly doc: number;
  readonly score: number;
}

/** The next `count` visible documents behind a cut, after skipping some; in order. */
export function walkForwards(runs: readonly Run[], cut: Cut, skip: number, count: number): Picked[] {
  return walk(runs, cut, skip, count, 1);
}

/** The last `count` visible documents before a cut, after skipping some; still in list order. */
export function walkBackwards(runs: readonly Run[], cut: Cut, skip: number, count: number): Picked[] {
  return walk(runs, cut, skip, count, -1).reverse();
}

function picked({ stack, docs }: Run, p: number): Picked {
  const n = docs[p]!;
  const part = stack.partOf(n);
  const side = stack.sides[part]!;
  return { side, doc: n - stack.bases[part]!, score: side.score };
}

function step(run: Run, p: number, direction: 1 | -1): number {
  if (direction < 0) return run.view.previous(p);
  const next = run.view.next(p);
  return next < run.view.n ? next : -1;
}

/** Whether the next AHEAD documents of a run come before another head: then none of them has to be compared. */
function isAhead(run: Run, p: number, direction: 1 | -1, other: number): boolean {
  let far = p;
  for (let n = 0; n < AHEAD; n++) {
    far = step(run, direction > 0 ? far + 1 : far, direction);
    if (far < 0) return false;
  }
  return direction * (leadAt(run, far) - other) < 0;
}

/** Merges the heads of all runs; the list of runs is kept sorted by head, which is cheap for two dozen of them. */
function walk(runs: readonly Run[], cut: Cut, skip: number, count: number, direction: 1 | -1): Picked[] {
  const heads: number[] = new Array(runs.length);
  const keys = new Float64Array(runs.length);
  const queue: number[] = [];
  const precedes = (i: number, j: number): boolean => {
    if (keys[i] !== keys[j]) return direction * (keys[i]! - keys[j]!) < 0;
    const a = runs[i]!;
    const b = runs[j]!;
    return direction * a.stack.compare(a.docs[heads[i]!]!, b.stack, b.docs[heads[j]!]!) < 0;
  };
  const insert = (i: number, from: number): void => {
    let k = from;
    while (k + 1 < queue.length && precedes(queue[k + 1]!, i)) {
      queue[k] = queue[k + 1]!;
      k++;
    }
    queue[k] = i;
  };
  for (let i = 0; i < runs.length; i++) {
    heads[i] = step(runs[i]!, cut[i]!, direction);
    if (heads[i]! < 0) continue;
    if (runs.length > 1) keys[i] = leadAt(runs[i]!, heads[i]!);
    queue.unshift(i);
    insert(i, 0);
  }
  const out: Picked[] = [];
  let toSkip = skip;
  // So many documents of the first run come before all other heads.
  let sure = 0;
  while (queue.length > 0 && out.length < count) {
    const i = queue[0]!;
    const run = runs[i]!;
    if (toSkip > 0) toSkip--;
    else out.push(picked(run, heads[i]!));
    heads[i] = step(run, direction > 0 ? heads[i]! + 1 : heads[i]!, direction);
    if (heads[i]! < 0) {
      queue.shift();
      sure = 0;
    } else if (queue.length > 1 && --sure < 0) {
      keys[i] = leadAt(run, heads[i]!);
      insert(i, 0);
      // Where keys are kept in their order they are near; elsewhere each one is a wait for the memory.
      const other = keys[queue[1]!]!;
      const isWorth = queue[0] === i && run.leads === undefined && keys[i] !== other;
      sure = isWorth && isAhead(run, heads[i]!, direction, other) ? AHEAD : 0;
    }
  }
  return out;
}
