// What a planned query looks for in the dictionaries of fields: terms, sets of terms and phrases, and the
// visitor that gets them (Lucene: QueryVisitor). Highlighting and suggestions about terms start from here.

import type { Terms } from '../segment/leaf.ts';
import type { SpanSource } from './span-list.ts';

/** The terms of a field, without what they point to. */
export type TermDictionary = Pick<
  Terms,
  'count' | 'sorted' | 'find' | 'term' | 'lowerBound' | 'ordinals' | 'bytes' | 'starts'
>;

/** A set of terms, to be found in a dictionary. */
export interface TermSource {
  /** Equal text, equal set. */
  readonly key: string;
  /** The terms themselves, or what they all begin with, where that is what the source was made of. */
  readonly exact?: readonly Uint8Array[];
  readonly prefix?: Uint8Array;
  /** Ordinals of the terms of the set that the dictionary has, each once, in any order. Yields as it goes. */
  ordinals(terms: TermDictionary): Generator<void, ArrayLike<number>, undefined>;
}

/** One slot of a phrase: any of some terms, at an offset from its start. */
export interface PhraseSlot {
  readonly offset: number;
  readonly terms: readonly Uint8Array[];
}

/** Receives what a plan looks for. */
export interface TermVisitor {
  /** Any of some terms. */
  terms(path: string, terms: readonly Uint8Array[]): void;
  termSet(path: string, source: TermSource): void;
  phrase(path: string, slots: readonly PhraseSlot[], slop: number): void;
  spans(path: string, source: SpanSource): void;
}
