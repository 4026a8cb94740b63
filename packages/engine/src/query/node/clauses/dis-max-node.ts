// The best of several clauses: each document scores its best clause, plus a share of the others (Lucene's
// DisjunctionMaxQuery).

import { orInto } from '../../../kernels/bits.ts';
import { CHUNK_WORDS, type Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { effortOf, matchAllAhead, type Steps, scoreMatchesAhead } from '../../steps.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { borrowScores, type PlanNode, returnScores, ScoringNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { NONE, NOTHING } from './match-all-node.ts';

class DisMaxMatcher implements Matcher {
  readonly cost: number;
  readonly effort: number;
  readonly scoreAhead?: (chunk: number, bits: Uint32Array) => Steps<void>;
  readonly #node: DisMaxNode;
  readonly #matchers: readonly Matcher[];

  constructor(node: DisMaxNode, matchers: readonly Matcher[]) {
    this.#node = node;
    this.#matchers = matchers;
    this.cost = matchers.reduce((sum, matcher) => sum + matcher.cost, 0);
    this.effort = effortOf(matchers);
    if (matchers.some((matcher) => matcher.scoreAhead !== undefined))
      this.scoreAhead = (chunk, bits) => scoreMatchesAhead(matchers, chunk, bits);
  }

  matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    return matchAllAhead(this.#matchers, chunk, candidates);
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    const { scratch, scores } = this.#node;
    scratch.claim(this, chunk);
    let any = false;
    bits.fill(0);
    for (let i = 0; i < this.#matchers.length; i++) {
      const own = scratch.bits(scores ? i : 0);
      if (!this.#matchers[i]!.match(chunk, own, candidates)) continue;
      orInto(bits, own);
      any = true;
    }
    return any;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const { scratch, tie } = this.#node;
    const isMatched = scratch.isClaimedBy(this, chunk);
    const best = borrowScores();
    const others = borrowScores();
    const own = borrowScores();
    for (let i = 0; i < this.#matchers.length; i++) {
      const matcher = this.#matchers[i]!;
      const mine = scratch.bits(i);
      if (!isMatched) matcher.match(chunk, mine, bits);
      for (let w = 0; w < CHUNK_WORDS; w++) mine[w]! &= bits[w]!;
      matcher.score(chunk, mine, own);
      take(mine, own, best, others);
    }
    scratch.claim(scratch, -1);
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      scores[doc]! += Math.fround(best[doc]! + others[doc]! * tie);
      best[doc] = 0;
      others[doc] = 0;
    }
    for (const array of [best, others, own]) returnScores(array);
  }
}

/** Moves the scores of one clause into the best and the sum of the others. Leaves `own` zero. */
function take(bits: Uint32Array, own: Float64Array, best: Float64Array, others: Float64Array): void {
  const n = listDocs(bits);
  for (let i = 0; i < n; i++) {
    const doc = chunkDocs[i]!;
    const score = Math.fround(own[doc]!);
    own[doc] = 0;
    if (score >= best[doc]!) {
      others[doc]! += best[doc]!;
      best[doc] = score;
    } else {
      others[doc]! += score;
    }
  }
}

/** The best of some nodes. */
export class DisMaxNode extends ScoringNode {
  readonly nodes: readonly PlanNode[];
  readonly tie: number;
  readonly scores: boolean;
  readonly scratch: ChunkScratch = new ChunkScratch();

  constructor(nodes: readonly PlanNode[], tie: number, scores: boolean) {
    super();
    this.nodes = nodes;
    this.tie = Math.fround(tie);
    this.scores = scores;
  }

  get key(): string {
    return `b[1?${this.nodes
      .map((node) => node.key)
      .sort()
      .join('')}]`;
  }

  get parts(): readonly PlanNode[] {
    return this.nodes;
  }

  matcher(leaf: Leaf): Matcher {
    const matchers = this.nodes.map((node) => node.matcher(leaf)).filter((matcher) => matcher.cost > 0);
    return matchers.length === 0 ? NOTHING : new DisMaxMatcher(this, matchers);
  }
}

/** The best of some nodes (Lucene's DisjunctionMaxQuery). */
export function disMaxNode(nodes: readonly PlanNode[], tie: number, scores: boolean): PlanNode {
  const some = nodes.filter((node) => !node.matchesNone);
  if (some.length === 0) return NONE;
  return some.length === 1 ? some[0]! : new DisMaxNode(some, tie, scores);
}
