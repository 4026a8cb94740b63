// How is work that could be long done a little at a time? As a generator that yields now and then; whoever runs it looks at
// the clock in between. Here is what runs one to its end at once, and what prepares a plan for a leaf.

import type { Leaf } from '../segment/leaf.ts';
import type { Matcher, Plan } from './matcher.ts';

/** Work that yields every few hundred microseconds. */
export type Steps<T> = Generator<void, T, undefined>;

/** Compiles a plan for a leaf, its terms looked up step by step first. */
export function* compileInSteps(plan: Plan, leaf: Leaf): Steps<Matcher> {
  yield* prepareInSteps(plan, leaf);
  return plan.matcher(leaf);
}

/** Looks up the terms of a plan in a leaf, for its next matcher. */
export function* prepareInSteps(plan: Plan, leaf: Leaf): Steps<void> {
  if (plan.prepare !== undefined) {
    yield* plan.prepare(leaf);
    yield;
  }
  if (plan.parts !== undefined) for (const part of plan.parts) yield* prepareInSteps(part, leaf);
}

/** Sets of terms that are matched at once; more of them are matched ahead, one by one. */
const MAX_DIRECT_SETS = 8;

/** Matches a chunk, as `matcher.match` does, step by step where it is made of many sets. */
export function* matchInSteps(matcher: Matcher, chunk: number, bits: Uint32Array): Steps<boolean> {
  if (countTermSets([matcher]) > MAX_DIRECT_SETS) yield* matcher.matchAhead!(chunk);
  return matcher.match(chunk, bits);
}

/** How many sets of terms some matchers are made of. */
export function countTermSets(matchers: readonly Matcher[]): number {
  return matchers.reduce((sum, matcher) => sum + (matcher.termSets ?? 0), 0);
}

/** Matches ahead all that can be. */
export function* matchAllAhead(matchers: readonly Matcher[], chunk: number): Steps<void> {
  for (const matcher of matchers) {
    if (matcher.matchAhead === undefined) continue;
    yield* matcher.matchAhead(chunk);
    yield;
  }
}
