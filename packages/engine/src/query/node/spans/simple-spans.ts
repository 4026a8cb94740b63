// Spans of terms, of any of several sources, and those of a source that pass a test of their place.

import type { SpanList, SpanReader, SpanSource } from '../../span-list.ts';
import { byteKey } from '../cache-key.ts';
import { newBits } from '../node.ts';
import { AllOf, DerivedReader, MergingReader } from './reader-parts.ts';

/** Any of some terms of a field. */
export function termSpans(path: string, terms: readonly Uint8Array[]): SpanSource {
  let key: string | undefined;
  return {
    get key() {
      return (key ??= `[${terms.map((bytes) => byteKey(path, bytes)).join('')}]`);
    },
    open: (open) => open(path, terms),
  };
}

class OrReader extends MergingReader {
  /** Merges by start, then by end. Equal spans are given once for each source, as Lucene does. */
  protected merge(lists: readonly SpanList[], out: SpanList): void {
    const at = lists.map(() => 0);
    for (;;) {
      let first = -1;
      for (let i = 0; i < lists.length; i++) {
        if (at[i]! >= lists[i]!.count) continue;
        if (first < 0 || isBefore(lists[i]!, at[i]!, lists[first]!, at[first]!)) first = i;
      }
      if (first < 0) return;
      out.addFrom(lists[first]!, at[first]!++);
    }
  }
}

/** Whether span i of a begins before span k of b, or there too and ends before it. */
export function isBefore(a: SpanList, i: number, b: SpanList, k: number): boolean {
  const d = a.starts[i]! - b.starts[k]!;
  return d < 0 || (d === 0 && a.ends[i]! < b.ends[k]!);
}

/** The spans of all sources. */
export function orSpans(sources: readonly SpanSource[]): SpanSource {
  return {
    key: `or(${sources.map(({ key }) => key).join('')})`,
    open: (open) => new OrReader(sources.map((source) => source.open(open))),
  };
}

class FirstReader extends DerivedReader {
  readonly #inner: SpanReader;
  readonly #end: number;

  constructor(inner: SpanReader, end: number) {
    super([inner]);
    this.#inner = inner;
    this.#end = end;
  }

  protected fill(doc: number, out: SpanList): void {
    const spans = this.#inner.read(doc);
    for (let i = 0; i < spans.count && spans.starts[i]! < this.#end; i++) {
      if (spans.ends[i]! <= this.#end) out.addFrom(spans, i);
    }
  }
}

/** Spans that end at or before a position. */
export function firstSpans(inner: SpanSource, end: number): SpanSource {
  return { key: `first(${inner.key}${end})`, open: (open) => new FirstReader(inner.open(open), end) };
}

class NotReader extends DerivedReader {
  readonly #include: SpanReader;
  readonly #exclude: SpanReader;
  readonly #excluded: AllOf;
  readonly #bits: Uint32Array = newBits();
  readonly #before: number;
  readonly #after: number;

  constructor(include: SpanReader, exclude: SpanReader, before: number, after: number) {
    super([include]);
    this.#include = include;
    this.#exclude = exclude;
    this.#excluded = new AllOf([exclude]);
    this.#before = before;
    this.#after = after;
  }

  override candidates(chunk: number, bits: Uint32Array): boolean {
    this.#excluded.candidates(chunk, this.#bits);
    return super.candidates(chunk, bits);
  }

  /** The excluded spans are passed through once, as by Lucene: their ends need not ascend. */
  protected fill(doc: number, out: SpanList): void {
    const spans = this.#include.read(doc);
    const not = this.#exclude.read(doc);
    let at = 0;
    for (let i = 0; i < spans.count; i++) {
      while (at < not.count && not.ends[at]! <= spans.starts[i]! - this.#before) at++;
      if (at >= not.count || not.starts[at]! - this.#after >= spans.ends[i]!) out.addFrom(spans, i);
    }
  }
}

/** Spans without an excluded one in them, or up to `before` and `after` positions beside them. */
export function notSpans(
  include: SpanSource,
  exclude: SpanSource,
  before: number,
  after: number,
): SpanSource {
  return {
    key: `not(${include.key}${exclude.key}${before},${after})`,
    open: (open) => new NotReader(include.open(open), exclude.open(open), before, after),
  };
}

class ContainReader extends DerivedReader {
  readonly #big: SpanReader;
  readonly #little: SpanReader;
  readonly #keepsBig: boolean;

  constructor(big: SpanReader, little: SpanReader, keepsBig: boolean) {
    super([big, little]);
    this.#big = big;
    this.#little = little;
    this.#keepsBig = keepsBig;
  }

  protected fill(doc: number, out: SpanList): void {
    const big = this.#big.read(doc);
    const little = this.#little.read(doc);
    if (big.count === 0 || little.count === 0) return;
    let other = 0;
    if (this.#keepsBig) {
      for (let i = 0; i < big.count; i++) {
        while (other < little.count && little.starts[other]! < big.starts[i]!) other++;
        if (other >= little.count) return;
        if (big.ends[i]! >= little.ends[other]!) out.addFrom(big, i);
      }
      return;
    }
    for (let i = 0; i < little.count; i++) {
      while (other < big.count && big.ends[other]! < little.ends[i]!) other++;
      if (other >= big.count) return;
      if (big.starts[other]! <= little.starts[i]!) out.addFrom(little, i);
    }
  }
}

/** Spans of `big` that contain one of `little`, or those of `little` that lie in one of `big`. */
export function containSpans(big: SpanSource, little: SpanSource, keeps: 'big' | 'little'): SpanSource {
  return {
    key: `${keeps}(${big.key}${little.key})`,
    open: (open) => new ContainReader(big.open(open), little.open(open), keeps === 'big'),
  };
}
