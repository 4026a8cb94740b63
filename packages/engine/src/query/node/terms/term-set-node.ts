// Which documents hold any term of a set? `terms`, prefixes, wildcards, ranges of strings: a set is a list of ordinals
// in each leaf, found in its dictionary; every match scores the same.

import { CHUNK_DOCS, type Leaf, type OrdinalColumn, type Terms } from '../../../segment/leaf.ts';
import { runToEnd } from '../../../turn.ts';
import type { Matcher } from '../../matcher.ts';
import { textKey } from '../cache-key.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ConstantMatcher, docsIn, newBits, type PlanNode } from '../node.ts';
import { type GroupsByChunk, groupsByChunk, matchCost, orGroup } from './posting-groups.ts';

/** Groups of postings between two yields. */
const GROUPS = 1024;

/** The terms of a field, without what they point to. */
export type TermDictionary = Pick<
  Terms,
  'count' | 'sorted' | 'find' | 'term' | 'lowerBound' | 'ordinals' | 'bytes' | 'starts'
>;

/** A set of terms, as a dictionary sees it. */
export interface TermSource {
  /** Equal text, equal set. */
  readonly key: string;
  /** Ordinals of the terms of the set that the dictionary has, each once, in any order. Yields as it goes. */
  ordinals(terms: TermDictionary): Generator<void, ArrayLike<number>, undefined>;
}

/** What a set comes to in a leaf: nothing, postings by chunk, or ordinals of a column. */
type Found =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'postings';
      readonly terms: Terms;
      readonly groups: GroupsByChunk;
      readonly cost: number;
    }
  | { readonly kind: 'column'; readonly column: OrdinalColumn; readonly wanted: Uint8Array };

const NOWHERE: Found = Object.freeze({ kind: 'none' });

class PostingsMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly termSets = 1;
  readonly #terms: Terms;
  readonly #groups: GroupsByChunk;
  /** The chunk that `bits` are of, when they were made ahead. */
  #ahead = -1;
  #bits: Uint32Array | undefined;

  constructor(found: Found & { kind: 'postings' }, constant: number) {
    super(constant);
    this.cost = found.cost;
    this.#terms = found.terms;
    this.#groups = found.groups;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const { starts, list } = this.#groups;
    const end = starts[chunk + 1] ?? 0;
    const start = starts[chunk] ?? 0;
    if (start >= end) {
      bits.fill(0);
      return false;
    }
    if (chunk === this.#ahead) {
      bits.set(this.#bits!);
      return true;
    }
    bits.fill(0);
    for (let i = start; i < end; i++) orGroup(this.#terms.postings, list[i]!, bits);
    return true;
  }

  *matchAhead(chunk: number): Generator<void, void, undefined> {
    const { starts, list } = this.#groups;
    const bits = (this.#bits ??= newBits());
    this.#ahead = -1;
    bits.fill(0);
    const end = starts[chunk + 1] ?? 0;
    const start = starts[chunk] ?? 0;
    for (let i = start; i < end; i++) {
      if ((i - start) % GROUPS === GROUPS - 1) yield;
      orGroup(this.#terms.postings, list[i]!, bits);
    }
    this.#ahead = chunk;
  }
}

/** A field that has doc values but no postings: looks at every document. */
class ColumnMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #column: OrdinalColumn;
  readonly #wanted: Uint8Array;

  constructor(leaf: Leaf, found: Found & { kind: 'column' }, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
    this.#column = found.column;
    this.#wanted = found.wanted;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const base = chunk * CHUNK_DOCS;
    const n = docsIn(this.#leaf, chunk);
    const { starts, ordinals, present } = this.#column;
    const wanted = this.#wanted;
    let any = false;
    bits.fill(0);
    for (let i = 0; i < n; i++) {
      const doc = base + i;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const end = starts === undefined ? doc + 1 : starts[doc + 1]!;
      for (let v = starts === undefined ? doc : starts[doc]!; v < end; v++) {
        if (wanted[ordinals[v]!] === 1) {
          bits[i >>> 5]! |= 1 << (i & 31);
          any = true;
          break;
        }
      }
    }
    return any;
  }
}

/** Documents with any term of a set. */
export class TermSetNode implements PlanNode {
  readonly scoring = false;
  readonly sumsFloats = false;
  readonly matchesAll = false;
  readonly matchesNone = false;
  readonly path: string;
  readonly source: TermSource;
  readonly constant: number;
  /** What was found ahead for the next matcher: one leaf is searched after the other. */
  #last: { readonly leaf: Leaf; readonly found: Found } | undefined;

  constructor(path: string, source: TermSource, constant: number) {
    this.path = path;
    this.source = source;
    this.constant = constant;
  }

  get key(): string {
    return `s(${textKey(this.path)}${this.source.key})`;
  }

  *prepare(leaf: Leaf): Generator<void, void, undefined> {
    if (this.#last?.leaf === leaf) return;
    this.#last = { leaf, found: yield* this.#find(leaf) };
  }

  matcher(leaf: Leaf): Matcher {
    const found = this.#last?.leaf === leaf ? this.#last.found : runToEnd(this.#find(leaf));
    // Plans are kept; what they found may be large, and is asked for once.
    this.#last = undefined;
    if (found.kind === 'none') return NOTHING;
    return found.kind === 'postings'
      ? new PostingsMatcher(found, this.constant)
      : new ColumnMatcher(leaf, found, this.constant);
  }

  *#find(leaf: Leaf): Generator<void, Found, undefined> {
    const terms = leaf.terms(this.path);
    if (terms?.indexed === true) {
      const ordinals = yield* this.source.ordinals(terms);
      if (ordinals.length === 0) return NOWHERE;
      const cost = matchCost(leaf, terms, ordinals);
      const groups = yield* groupsByChunk(terms.postings, ordinals, Math.ceil(leaf.docCount / CHUNK_DOCS));
      return { kind: 'postings', terms, groups, cost };
    }
    const column = leaf.column(this.path);
    if (column?.kind !== 'ordinal') return NOWHERE;
    const ordinals = yield* this.source.ordinals(column.terms);
    if (ordinals.length === 0) return NOWHERE;
    let top = 0;
    for (let i = 0; i < ordinals.length; i++) top = Math.max(top, ordinals[i]! + 1);
    const wanted = new Uint8Array(top);
    for (let i = 0; i < ordinals.length; i++) wanted[ordinals[i]!] = 1;
    return { kind: 'column', column, wanted };
  }
}
