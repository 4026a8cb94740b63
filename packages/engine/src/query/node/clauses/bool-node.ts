// A boolean combination: required clauses are intersected from the rarest on, optional ones united or
// counted, prohibited ones removed. Scores of required and matching optional clauses are summed.

import { andNotInto, orInto } from '../../../kernels/bits.ts';
import { CHUNK_WORDS, type Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { countTermSets, matchAllAhead, type Steps } from '../../steps.ts';
import { addRounded, type PlanNode, ScoringNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { NOTHING } from './match-all-node.ts';
import { MatchCounters } from './match-counters.ts';

/** The clauses of a `bool`, planned. */
export interface Clauses {
  readonly must: readonly PlanNode[];
  readonly filter: readonly PlanNode[];
  readonly should: readonly PlanNode[];
  readonly mustNot: readonly PlanNode[];
  /** How many of `should` have to match; at least 1 is implied where nothing is required. */
  readonly least: number;
}

interface Part {
  readonly node: PlanNode;
  readonly matcher: Matcher;
}

function intersect(into: Uint32Array, other: Uint32Array): boolean {
  let any = 0;
  for (let w = 0; w < CHUNK_WORDS; w++) any |= into[w]! &= other[w]!;
  return any !== 0;
}

function parts(nodes: readonly PlanNode[], leaf: Leaf): Part[] {
  return nodes.map((node) => ({ node, matcher: node.matcher(leaf) }));
}

class BoolMatcher implements Matcher {
  readonly cost: number;
  readonly termSets: number;
  readonly #node: BoolNode;
  readonly #must: Part[];
  readonly #required: Matcher[];
  readonly #should: Part[];
  readonly #mustNot: Matcher[];
  readonly #counters: MatchCounters | undefined;

  constructor(node: BoolNode, must: Part[], required: Matcher[], should: Part[], mustNot: Matcher[]) {
    this.#node = node;
    this.#must = must;
    this.#required = required.sort((a, b) => a.cost - b.cost);
    this.#should = should;
    this.#mustNot = mustNot;
    this.#counters = node.least > 1 ? new MatchCounters(should.length) : undefined;
    const optional = should.reduce((sum, part) => sum + part.matcher.cost, 0);
    this.cost = required.length > 0 ? required[0]!.cost : optional;
    this.termSets = countTermSets(this.#clauses());
  }

  matchAhead(chunk: number): Steps<void> {
    return matchAllAhead(this.#clauses(), chunk);
  }

  #clauses(): Matcher[] {
    return [...this.#required, ...this.#should.map((part) => part.matcher), ...this.#mustNot];
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const scratch = this.#node.scratch;
    scratch.claim(this, chunk);
    const other = scratch.bits(0);
    const [first, ...rest] = this.#required;
    if (first === undefined) {
      if (!this.#optional(chunk, bits)) return false;
    } else {
      if (!first.match(chunk, bits)) return false;
      for (const matcher of rest) {
        if (!matcher.match(chunk, other) || !intersect(bits, other)) return nothing(bits);
      }
      if (this.#node.least > 0) {
        if (!this.#optional(chunk, other) || !intersect(bits, other)) return nothing(bits);
      } else if (this.#node.scores) {
        this.#optional(chunk, other);
      }
    }
    for (const matcher of this.#mustNot) {
      if (matcher.match(chunk, other)) andNotInto(bits, other);
    }
    return this.#mustNot.length === 0 || isAny(bits);
  }

  /**
   * Fills bits with the documents of enough optional clauses. Keeps those of each clause where scores are
   * needed.
   */
  #optional(chunk: number, bits: Uint32Array): boolean {
    const { scratch, scores } = this.#node;
    const counters = this.#counters;
    let any = false;
    bits.fill(0);
    counters?.clear();
    for (let i = 0; i < this.#should.length; i++) {
      const own = scratch.bits(scores ? i + 2 : 1);
      if (!this.#should[i]!.matcher.match(chunk, own)) continue;
      any = true;
      if (counters === undefined) orInto(bits, own);
      else counters.add(own);
    }
    return counters === undefined ? any : any && counters.atLeast(this.#node.least, bits);
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const scratch = this.#node.scratch;
    for (const { node, matcher } of this.#must) addRounded(matcher, node.sumsFloats, chunk, bits, scores);
    if (this.#should.length === 0) return;
    if (!scratch.isClaimedBy(this, chunk)) {
      scratch.claim(this, chunk);
      this.#optional(chunk, scratch.bits(0));
    }
    for (let i = 0; i < this.#should.length; i++) {
      const { node, matcher } = this.#should[i]!;
      const own = scratch.bits(i + 2);
      if (intersect(own, bits)) addRounded(matcher, node.sumsFloats, chunk, own, scores);
    }
    // The bits of the clauses have been cut down: a second call must match again.
    scratch.claim(scratch, -1);
  }
}

function nothing(bits: Uint32Array): false {
  bits.fill(0);
  return false;
}

function isAny(bits: Uint32Array): boolean {
  for (let w = 0; w < CHUNK_WORDS; w++) if (bits[w]! !== 0) return true;
  return false;
}

/**
 * A boolean combination. Build it with `combine`, which simplifies. REQUIRES: something in must, filter or
 * should.
 */
export class BoolNode extends ScoringNode {
  readonly clauses: Clauses;
  readonly least: number;
  /** Whether scores are needed. */
  readonly scores: boolean;
  readonly scratch: ChunkScratch = new ChunkScratch();

  constructor(clauses: Clauses, scores: boolean) {
    super(clauses.must.length + clauses.should.length > 1);
    this.clauses = clauses;
    this.scores = scores;
    const required = clauses.must.length + clauses.filter.length;
    this.least = required === 0 ? Math.max(1, clauses.least) : clauses.least;
  }

  get key(): string {
    const { must, filter, should, mustNot } = this.clauses;
    const list = (sign: string, nodes: readonly PlanNode[]): string =>
      [...new Set(nodes.map((node) => sign + node.key))].sort().join('');
    const optional =
      this.least === 0
        ? ''
        : `${this.least}?${should
            .map((n) => n.key)
            .sort()
            .join('')}`;
    return `b[${list('+', [...must, ...filter])}${optional}${list('!', mustNot)}]`;
  }

  get parts(): readonly PlanNode[] {
    const { must, filter, should, mustNot } = this.clauses;
    return [...must, ...filter, ...should, ...mustNot];
  }

  get wanted(): readonly PlanNode[] {
    const { must, filter, should } = this.clauses;
    return [...must, ...filter, ...should];
  }

  matcher(leaf: Leaf): Matcher {
    const must = parts(this.clauses.must, leaf);
    const required = [
      ...must.map((part) => part.matcher),
      ...this.clauses.filter.map((n) => n.matcher(leaf)),
    ];
    if (required.some((matcher) => matcher.cost === 0)) return NOTHING;
    const should = parts(this.clauses.should, leaf).filter((part) => part.matcher.cost > 0);
    if (should.length < this.least) return NOTHING;
    const mustNot = this.clauses.mustNot.map((n) => n.matcher(leaf)).filter((matcher) => matcher.cost > 0);
    return new BoolMatcher(this, must, required, should, mustNot);
  }
}
