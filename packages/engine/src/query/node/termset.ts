// Which documents hold any term of a set? `terms`, prefixes, wildcards, ranges of strings: a set is a list of ordinals
// in each leaf, found in its dictionary; every match scores the same.

import { CHUNK_DOCS, type Leaf, type OrdinalColumn, type Terms } from '../../segment/leaf.ts';
import type { Matcher } from '../matcher.ts';
import { NOTHING } from './all.ts';
import { costOf, GroupsByChunk, orGroup } from './groups.ts';
import { textKey } from './key.ts';
import { ConstantMatcher, docsIn, type Node } from './node.ts';

/** The terms of a field, without what they point to. */
export type Dictionary = Pick<Terms, 'count' | 'sorted' | 'find' | 'term' | 'lowerBound' | 'ordinals'>;

/** A set of terms, as a dictionary sees it. */
export interface TermSource {
  /** Equal text, equal set. */
  readonly key: string;
  /** Ordinals of the terms of the set that the dictionary has, each once, in any order. */
  ordinals(terms: Dictionary): ArrayLike<number>;
}

class PostingsMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #terms: Terms;
  readonly #groups: GroupsByChunk;

  constructor(leaf: Leaf, terms: Terms, ordinals: ArrayLike<number>, constant: number) {
    super(constant);
    this.cost = costOf(leaf, terms, ordinals);
    this.#terms = terms;
    this.#groups = new GroupsByChunk(terms.postings, ordinals, Math.ceil(leaf.docCount / CHUNK_DOCS));
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const { starts, list } = this.#groups;
    bits.fill(0);
    const end = starts[chunk + 1] ?? 0;
    let i = starts[chunk] ?? 0;
    if (i >= end) return false;
    for (; i < end; i++) orGroup(this.#terms.postings, list[i]!, bits);
    return true;
  }
}

/** A field that has doc values but no postings: looks at every document. */
class ColumnMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #column: OrdinalColumn;
  readonly #wanted: Uint8Array;

  constructor(leaf: Leaf, column: OrdinalColumn, ordinals: ArrayLike<number>, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
    this.#column = column;
    let top = 0;
    for (let i = 0; i < ordinals.length; i++) top = Math.max(top, ordinals[i]! + 1);
    this.#wanted = new Uint8Array(top);
    for (let i = 0; i < ordinals.length; i++) this.#wanted[ordinals[i]!] = 1;
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
export class TermSetNode implements Node {
  readonly scoring = false;
  readonly sums = false;
  readonly matchesAll = false;
  readonly matchesNone = false;
  readonly path: string;
  readonly source: TermSource;
  readonly constant: number;

  constructor(path: string, source: TermSource, constant: number) {
    this.path = path;
    this.source = source;
    this.constant = constant;
  }

  get key(): string {
    return `s(${textKey(this.path)}${this.source.key})`;
  }

  matcher(leaf: Leaf): Matcher {
    const terms = leaf.terms(this.path);
    if (terms?.indexed === true) {
      const ordinals = this.source.ordinals(terms);
      return ordinals.length === 0 ? NOTHING : new PostingsMatcher(leaf, terms, ordinals, this.constant);
    }
    const column = leaf.column(this.path);
    if (column?.kind !== 'ordinal') return NOTHING;
    const ordinals = this.source.ordinals(column.terms);
    return ordinals.length === 0 ? NOTHING : new ColumnMatcher(leaf, column, ordinals, this.constant);
  }
}
