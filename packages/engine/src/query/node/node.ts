// The nodes of a planned query: fields, analysis and statistics are settled, and each node is a Plan. This
// file holds what all nodes share: base classes, chunk bitmaps and score arrays.

import { CHUNK_DOCS, CHUNK_WORDS, type Leaf } from '../../segment/leaf.ts';
import type { Matcher, Plan } from '../matcher.ts';
import { chunkDocs, listDocs } from './chunk-docs.ts';

/** A planned query. */
export interface PlanNode extends Plan {
  /** True when it is known that nothing matches. */
  readonly matchesNone: boolean;
  /**
   * True when `score` adds up several float32 values: a node that does more with the sum than pass it on must
   * round it to float32 first, as Lucene does at each scorer.
   */
  readonly sumsFloats: boolean;
  matcher(leaf: Leaf): Matcher;
}

/** Documents of a chunk of the leaf. */
export function docsIn(leaf: Leaf, chunk: number): number {
  return Math.max(0, Math.min(CHUNK_DOCS, leaf.docCount - chunk * CHUNK_DOCS));
}

/** An empty chunk bitmap. */
export function newBits(): Uint32Array {
  return new Uint32Array(CHUNK_WORDS);
}

/**
 * The part of a whole-leaf bitmap that belongs to a chunk, copied into `bits`. Returns whether any bit is
 * set.
 */
export function copyChunk(whole: Uint32Array, chunk: number, bits: Uint32Array): boolean {
  const from = chunk * CHUNK_WORDS;
  const n = Math.max(0, Math.min(CHUNK_WORDS, whole.length - from));
  let any = 0;
  for (let i = 0; i < n; i++) any |= bits[i] = whole[from + i]!;
  bits.fill(0, n);
  return any !== 0;
}

/** Adds a constant to the score of every document in bits. */
function addConstant(bits: Uint32Array, scores: Float64Array, constant: number): void {
  const n = listDocs(bits);
  for (let i = 0; i < n; i++) scores[chunkDocs[i]!]! += constant;
}

const free: Float64Array[] = [];

/** Borrows an all-zero array of CHUNK_DOCS scores. It must be zeroed again when `returnScores` gets it. */
export function borrowScores(): Float64Array {
  return free.pop() ?? new Float64Array(CHUNK_DOCS);
}

/** REQUIRES: every score is zero. */
export function returnScores(scores: Float64Array): void {
  if (free.length < 8) free.push(scores);
}

/** Scores `bits` into `scores`, rounded to float32: adds what Lucene's scorer of this node would return. */
export function addRounded(
  matcher: Matcher,
  sums: boolean,
  chunk: number,
  bits: Uint32Array,
  scores: Float64Array,
): void {
  if (!sums) {
    matcher.score(chunk, bits, scores);
    return;
  }
  const own = borrowScores();
  matcher.score(chunk, bits, own);
  const n = listDocs(bits);
  for (let i = 0; i < n; i++) {
    const doc = chunkDocs[i]!;
    scores[doc]! += Math.fround(own[doc]!);
    own[doc] = 0;
  }
  returnScores(own);
}

/** A node whose matches all score `constant`. */
export abstract class FilterNode implements PlanNode {
  readonly scoring: boolean = false;
  readonly sumsFloats: boolean = false;
  readonly matchesAll: boolean = false;
  readonly matchesNone: boolean = false;
  readonly constant: number;

  constructor(constant: number) {
    this.constant = constant;
  }

  abstract get key(): string;
  abstract matcher(leaf: Leaf): Matcher;
}

/** A node whose score depends on the document. */
export abstract class ScoringNode implements PlanNode {
  readonly scoring: boolean = true;
  readonly matchesAll: boolean = false;
  readonly matchesNone: boolean = false;
  /** See PlanNode. */
  readonly sumsFloats: boolean;
  /** Whether its query or field has a boost of its own, which keeps its clauses together in explanations. */
  isBoosted = false;

  constructor(sumsFloats: boolean = false) {
    this.sumsFloats = sumsFloats;
  }

  abstract get key(): string;
  abstract matcher(leaf: Leaf): Matcher;
}

/** Notes on a node that its query or field has this boost of its own. */
export function boosted(node: PlanNode, boost: number): PlanNode {
  if (boost !== 1 && node instanceof ScoringNode) node.isBoosted = true;
  return node;
}

/** Matcher of a node whose matches all score the same. */
export abstract class ConstantMatcher implements Matcher {
  abstract readonly cost: number;
  readonly #constant: number;

  constructor(constant: number) {
    this.#constant = constant;
  }

  abstract match(chunk: number, bits: Uint32Array): boolean;

  score(_chunk: number, bits: Uint32Array, scores: Float64Array): void {
    addConstant(bits, scores, this.#constant);
  }
}
