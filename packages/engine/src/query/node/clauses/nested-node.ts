// The documents of which a nested object matches, with a score from those of the objects (Lucene:
// ToParentBlockJoinQuery).

import { hasBit, nextSetBit, setBit } from '../../../kernels/bits.ts';
import { lowerBound } from '../../../kernels/sorted-search.ts';
import type { JoinedObjects } from '../../../nested/nested-objects.ts';
import type { NestedView } from '../../../nested/view-objects.ts';
import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import type { Matcher, Plan } from '../../matcher.ts';
import { isStateless, prepareInSteps, type Steps } from '../../steps.ts';
import { borrowScores, newBits, type PlanNode, returnScores } from '../node.ts';
import { NOTHING } from './match-all-node.ts';

/** How the scores of the matching objects of a document become its score. */
export type NestedScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none';

/** A part whose matches are looked for. */
interface MatchedPart {
  readonly joined: JoinedObjects;
  readonly matcher: Matcher;
  /** Its matches, once known: a part is one chunk. */
  bits: Uint32Array | undefined;
}

/** The chunk of the document of an object. */
function chunkOf({ parents, base }: JoinedObjects, object: number): number {
  return Math.floor((parents[object]! - base) / CHUNK_DOCS);
}

class NestedMatcher implements Matcher {
  readonly cost: number;
  readonly termSets: number;
  readonly #parts: readonly MatchedPart[];
  readonly #mode: NestedScoreMode;

  constructor(parts: readonly MatchedPart[], mode: NestedScoreMode) {
    this.#parts = parts;
    this.#mode = mode;
    this.cost = parts.reduce((sum, { matcher }) => sum + matcher.cost, 0);
    this.termSets = parts.length;
  }

  *matchAhead(chunk: number): Steps<void> {
    for (const part of this.#partsOf(chunk)) {
      matchesOf(part);
      yield;
    }
  }

  match(chunk: number, bits: Uint32Array): boolean {
    bits.fill(0);
    let any = false;
    for (const part of this.#partsOf(chunk))
      eachMatch(part, chunk, (_, document) => {
        setBit(bits, document);
        any = true;
      });
    return any;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    if (this.#mode === 'none') return;
    const sums = borrowScores();
    const counts = borrowScores();
    const own = borrowScores();
    const chosen = newBits();
    for (const part of this.#partsOf(chunk)) {
      chosen.fill(0);
      eachMatch(part, chunk, (object, document) => {
        if (hasBit(bits, document)) setBit(chosen, object);
      });
      part.matcher.score(0, chosen, own);
      eachMatch(part, chunk, (object, document) => {
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

/** Visits the matching objects of the documents of a chunk, with the low bits of the document. */
function eachMatch(
  part: MatchedPart,
  chunk: number,
  visit: (object: number, document: number) => void,
): void {
  const { parents, base, from, to } = part.joined;
  const first = base + chunk * CHUNK_DOCS;
  const bits = matchesOf(part);
  const start = lowerBound(parents, from, to, first);
  const end = lowerBound(parents, start, to, first + CHUNK_DOCS);
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
      .map((joined): MatchedPart => ({ joined, matcher: this.inner.matcher(joined.leaf), bits: undefined }))
      .filter(({ matcher }) => matcher !== NOTHING);
    return parts.length === 0 ? NOTHING : new NestedMatcher(parts, this.mode);
  }

  *#prepare(leaf: Leaf): Steps<void> {
    for (const { leaf: objects } of this.objects.join(leaf)) yield* prepareInSteps(this.inner, objects);
  }
}
