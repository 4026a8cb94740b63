// A boolean combination: required clauses are intersected from the rarest on, optional ones united or
// counted, prohibited ones removed. Scores of required and matching optional clauses are summed.

import { andInto, andNotInto, orInto } from '../../../kernels/bits.ts';
import { CHUNK_WORDS, type Leaf } from '../../../segment/leaf.ts';
import { type Matcher, testsDocuments } from '../../matcher.ts';
import { effortOf, matchAllAhead, type Steps, scoreMatchesAhead } from '../../steps.ts';
import { addRounded, newBits, type PlanNode, ScoringNode } from '../node.ts';
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
  /** The clauses in the order of the query, where it mixes the kinds. Explanations show them so. */
  readonly order?: readonly PlanNode[];
}

interface Part {
  readonly node: PlanNode;
  readonly matcher: Matcher;
}

/** Clauses that decide by themselves. */
interface RequiredAndProhibited {
  /** The rarest first. */
  readonly required: readonly Matcher[];
  readonly prohibited: readonly Matcher[];
}

function parts(nodes: readonly PlanNode[], leaf: Leaf): Part[] {
  return nodes.map((node) => ({ node, matcher: node.matcher(leaf) }));
}

class BoolMatcher implements Matcher {
  readonly cost: number;
  readonly effort: number;
  readonly scoreAhead?: (chunk: number, bits: Uint32Array) => Steps<void>;
  readonly #node: BoolNode;
  readonly #must: Part[];
  readonly #should: Part[];
  readonly #quick: RequiredAndProhibited;
  /** Those that test documents one by one: after the others. */
  readonly #testing: RequiredAndProhibited;
  readonly #counters: MatchCounters | undefined;

  constructor(node: BoolNode, must: Part[], filter: Part[], should: Part[], mustNot: Part[]) {
    this.#node = node;
    this.#must = must;
    this.#should = should;
    const required = [...must, ...filter].sort((a, b) => a.matcher.cost - b.matcher.cost);
    const [quick, testing] = [false, true].map((tests) => ({
      required: required
        .filter((part) => node.testing.has(part.node) === tests)
        .map(({ matcher }) => matcher),
      prohibited: mustNot
        .filter((part) => node.testing.has(part.node) === tests)
        .map(({ matcher }) => matcher),
    }));
    this.#quick = quick!;
    this.#testing = testing!;
    this.#counters = node.least > 1 ? new MatchCounters(should.length) : undefined;
    const optional = should.reduce((sum, part) => sum + part.matcher.cost, 0);
    this.cost = required.length > 0 ? required[0]!.matcher.cost : optional;
    this.effort = effortOf([...required, ...should, ...mustNot].map(({ matcher }) => matcher));
    const scored = [...must, ...should].map(({ matcher }) => matcher);
    if (scored.some((matcher) => matcher.scoreAhead !== undefined))
      this.scoreAhead = (chunk, bits) => scoreMatchesAhead(scored, chunk, bits);
  }

  *matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    const { required, prohibited } = this.#quick;
    yield* matchAllAhead([...required, ...prohibited], chunk, candidates);
    const should = this.#should.map(({ matcher }) => matcher);
    const testing = [...should, ...this.#testing.required, ...this.#testing.prohibited];
    if (effortOf(testing) < Number.POSITIVE_INFINITY) {
      yield* matchAllAhead(testing, chunk, candidates);
      return;
    }
    const bits = newBits();
    if (this.#narrow(chunk, bits, candidates, newBits())) yield* matchAllAhead(testing, chunk, bits);
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    const { scratch, least, scores } = this.#node;
    scratch.claim(this, chunk);
    const other = scratch.bits(0);
    if (!this.#narrow(chunk, bits, candidates, other)) return nothing(bits);
    if (least > 0) {
      if (!this.#optional(chunk, other, bits) || !andInto(bits, other)) return nothing(bits);
    } else if (scores) this.#optional(chunk, other, bits);
    const { required, prohibited } = this.#testing;
    for (const matcher of required) {
      if (!matcher.match(chunk, other, bits) || !andInto(bits, other)) return nothing(bits);
    }
    for (const matcher of prohibited) {
      if (matcher.match(chunk, other, bits)) andNotInto(bits, other);
    }
    return isAny(bits);
  }

  /**
   * Fills bits with what the clauses leave over that are matched as a whole, all documents if there are none. Returns false for
   * nothing.
   */
  #narrow(
    chunk: number,
    bits: Uint32Array,
    candidates: Uint32Array | undefined,
    other: Uint32Array,
  ): boolean {
    const { required, prohibited } = this.#quick;
    const [first, ...rest] = required;
    if (first === undefined) {
      if (candidates === undefined) bits.fill(0xffff_ffff);
      else bits.set(candidates);
    } else if (!first.match(chunk, bits, candidates)) return false;
    else if (candidates !== undefined && this.#node.testsDocuments) andInto(bits, candidates);
    for (const matcher of rest) {
      if (!matcher.match(chunk, other, bits) || !andInto(bits, other)) return false;
    }
    for (const matcher of prohibited) {
      if (matcher.match(chunk, other, bits)) andNotInto(bits, other);
    }
    return true;
  }

  /**
   * Fills bits with the documents of enough optional clauses. Keeps those of each clause where scores are
   * needed.
   */
  #optional(chunk: number, bits: Uint32Array, candidates: Uint32Array): boolean {
    const { scratch, scores } = this.#node;
    const counters = this.#counters;
    let any = false;
    bits.fill(0);
    counters?.clear();
    for (let i = 0; i < this.#should.length; i++) {
      const own = scratch.bits(scores ? i + 2 : 1);
      if (!this.#should[i]!.matcher.match(chunk, own, candidates)) continue;
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
      this.#optional(chunk, scratch.bits(0), bits);
    }
    for (let i = 0; i < this.#should.length; i++) {
      const { node, matcher } = this.#should[i]!;
      const own = scratch.bits(i + 2);
      if (andInto(own, bits)) addRounded(matcher, node.sumsFloats, chunk, own, scores);
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
  /** The clauses that test documents one by one. */
  readonly testing: ReadonlySet<PlanNode>;
  readonly testsDocuments: boolean;

  constructor(clauses: Clauses, scores: boolean) {
    super(clauses.must.length + clauses.should.length > 1);
    this.clauses = clauses;
    this.scores = scores;
    const required = clauses.must.length + clauses.filter.length;
    this.least = required === 0 ? Math.max(1, clauses.least) : clauses.least;
    this.testing = new Set(this.parts.filter(testsDocuments));
    this.testsDocuments = this.testing.size > 0;
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
    const filter = parts(this.clauses.filter, leaf);
    if ([...must, ...filter].some((part) => part.matcher.cost === 0)) return NOTHING;
    const should = parts(this.clauses.should, leaf).filter((part) => part.matcher.cost > 0);
    if (should.length < this.least) return NOTHING;
    const mustNot = parts(this.clauses.mustNot, leaf).filter((part) => part.matcher.cost > 0);
    return new BoolMatcher(this, must, filter, should, mustNot);
  }
}
