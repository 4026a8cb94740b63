// How is work that could be long done a little at a time? As a generator that yields now and then; whoever runs it looks at
// the clock in between. Here is what runs one to its end at once, and what prepares a plan for a leaf.

import type { Leaf } from '../segment/leaf.ts';
import type { Matcher, Plan } from './matcher.ts';

/** Work that yields every few hundred microseconds. */
export type Steps<T> = Generator<void, T, undefined>;

/** Runs steps to their end. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** Compiles a plan for a leaf, its terms looked up step by step first. */
export function* compiled(plan: Plan, leaf: Leaf): Steps<Matcher> {
  yield* prepare(plan, leaf);
  return plan.matcher(leaf);
}

/** Looks up the terms of a plan in a leaf, for its next matcher. */
export function* prepare(plan: Plan, leaf: Leaf): Steps<void> {
  if (plan.prepare !== undefined) {
    yield* plan.prepare(leaf);
    yield;
  }
  if (plan.parts !== undefined) for (const part of plan.parts) yield* prepare(part, leaf);
}

/** Sets of terms that are matched at once; more of them are matched ahead, one by one. */
const FEW = 8;

/** Matches a chunk, as `matcher.match` does, step by step where it is made of many sets. */
export function* matched(matcher: Matcher, chunk: number, bits: Uint32Array): Steps<boolean> {
  if (setsOf([matcher]) > FEW) yield* matcher.ahead!(chunk);
  return matcher.match(chunk, bits);
}

/** How many sets of terms some matchers are made of. */
export function setsOf(matchers: readonly Matcher[]): number {
  return matchers.reduce((sum, matcher) => sum + (matcher.sets ?? 0), 0);
}

/** Matches ahead all that can be. */
export function* aheadOf(matchers: readonly Matcher[], chunk: number): Steps<void> {
  for (const matcher of matchers) {
    if (matcher.ahead === undefined) continue;
    yield* matcher.ahead(chunk);
    yield;
  }
}
