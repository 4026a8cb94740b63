// Long work on a query as generators that yield now and then, so that the caller can look at the clock:
// compiling a plan for a leaf, and matching a chunk.

import { andInto } from '../kernels/bits.ts';
import type { Leaf } from '../segment/leaf.ts';
import type { Steps } from '../turn.ts';
import type { Matcher, Plan } from './matcher.ts';

export type { Steps };

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

/** The effort of one step; what takes more is matched ahead. */
const DIRECT_EFFORT = 8;

/** Matches a chunk as `matcher.match` does, in steps where that takes long. */
export function* matchInSteps(
  matcher: Matcher,
  chunk: number,
  bits: Uint32Array,
  candidates?: Uint32Array,
): Steps<boolean> {
  if ((matcher.effort ?? 0) > DIRECT_EFFORT) yield* matcher.matchAhead!(chunk, candidates);
  return matcher.match(chunk, bits, candidates);
}

/** Scores as `matcher.score` does, in steps where that takes long. Returns true when done. */
export function* scoreInSteps(
  matcher: Matcher,
  chunk: number,
  bits: Uint32Array,
  scores: Float64Array,
): Steps<true> {
  if (matcher.scoreAhead !== undefined) yield* matcher.scoreAhead(chunk, bits);
  matcher.score(chunk, bits, scores);
  return true;
}

/** The effort of matching all of some matchers. */
export function effortOf(matchers: readonly Matcher[]): number {
  return matchers.reduce((sum, matcher) => sum + (matcher.effort ?? 0), 0);
}

/** Runs `matchAhead` of all matchers that have it. */
export function* matchAllAhead(
  matchers: readonly Matcher[],
  chunk: number,
  candidates?: Uint32Array,
): Steps<void> {
  for (const matcher of matchers) {
    if (matcher.matchAhead === undefined) continue;
    yield* matcher.matchAhead(chunk, candidates);
    yield;
  }
}

/** Runs `scoreAhead` of all matchers that have it, each on those of `bits` that it matches. */
export function* scoreMatchesAhead(
  matchers: readonly Matcher[],
  chunk: number,
  bits: Uint32Array,
): Steps<void> {
  const own = new Uint32Array(bits.length);
  for (const matcher of matchers) {
    if (matcher.scoreAhead === undefined) continue;
    if ((yield* matchInSteps(matcher, chunk, own, bits)) && andInto(own, bits))
      yield* matcher.scoreAhead(chunk, own);
  }
}
