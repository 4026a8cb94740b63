// Long work on a query as generators that yield now and then, so that the caller can look at the clock:
// compiling a plan for a leaf, and matching a chunk.

import type { Leaf } from '../segment/leaf.ts';
import type { Matcher, Plan } from './matcher.ts';

/** Work that yields every few hundred microseconds. */
export type Steps<T> = Generator<void, T, undefined>;

/** Compiles a plan for a leaf; its terms are looked up in steps first. */
export function* compileInSteps(plan: Plan, leaf: Leaf): Steps<Matcher> {
  yield* prepareInSteps(plan, leaf);
  return plan.matcher(leaf);
}

/** Looks up the terms that the next matcher of a plan needs in a leaf. */
export function* prepareInSteps(plan: Plan, leaf: Leaf): Steps<void> {
  if (plan.prepare !== undefined) {
    yield* plan.prepare(leaf);
    yield;
  }
  if (plan.parts !== undefined) for (const part of plan.parts) yield* prepareInSteps(part, leaf);
}

/**
 * Whether nothing in a plan holds state while it runs: two searches may then share it, and it stays small.
 */
export function isStateless(plan: Plan): boolean {
  return plan.prepare === undefined && (plan.parts === undefined || plan.parts.every(isStateless));
}

/** Up to so many sets of terms are matched in one step; more are matched ahead, one by one. */
const MAX_DIRECT_SETS = 8;

/** Matches a chunk as `matcher.match` does, in steps where it consists of many sets of terms. */
export function* matchInSteps(matcher: Matcher, chunk: number, bits: Uint32Array): Steps<boolean> {
  if (countTermSets([matcher]) > MAX_DIRECT_SETS) yield* matcher.matchAhead!(chunk);
  return matcher.match(chunk, bits);
}

/** How many sets of terms some matchers consist of. */
export function countTermSets(matchers: readonly Matcher[]): number {
  return matchers.reduce((sum, matcher) => sum + (matcher.termSets ?? 0), 0);
}

/** Runs `matchAhead` of all matchers that have it. */
export function* matchAllAhead(matchers: readonly Matcher[], chunk: number): Steps<void> {
  for (const matcher of matchers) {
    if (matcher.matchAhead === undefined) continue;
    yield* matcher.matchAhead(chunk);
    yield;
  }
}
