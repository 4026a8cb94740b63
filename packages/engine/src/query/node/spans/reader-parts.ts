// Readers over other readers: which documents are candidates, and the order of spans.

import { andInto, orInto } from '../../../kernels/bits.ts';
import { SpanList, type SpanReader } from '../../span-list.ts';
import { newBits } from '../node.ts';

/**
 * The documents that all readers have. Each reader is told of the chunk, also where an earlier one has no
 * document: `read` may be called for any document of it.
 */
export class AllOf {
  readonly cost: number;
  readonly #readers: readonly SpanReader[];
  readonly #other: Uint32Array = newBits();

  constructor(readers: readonly SpanReader[]) {
    this.#readers = readers;
    this.cost = Math.min(...readers.map(({ cost }) => cost));
  }

  candidates(chunk: number, bits: Uint32Array): boolean {
    let all = true;
    this.#readers.forEach((reader, i) => {
      if (!reader.candidates(chunk, i === 0 ? bits : this.#other)) all = false;
      if (i > 0) andInto(bits, this.#other);
    });
    if (!all) bits.fill(0);
    return all;
  }
}

/** A reader that takes some spans of others. */
export abstract class DerivedReader implements SpanReader {
  readonly cost: number;
  protected readonly out: SpanList = new SpanList();
  readonly #required: AllOf;

  /** `required`: readers without whose spans there are none. */
  constructor(required: readonly SpanReader[]) {
    this.#required = new AllOf(required);
    this.cost = this.#required.cost;
  }

  candidates(chunk: number, bits: Uint32Array): boolean {
    return this.#required.candidates(chunk, bits);
  }

  read(doc: number): SpanList {
    this.out.count = 0;
    this.fill(doc, this.out);
    return this.out;
  }

  /** Adds the spans of a document. */
  protected abstract fill(doc: number, out: SpanList): void;
}

/** A reader that merges the spans of several. */
export abstract class MergingReader implements SpanReader {
  readonly cost: number;
  readonly #readers: readonly SpanReader[];
  readonly #other: Uint32Array = newBits();
  readonly #out: SpanList = new SpanList();

  constructor(readers: readonly SpanReader[]) {
    this.#readers = readers;
    this.cost = readers.reduce((sum, { cost }) => sum + cost, 0);
  }

  candidates(chunk: number, bits: Uint32Array): boolean {
    let any = false;
    bits.fill(0);
    for (const reader of this.#readers) {
      if (!reader.candidates(chunk, this.#other)) continue;
      any = true;
      orInto(bits, this.#other);
    }
    return any;
  }

  read(doc: number): SpanList {
    const lists = this.#readers.map((reader) => reader.read(doc)).filter(({ count }) => count > 0);
    this.#out.count = 0;
    this.merge(lists, this.#out);
    return this.#out;
  }

  /** Adds the spans of the lists that are left, none of which is empty. */
  protected abstract merge(lists: readonly SpanList[], out: SpanList): void;
}
