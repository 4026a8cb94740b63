// Spans that lie near each other, in order or not (Lucene: NearSpansOrdered, NearSpansUnordered). Both pass
// through the spans of each source once, as Lucene's iterators do: O(spans · sources).

import type { SpanList, SpanReader, SpanSource } from '../../span-list.ts';
import { DerivedReader } from './reader-parts.ts';
import { isBefore } from './simple-spans.ts';

/** A part of an ordered sequence: a source, or a number of positions that may hold anything. */
type NearPart = SpanSource | number;

class OrderedReader extends DerivedReader {
  readonly #parts: readonly (SpanReader | number)[];
  readonly #slop: number;

  constructor(parts: readonly (SpanReader | number)[], slop: number) {
    super(parts.filter((part) => typeof part !== 'number'));
    this.#parts = parts;
    this.#slop = slop;
  }

  protected fill(doc: number, out: SpanList): void {
    const lists = this.#parts.map((part) => (typeof part === 'number' ? part : part.read(doc)));
    if (lists.some((list) => typeof list !== 'number' && list.count === 0)) return;
    const at = lists.map(() => 0);
    const first = lists[0]!;
    for (let i = 0; typeof first === 'number' || i < first.count; i++) {
      const start = typeof first === 'number' ? i : first.starts[i]!;
      let end = typeof first === 'number' ? i + first : first.ends[i]!;
      let width = 0;
      for (let k = 1; k < lists.length; k++) {
        const list = lists[k]!;
        if (typeof list === 'number') {
          end += list;
          continue;
        }
        while (at[k]! < list.count && list.starts[at[k]!]! < end) at[k]!++;
        if (at[k]! >= list.count) return;
        width += list.starts[at[k]!]! - end;
        end = list.ends[at[k]!]!;
      }
      if (width <= this.#slop) out.add(start, end, width);
    }
  }
}

class UnorderedReader extends DerivedReader {
  readonly #readers: readonly SpanReader[];
  readonly #slop: number;

  constructor(readers: readonly SpanReader[], slop: number) {
    super(readers);
    this.#readers = readers;
    this.#slop = slop;
  }

  /** The window holds one span of each source; the one that begins first moves on. */
  protected fill(doc: number, out: SpanList): void {
    const lists = this.#readers.map((reader) => reader.read(doc));
    if (lists.some(({ count }) => count === 0)) return;
    const window = new SpanWindow(lists);
    let total = 0;
    let end = 0;
    for (const { starts, ends } of lists) {
      total += ends[0]! - starts[0]!;
      end = Math.max(end, ends[0]!);
    }
    for (;;) {
      const list = lists[window.first]!;
      const i = window.at[window.first]!;
      const start = list.starts[i]!;
      if (end - start - total <= this.#slop) out.add(start, end, end - start);
      if (i + 1 >= list.count) return;
      total += list.ends[i + 1]! - list.starts[i + 1]! - (list.ends[i]! - start);
      end = Math.max(end, list.ends[i + 1]!);
      window.advance();
    }
  }
}

/**
 * A heap of lists by their present span. Which of equal spans is first decides what matches next, so the heap
 * is Lucene's: the same sequence of comparisons.
 */
class SpanWindow {
  /** The index of the present span of each list. */
  readonly at: number[];
  readonly #lists: readonly SpanList[];
  /** Numbers of lists, from 1 on. */
  readonly #heap: number[] = [0];

  constructor(lists: readonly SpanList[]) {
    this.#lists = lists;
    this.at = lists.map(() => 0);
    for (let node = 0; node < lists.length; node++) {
      let i = this.#heap.push(node) - 1;
      for (; i > 1 && this.#isBefore(node, this.#heap[i >>> 1]!); i >>>= 1) {
        this.#heap[i] = this.#heap[i >>> 1]!;
      }
      this.#heap[i] = node;
    }
  }

  /** The list whose span begins first. */
  get first(): number {
    return this.#heap[1]!;
  }

  /** Moves the first list to its next span. */
  advance(): void {
    const heap = this.#heap;
    const node = heap[1]!;
    this.at[node]!++;
    let i = 1;
    for (;;) {
      let child = i * 2;
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (child >= heap.length || !this.#isBefore(heap[child]!, node)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = node;
  }

  #isBefore(a: number, b: number): boolean {
    return isBefore(this.#lists[a]!, this.at[a]!, this.#lists[b]!, this.at[b]!);
  }
}

/** Sources one after the other, with at most `slop` positions between them. REQUIRES: a part is a source, if it is not last. */
export function orderedSpans(parts: readonly NearPart[], slop: number): SpanSource {
  return {
    key: `seq(${slop}${parts.map((part) => (typeof part === 'number' ? `+${part}` : part.key)).join('')})`,
    open: (open) =>
      new OrderedReader(
        parts.map((part) => (typeof part === 'number' ? part : part.open(open))),
        slop,
      ),
  };
}

/** Sources in any order, with at most `slop` positions between them. */
export function unorderedSpans(sources: readonly SpanSource[], slop: number): SpanSource {
  return {
    key: `near(${slop}${sources.map(({ key }) => key).join('')})`,
    open: (open) =>
      new UnorderedReader(
        sources.map((source) => source.open(open)),
        slop,
      ),
  };
}
