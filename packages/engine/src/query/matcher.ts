// The contracts of a planned query. A plan is fixed for one snapshot of an index; a matcher is a plan
// compiled for one leaf, which fills bitmaps and adds scores, one chunk of 65,536 documents at a time.
// Working on whole chunks keeps the inner loops on typed arrays, makes exact totals a popcount, and gives the
// caller a place to look at the clock.

import type { Leaf } from '../segment/leaf.ts';
import type { TermVisitor } from './query-terms.ts';

/** A query compiled for one leaf. Holds scratch: not reentrant, one search at a time. */
export interface Matcher {
  /** Upper bound of the number of matches in the leaf. */
  readonly cost: number;
  /**
   * Overwrites `bits` (CHUNK_WORDS words) with the matching documents of the chunk, dead ones and ones beyond
   * the snapshot included. Returns false when there are none (bits is zeroed then). Of documents outside
   * `candidates`, all by default, either answer is right.
   */
  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean;
  /**
   * Adds the score of every document in `bits` to `scores` (CHUNK_DOCS doubles, indexed by the low 16 bits).
   * REQUIRES: bits is a subset of what `match` gave for the chunk. The caller rounds the sum to float32.
   */
  score(chunk: number, bits: Uint32Array, scores: Float64Array): void;
  /**
   * How long the match of a chunk takes, in sets of terms; 0 by default, Infinity where documents are tested one by one.
   */
  readonly effort?: number;
  /** Does most of the next `match` of a chunk in steps. Present where `effort` is. */
  matchAhead?(chunk: number, candidates?: Uint32Array): Generator<void, void, undefined>;
  /** Does most of the next `score` of a chunk in steps. Present where scoring a chunk may take long. */
  scoreAhead?(chunk: number, bits: Uint32Array): Generator<void, void, undefined>;
}

/** A query planned against one index snapshot: statistics are fixed, leaves are compiled on demand. */
export interface Plan {
  /** False when every score is the same constant (or nothing asks for scores). */
  readonly scoring: boolean;
  /**
   * Canonical text of the query: the key of filter caches. Equal text means equal matches on the same leaf.
   */
  readonly key: string;
  /** True when the plan matches every document. */
  readonly matchesAll: boolean;
  /** True when it is known without looking at leaves that nothing matches. */
  readonly matchesNone: boolean;
  matcher(leaf: Leaf): Matcher;
  /**
   * True when documents are tested one by one, at a cost, and may fail: such a plan is matched last, and only on candidates that
   * are live and allowed. By default that of its parts.
   */
  readonly testsDocuments?: boolean;
  /** What every match scores, where that is known without looking at leaves. REQUIRES: not `scoring`. */
  readonly constant?: number;
  /** The plans within this one. */
  readonly parts?: readonly Plan[];
  /** Those of `parts` that documents are wanted for, and not avoided; all of them by default. */
  readonly wanted?: readonly Plan[];
  /** Gives the visitor what this plan itself looks for; its parts do so for themselves. */
  visitTerms?(visitor: TermVisitor): void;
  /** Looks up in steps the terms that the next `matcher` of the leaf needs. */
  prepare?(leaf: Leaf): Generator<void, void, undefined>;
}

/** Whether a plan, or one within it, tests documents one by one. */
export function testsDocuments(plan: Plan): boolean {
  return plan.testsDocuments ?? (plan.parts ?? plan.wanted ?? []).some(testsDocuments);
}
