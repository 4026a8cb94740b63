// Finds where in a run a document of another run belongs: galloping from a guess, by leading keys alone where
// the run stores them by position, so that documents are compared only among those that tie.

import { leadAt, type OrderRun } from './run.ts';

/**
 * First position in [low, high) of a run whose document does not come before the pivot, galloping from a
 * guess. O(log of how far the guess is off) (Bentley and Yao, 1976).
 */
export function locateInRun(
  run: OrderRun,
  low: number,
  high: number,
  guess: number,
  pivot: OrderRun,
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
  // Documents that tie lie side by side: their range is found by numbers alone, and only they are compared.
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

/**
 * First position in [low, high) whose lead is not less than x, or with `past` is more, galloping from g <
 * high.
 */
export function firstLead(
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

/** First position in [low, high) for which `before` is false, galloping from g. */
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
