// The documents of which a nested object matches, with a score from those of the objects (Lucene:
// ToParentBlockJoinQuery).

import { andInto, hasBit, nextSetBit, setBit } from '../../../kernels/bits.ts';
import { lowerBound } from '../../../kernels/sorted-search.ts';
import type { JoinedObjects } from '../../../nested/nested-objects.ts';
import type { NestedView } from '../../../nested/view-objects.ts';
import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import { type Matcher, type Plan, testsDocuments } from '../../matcher.ts';
import {
  effortOf,
  isStateless,
  matchAllAhead,
  prepareInSteps,
  type Steps,
  scoreMatchesAhead,
} from '../../steps.ts';
import { borrowScores, newBits, type PlanNode, returnScores } from '../node.ts';
import { NOTHING } from './match-all-node.ts';

/** How the scores of the matching objects of a document become its score. */
export type NestedScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none';

/** A part whose matches are looked for. */
interface MatchedPart {
  readonly joined: JoinedObjects;
  readonly matcher: Matcher;
  /** Whether it tests objects one by one, and so only those of candidates. */
  readonly isTesting: boolean;
  /** Its matches, once known: a part is one chunk. */
  bits: Uint32Array | undefined;
}

/** The chunk of the document of an object. */
function chunkOf({ parents, base }: JoinedObjects, object: number): number {
  return Math.floor((parents[object]! - base) / CHUNK_DOCS);
}

class NestedMatcher implements Matcher {
  readonly cost: number;
  readonly effort: number;
  readonly scoreAhead?: (chunk: number, bits: Uint32Array) => Steps<void>;
  readonly #parts: readonly MatchedPart[];
  readonly #mode: NestedScoreMode;

  constructor(parts: readonly MatchedPart[], mode: NestedScoreMode) {
    this.#parts = parts;
    this.#mode = mode;
    const matchers = parts.map(({ matcher }) => matcher);
    this.cost = matchers.reduce((sum, { cost }) => sum + cost, 0);
    this.effort = Math.max(parts.length, effortOf(matchers));
    if (matchers.some((matcher) => matcher.scoreAhead !== undefined))
      this.scoreAhead = (chunk, bits) => this.#scoreAhead(chunk, bits);
  }

  *matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    for (const part of this.#partsOf(chunk)) {
      if (part.isTesting)
        yield* matchAllAhead([part.matcher], 0, objectsWithin(part.joined, chunk, candidates));
      else matchesOf(part);
      yield;
    }
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    bits.fill(0);
    let any = false;
    for (const part of this.#partsOf(chunk))
      eachMatch(part, chunk, candidates, (_, document) => {
        setBit(bits, document);
        any = true;
      });
    return any;
  }

