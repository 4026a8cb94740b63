// Cuts runs at a rank or at a cursor.
//
// - By cursor: one binary search in each run.
// - By rank: all runs are narrowed around a pivot until few documents are left. The pivot is interpolated in the widest run, a little
//   beyond the expected position of the rank, so that two rounds bound the rank from both sides.
// - Where interpolation makes no progress (leaves of different times, many ties): the pivot is the median of the middles of all runs,
//   weighted by their widths, which leaves out a quarter.
//
// Sources: Frederickson and Johnson, 1982 (select in sorted runs by weighted medians); Perl and Reingold,
// 1977 (interpolation); Floyd and Rivest, 1975 (margins).

import { type Cursor, compareToCursor } from '../compare.ts';
import { firstLead, locateInRun } from './locate.ts';
import { leadAt, type OrderRun, type RunCut, visibleTotal } from './run.ts';

/**
 * Narrowing ends where so few visible documents are left, or so few documents at all: the rest is stepped
 * over.
 */
const CLOSE = 32;
const NARROW = 64;
/** Standard deviations by which a pivot overshoots the expected position of the rank. */
const MARGIN = 0.9;
/** Where two rounds of interpolation leave more than this share, a median is next. */
const SLOW = 0.5;

/** A cut, with the visible documents before it: of each run, and of all. */
interface Bound {
  readonly cut: RunCut;
  readonly counts: number[];
  rank: number;
}

/** A place in one run. */
interface Pivot {
  readonly run: number;
  readonly at: number;
}

/**
 * A cut at or shortly before the visible document of the given rank; `skip` says how many lie between. O(runs
 * · log² n), for runs of one distribution O(runs · log n · log log n).
 */
export function cutAtRank(runs: readonly OrderRun[], rank: number): { cut: RunCut; skip: number } {
  let low: Bound = { cut: runs.map(() => 0), counts: runs.map(() => 0), rank: 0 };
  let high: Bound = {
    cut: runs.map((r) => r.docs.length),
    counts: runs.map((r) => r.view.total),
    rank: visibleTotal(runs),
  };
  if (rank >= high.rank) return { cut: high.cut, skip: 0 };
  let middle: Bound = { cut: low.cut.slice(), counts: low.counts.slice(), rank: 0 };
  // Visible documents that were left one round and two rounds ago.
  let last = Number.POSITIVE_INFINITY;
  let beforeLast = last;
  for (;;) {
    let widest = 0;
    let width = 0;
    let left = 0;
    for (let i = 0; i < runs.length; i++) {
      const w = high.cut[i]! - low.cut[i]!;
      left += w;
      if (w > width) {
        width = w;
        widest = i;
      }
    }
    const between = high.rank - low.rank;
    if (left <= NARROW || width <= 1 || between <= CLOSE) break;
    const isSlow = between > SLOW * beforeLast;
    beforeLast = isSlow ? Number.POSITIVE_INFINITY : last;
    last = isSlow ? Number.POSITIVE_INFINITY : between;
    const pivot = isSlow
      ? medianPivot(runs, low.cut, high.cut)
      : { run: widest, at: low.cut[widest]! + interpolated((rank - low.rank) / between, width) };
    divide(runs, low, high, middle, pivot, left);
    if (middle.rank <= rank) [low, middle] = [middle, low];
    else [high, middle] = [middle, high];
  }
  return { cut: low.cut, skip: rank - low.rank };
}

/**
 * The place in a run of the given width where a share of all documents ends, plus a margin. From 1 to width -
 * 1.
 */
function interpolated(share: number, width: number): number {
  // In one run the k-th of all documents is off by the standard deviation of a binomial distribution.
  const margin = MARGIN * Math.sqrt((share * (1 - share)) / width) + 0.5 / width;
  const at = Math.floor(width * (share < 0.5 ? share + margin : share - margin));
  return Math.min(Math.max(at, 1), width - 1);
}

/**
 * The middle of a run such that half of what is left lies in runs with middles up to it. REQUIRES: a run of
 * two or more.
 */
function medianPivot(runs: readonly OrderRun[], low: RunCut, high: RunCut): Pivot {
  const middles: {
    readonly run: number;
    readonly at: number;
    readonly span: number;
    readonly lead: number;
  }[] = [];
  let left = 0;
  for (let run = 0; run < runs.length; run++) {
    const span = high[run]! - low[run]!;
    if (span < 2) continue;
    const at = low[run]! + (span >>> 1);
    middles.push({ run, at, span, lead: leadAt(runs[run]!, at) });
    left += span;
  }
  middles.sort((a, b) => {
    if (a.lead !== b.lead) return a.lead - b.lead;
    const x = runs[a.run]!;
    const y = runs[b.run]!;
    return x.stack.compare(x.docs[a.at]!, y.stack, y.docs[b.at]!);
  });
  let k = 0;
  for (let sum = middles[0]!.span; sum < left / 2; sum += middles[k]!.span) k++;
  return middles[k]!;
}

/** Makes `middle` the cut at a pivot. `left` is the number of documents between low and high. */
function divide(
  runs: readonly OrderRun[],
  low: Bound,
  high: Bound,
  middle: Bound,
  pivot: Pivot,
  left: number,
): void {
  const run = runs[pivot.run]!;
  const from = low.cut[pivot.run]!;
  const width = high.cut[pivot.run]! - from;
  const share = (pivot.at - from) / width;
  const doc = run.docs[pivot.at]!;
  // Keys of the pivot are a cache miss: they are not read where nothing is left to compare them with.
  const lead = left > width ? leadAt(run, pivot.at) : 0;
  let rank = 0;
  for (let i = 0; i < runs.length; i++) {
    const l = low.cut[i]!;
    const h = high.cut[i]!;
    const guess = l + Math.floor((h - l) * share);
    const at = i === pivot.run ? pivot.at : locateInRun(runs[i]!, l, h, guess, run, doc, lead);
    // In the last rounds most runs are not narrowed any more.
    const count = at === l ? low.counts[i]! : at === h ? high.counts[i]! : runs[i]!.view.count(at);
    middle.cut[i] = at;
    middle.counts[i] = count;
    rank += count;
  }
  middle.rank = rank;
}

/**
 * The cut at a cursor. `past` says on which side of it documents that tie with the cursor are: true puts them
 * before the cut (a walk forwards goes on behind them), false after it (a walk backwards ends before them).
 * O(runs · log n).
 */
export function cutAtCursor(runs: readonly OrderRun[], cursor: Cursor, past: boolean): RunCut {
  return runs.map((run) => {
    let [low, high] = tiesOf(run, cursor);
    while (low < high) {
      const mid = (low + high) >>> 1;
      const c = compareRunToCursor(run, mid, cursor);
      if (past ? c <= 0 : c < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  });
}

/**
 * Where documents may tie with a cursor: all of a run, or those with the cursor's leading key where leads are
 * stored.
 */
function tiesOf({ docs, leads, stack }: OrderRun, { values }: Cursor): [low: number, high: number] {
  const n = docs.length;
  const first = values[0];
  if (leads === undefined || n === 0 || first?.kind !== 'numeric') return [0, n];
  const lead = stack.leadOf(first);
  const low = firstLead(leads, 0, n, n >>> 1, lead, false);
  return low === n || leads[low] !== lead ? [low, low] : [low, firstLead(leads, low, n, low, lead, true)];
}

function compareRunToCursor({ stack, docs }: OrderRun, p: number, cursor: Cursor): number {
  const n = docs[p]!;
  const part = stack.partOf(n);
  const side = stack.sides[part]!;
  return compareToCursor(side, n - stack.bases[part]!, side.score, cursor);
}
