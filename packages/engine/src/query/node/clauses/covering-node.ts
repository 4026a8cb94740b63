// Documents that match enough of several clauses, where each document has its own number: that of a field
// (Lucene: CoveringQuery). The scores of the matching clauses are added up.

import { andInto, nextSetBit, orInto } from '../../../kernels/bits.ts';
import { SearchMeter } from '../../../scripts/documents/search-meter.ts';
import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import { type Matcher, testsDocuments } from '../../matcher.ts';
import { effortOf, matchAllAhead, type Steps, scoreMatchesAhead } from '../../steps.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { addRounded, newBits, type PlanNode, ScoringNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { NOTHING } from './match-all-node.ts';

/** How many clauses each document has to match; undefined for a document without a number. */
export interface RequiredCounts {
  /** Equal text, equal numbers. */
  readonly key: string;
  /** Whether finding a number may take long, or fail: then only documents are asked for it that may match. */
  readonly isSlow?: boolean;
  /** Undefined where no document of the leaf has one. The meter counts the work. */
  forLeaf(leaf: Leaf, meter: SearchMeter): ((doc: number) => number | undefined) | undefined;
}

class CoveringMatcher implements Matcher {
  readonly cost: number;
  readonly effort: number;
  readonly scoreAhead?: (chunk: number, bits: Uint32Array) => Steps<void>;
  readonly #node: CoveringNode;
  readonly #clauses: readonly Matcher[];
  readonly #required: (doc: number) => number | undefined;
  readonly #meter: SearchMeter;
  /** Slow numbers of one chunk that have been found. */
  #chunk = -1;
  readonly #known = new Map<number, number | undefined>();

  constructor(
    node: CoveringNode,
    clauses: readonly Matcher[],
    required: (doc: number) => number | undefined,
    meter: SearchMeter,
  ) {
    this.#node = node;
    this.#clauses = clauses;
    this.#required = required;
    this.#meter = meter;
    this.cost = clauses.reduce((sum, { cost }) => sum + cost, 0);
    this.effort = node.required.isSlow === true ? Number.POSITIVE_INFINITY : effortOf(clauses);
    if (clauses.some((clause) => clause.scoreAhead !== undefined))
      this.scoreAhead = (chunk, bits) => scoreMatchesAhead(clauses, chunk, bits);
  }

  *matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    yield* matchAllAhead(this.#clauses, chunk, candidates);
    if (this.#node.required.isSlow !== true) return;
    const [any, own] = [newBits(), newBits()];
    for (const clause of this.#clauses) if (clause.match(chunk, own, candidates)) orInto(any, own);
    if (candidates !== undefined) andInto(any, candidates);
    for (let doc = nextSetBit(any, 0); doc >= 0; doc = nextSetBit(any, doc + 1)) {
      this.#requiredOf(chunk, doc);
      if (this.#meter.isDue()) yield;
    }
  }

  #requiredOf(chunk: number, doc: number): number | undefined {
    const at = chunk * CHUNK_DOCS + doc;
    if (this.#node.required.isSlow !== true) return this.#required(at);
    if (chunk !== this.#chunk) {
      this.#chunk = chunk;
      this.#known.clear();
    }
    let number = this.#known.get(doc);
    if (number === undefined && !this.#known.has(doc)) this.#known.set(doc, (number = this.#required(at)));
    return number;
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    const { scratch } = this.#node;
    scratch.claim(this, chunk);
    const counts = scratch.freqs.fill(0);
    bits.fill(0);
    for (const [i, clause] of this.#clauses.entries()) {
      const own = scratch.bits(i);
      if (!clause.match(chunk, own, candidates)) continue;
      const n = listDocs(own);
      for (let k = 0; k < n; k++) counts[chunkDocs[k]!]!++;
      for (let w = 0; w < bits.length; w++) bits[w]! |= own[w]!;
    }
    if (candidates !== undefined && this.#node.required.isSlow === true) andInto(bits, candidates);
    const n = listDocs(bits);
    let left = n;
    for (let k = 0; k < n; k++) {
      const doc = chunkDocs[k]!;
      const required = this.#requiredOf(chunk, doc);
      if (required !== undefined && counts[doc]! >= Math.max(1, required)) continue;
      bits[doc >>> 5]! &= ~(1 << (doc & 31));
      left--;
    }
    return left > 0;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const { scratch, clauses } = this.#node;
    if (!scratch.isClaimedBy(this, chunk)) {
      scratch.claim(this, chunk);
      for (const [i, clause] of this.#clauses.entries()) clause.match(chunk, scratch.bits(i), bits);
    }
    for (const [i, clause] of this.#clauses.entries()) {
      const own = scratch.bits(i);
      for (let w = 0; w < own.length; w++) own[w]! &= bits[w]!;
      addRounded(clause, clauses[i]!.sumsFloats, chunk, own, scores);
    }
    // The bits of the clauses have been cut down: a second call must match again.
    scratch.claim(scratch, -1);
  }
}

/** Enough of some clauses. */
export class CoveringNode extends ScoringNode {
  readonly clauses: readonly PlanNode[];
  readonly required: RequiredCounts;
  readonly scratch: ChunkScratch = new ChunkScratch();
  readonly testsDocuments: boolean;

  constructor(clauses: readonly PlanNode[], required: RequiredCounts) {
    super(true);
    this.clauses = clauses;
    this.required = required;
    this.testsDocuments = required.isSlow === true || clauses.some(testsDocuments);
  }

  get key(): string {
    return `c(${this.required.key}${this.clauses.map(({ key }) => key).join('')})`;
  }

  get parts(): readonly PlanNode[] {
    return this.clauses;
  }

  matcher(leaf: Leaf): Matcher {
    const meter = new SearchMeter();
    const required = this.required.forLeaf(leaf, meter);
    if (required === undefined) return NOTHING;
    const clauses = this.clauses.map((clause) => clause.matcher(leaf));
    return clauses.every(({ cost }) => cost === 0)
      ? NOTHING
      : new CoveringMatcher(this, clauses, required, meter);
  }
}
