// Documents that hold any term of a set: `terms`, prefixes, wildcards, ranges of strings. A set is a list of
// ordinals in each leaf, found in its dictionary. Every match scores the same.

import { CHUNK_DOCS, type Leaf, type OrdinalColumn, type Terms } from '../../../segment/leaf.ts';
import { runToEnd } from '../../../turn.ts';
import type { Matcher } from '../../matcher.ts';
import type { TermSource, TermVisitor } from '../../query-terms.ts';
import { textKey } from '../cache-key.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ConstantMatcher, docsIn, FilterNode, newBits } from '../node.ts';
import { type GroupsByChunk, groupsByChunk, matchCost, orGroup } from './posting-groups.ts';

/** Groups of postings between two yields. */
const GROUPS = 1024;

/** A set in a leaf: nothing, postings by chunk, or ordinals of a column. */
type FoundSet =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'postings';
      readonly terms: Terms;
      readonly groups: GroupsByChunk;
      readonly cost: number;
    }
  | { readonly kind: 'column'; readonly column: OrdinalColumn; readonly accepted: Uint8Array };

const NO_SET: FoundSet = Object.freeze({ kind: 'none' });

class PostingsMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly effort = 1;
  readonly #terms: Terms;
  readonly #groups: GroupsByChunk;
  /** The chunk whose bits were made ahead. */
  #ahead = -1;
  #bits: Uint32Array | undefined;

  constructor(found: FoundSet & { kind: 'postings' }, constant: number) {
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

/** For a field with doc values but no postings: looks at every document. */
class ColumnMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #column: OrdinalColumn;
  readonly #accepted: Uint8Array;

  constructor(leaf: Leaf, found: FoundSet & { kind: 'column' }, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
    this.#column = found.column;
    this.#accepted = found.accepted;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const base = chunk * CHUNK_DOCS;
    const n = docsIn(this.#leaf, chunk);
    const { starts, ordinals, present } = this.#column;
    const accepted = this.#accepted;
    let any = false;
    bits.fill(0);
    for (let i = 0; i < n; i++) {
      const doc = base + i;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const end = starts === undefined ? doc + 1 : starts[doc + 1]!;
      for (let v = starts === undefined ? doc : starts[doc]!; v < end; v++) {
        if (accepted[ordinals[v]!] === 1) {
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
export class TermSetNode extends FilterNode {
  readonly path: string;
  readonly source: TermSource;
  /** The set in the leaf that is searched next: one leaf is searched after the other. */
  #prepared: { readonly leaf: Leaf; readonly found: FoundSet } | undefined;

  constructor(path: string, source: TermSource, constant: number) {
    super(constant);
    this.path = path;
    this.source = source;
  }

  get key(): string {
    return `s(${textKey(this.path)}${this.source.key})`;
  }

  visitTerms(visitor: TermVisitor): void {
    visitor.termSet(this.path, this.source);
  }

  *prepare(leaf: Leaf): Generator<void, void, undefined> {
    if (this.#prepared?.leaf === leaf) return;
    this.#prepared = { leaf, found: yield* this.#find(leaf) };
  }

  matcher(leaf: Leaf): Matcher {
    const found = this.#prepared?.leaf === leaf ? this.#prepared.found : runToEnd(this.#find(leaf));
    // Plans are memoized, and a set may be large and is used once.
    this.#prepared = undefined;
    if (found.kind === 'none') return NOTHING;
    return found.kind === 'postings'
      ? new PostingsMatcher(found, this.constant)
      : new ColumnMatcher(leaf, found, this.constant);
  }

  *#find(leaf: Leaf): Generator<void, FoundSet, undefined> {
    const terms = leaf.terms(this.path);
    if (terms?.indexed === true) {
      const ordinals = yield* this.source.ordinals(terms);
      if (ordinals.length === 0) return NO_SET;
      const cost = matchCost(leaf, terms, ordinals);
      const groups = yield* groupsByChunk(terms.postings, ordinals, Math.ceil(leaf.docCount / CHUNK_DOCS));
      return { kind: 'postings', terms, groups, cost };
    }
    const column = leaf.column(this.path);
    if (column?.kind !== 'ordinal') return NO_SET;
    const ordinals = yield* this.source.ordinals(column.terms);
    if (ordinals.length === 0) return NO_SET;
    let top = 0;
    for (let i = 0; i < ordinals.length; i++) top = Math.max(top, ordinals[i]! + 1);
    const accepted = new Uint8Array(top);
    for (let i = 0; i < ordinals.length; i++) accepted[ordinals[i]!] = 1;
    return { kind: 'column', column, accepted };
  }
}
