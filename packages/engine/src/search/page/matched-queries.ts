// Finds the named queries (`_name`) that the hits of a page match, and their scores. Each named plan matches
// the chunk of a hit once.

import { setBit } from '../../kernels/bits.ts';
import { type Matcher, testsDocuments } from '../../query/matcher.ts';
import { newBits } from '../../query/node/node.ts';
import type { NamedPlan } from '../../query/plan/planner.ts';
import { prepareInSteps, type Steps } from '../../query/steps.ts';
import { CHUNK_DOCS, type Leaf } from '../../segment/leaf.ts';
import type { PageDoc } from './document-page.ts';

/** A named query that a document matches; a float32 score where it was planned with scores. */
export interface NamedMatch {
  readonly name: string;
  readonly score: number | undefined;
}

// Scratch for synchronous use; every bit and score that is written is zeroed again.
const selected = newBits();
const scores = new Float64Array(CHUNK_DOCS);

/** The named queries over one leaf. Cheapest when documents of a chunk come together. */
export class NamedMatches {
  readonly #named: readonly NamedPlan[];
  readonly #matchers: readonly Matcher[];
  readonly #bits: Uint32Array[];
  #chunk = -1;

  constructor(named: readonly NamedPlan[], leaf: Leaf) {
    this.#named = named;
    this.#bits = named.map(newBits);
    this.#matchers = named.map(({ plan }) => plan.matcher(leaf));
  }

  /**
   * The queries that match a document, in the order in which they were planned. Of those with one name, the last one
   * counts, as in the peer.
   */
  of(doc: number): NamedMatch[] {
    const chunk = Math.floor(doc / CHUNK_DOCS);
    const low = doc % CHUNK_DOCS;
    for (let i = 0; i < this.#matchers.length; i++) {
      const isTesting = testsDocuments(this.#named[i]!.plan);
      if (chunk === this.#chunk && !isTesting) continue;
      const candidates = isTesting ? newBits() : undefined;
      if (candidates !== undefined) setBit(candidates, low);
      this.#matchers[i]!.match(chunk, this.#bits[i]!, candidates);
    }
    this.#chunk = chunk;
    const found = new Map<string, NamedMatch>();
    for (let i = 0; i < this.#named.length; i++) {
      const { name, scored } = this.#named[i]!;
      found.delete(name);
      if (((this.#bits[i]![low >>> 5]! >>> (low & 31)) & 1) === 0) continue;
      found.set(name, { name, score: scored ? scoreOf(this.#matchers[i]!, chunk, low) : undefined });
    }
    return [...found.values()];
  }
}

/** REQUIRES: the matcher has matched the chunk last. */
function scoreOf(matcher: Matcher, chunk: number, low: number): number {
  selected[low >>> 5] = 1 << (low & 31);
  matcher.score(chunk, selected, scores);
  const score = Math.fround(scores[low]!);
  selected[low >>> 5] = 0;
  scores[low] = 0;
  return score;
}

/**
 * For each document of a page, the named queries that it matches; undefined where none were given. Yields
 * between leaves.
 */
export function* matchedQueries(
  docs: readonly PageDoc[],
  named: ReadonlyMap<number, readonly NamedPlan[]>,
): Steps<(readonly NamedMatch[])[] | undefined> {
  if (![...named.values()].some((n) => n.length > 0)) return undefined;
  const found: (readonly NamedMatch[])[] = docs.map(() => []);
  const bySide = Map.groupBy(docs.keys(), (i) => docs[i]!.side);
  for (const [side, members] of bySide) {
    const plans = named.get(side.indexPlace) ?? [];
    for (const { plan } of plans) yield* prepareInSteps(plan, side.leaf);
    const matches = new NamedMatches(plans, side.leaf);
    for (const i of members.sort((a, b) => docs[a]!.doc - docs[b]!.doc)) found[i] = matches.of(docs[i]!.doc);
  }
  return found;
}