  *#scoreAhead(chunk: number, bits: Uint32Array): Steps<void> {
    if (this.#mode === 'none') return;
    for (const { joined, matcher } of this.#partsOf(chunk))
      yield* scoreMatchesAhead([matcher], 0, objectsWithin(joined, chunk, bits));
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    if (this.#mode === 'none') return;
    const sums = borrowScores();
    const counts = borrowScores();
    const own = borrowScores();
    const chosen = newBits();
    for (const part of this.#partsOf(chunk)) {
      chosen.fill(0);
      eachMatch(part, chunk, bits, (object, document) => {
        if (hasBit(bits, document)) setBit(chosen, object);
      });
      part.matcher.score(0, chosen, own);
      eachMatch(part, chunk, bits, (object, document) => {
        if (!hasBit(bits, document)) return;
        const score = Math.fround(own[object]!);
        own[object] = 0;
        sums[document] = counts[document] === 0 ? score : this.#joined(sums[document]!, score);
        counts[document]!++;
      });
    }
    for (let doc = nextSetBit(bits, 0); doc >= 0; doc = nextSetBit(bits, doc + 1)) {
      const count = counts[doc]!;
      if (count > 0) scores[doc]! += Math.fround(this.#mode === 'avg' ? sums[doc]! / count : sums[doc]!);
      sums[doc] = counts[doc] = 0;
    }
    for (const each of [sums, counts, own]) returnScores(each);
  }

  #joined(before: number, score: number): number {
    if (this.#mode === 'min') return Math.min(before, score);
    return this.#mode === 'max' ? Math.max(before, score) : before + score;
  }

  /** The parts with objects of documents of a chunk. */
  #partsOf(chunk: number): readonly MatchedPart[] {
    return this.#parts.filter(
      ({ joined }) => chunkOf(joined, joined.from) <= chunk && chunk <= chunkOf(joined, joined.to - 1),
    );
  }
}

function matchesOf(part: MatchedPart): Uint32Array {
  if (part.bits === undefined) part.matcher.match(0, (part.bits = newBits()));
  return part.bits;
}

/** The objects of the documents of a chunk: where they begin and end. */
function range({ parents, base, from, to }: JoinedObjects, chunk: number): readonly [number, number] {
  const first = base + chunk * CHUNK_DOCS;
  const start = lowerBound(parents, from, to, first);
  return [start, lowerBound(parents, start, to, first + CHUNK_DOCS)];
}

/** The objects of those documents of a chunk that are candidates. */
function objectsWithin(
  joined: JoinedObjects,
  chunk: number,
  candidates: Uint32Array | undefined,
): Uint32Array {
  const objects = newBits();
  const [start, end] = range(joined, chunk);
  const first = joined.base + chunk * CHUNK_DOCS;
  for (let object = start; object < end; object++)
    if (candidates === undefined || hasBit(candidates, joined.parents[object]! - first))
      setBit(objects, object);
  return objects;
}

/** Visits the matching objects of the documents of a chunk, with the low bits of the document. */
function eachMatch(
  part: MatchedPart,
  chunk: number,
  candidates: Uint32Array | undefined,
  visit: (object: number, document: number) => void,
): void {
  const { joined, matcher, isTesting } = part;
  const { parents, base } = joined;
  const first = base + chunk * CHUNK_DOCS;
  const [start, end] = range(joined, chunk);
  let bits: Uint32Array;
  if (isTesting) {
    const objects = objectsWithin(joined, chunk, candidates);
    matcher.match(0, (bits = newBits()), objects);
    andInto(bits, objects);
  } else bits = matchesOf(part);
  for (let object = nextSetBit(bits, start, end); object >= 0; object = nextSetBit(bits, object + 1, end))
    visit(object, parents[object]! - first);
}

/** The documents with a matching object. */
export class NestedNode implements PlanNode {
  readonly scoring: boolean;
  readonly constant = 0;
  readonly sumsFloats = false;
  readonly matchesAll = false;
  readonly matchesNone: boolean;
  readonly testsDocuments: boolean;
  readonly inner: Plan;
  readonly objects: NestedView;
  readonly mode: NestedScoreMode;
  readonly prepare?: (leaf: Leaf) => Steps<void>;

  constructor(inner: PlanNode, objects: NestedView, mode: NestedScoreMode) {
    this.inner = inner;
    this.objects = objects;
    this.mode = mode;
    this.scoring = mode !== 'none';
    this.matchesNone = inner.matchesNone;
    this.testsDocuments = testsDocuments(inner);
    if (!isStateless(inner)) this.prepare = (leaf) => this.#prepare(leaf);
  }

  /** For what looks for terms; matching is none of their business, because their leaves are others. */
  get wanted(): readonly Plan[] {
    return [this.inner];
  }

  get key(): string {
    return `nested(${this.objects.path},${this.inner.key})`;
  }

  matcher(leaf: Leaf): Matcher {
    const parts = this.objects
      .join(leaf)
      .map(
        (joined): MatchedPart => ({
          joined,
          matcher: this.inner.matcher(joined.leaf),
          isTesting: this.testsDocuments,
          bits: undefined,
        }),
      )
      .filter(({ matcher }) => matcher !== NOTHING);
    return parts.length === 0 ? NOTHING : new NestedMatcher(parts, this.mode);
  }

  *#prepare(leaf: Leaf): Steps<void> {
    for (const { leaf: objects } of this.objects.join(leaf)) yield* prepareInSteps(this.inner, objects);
  }
}
