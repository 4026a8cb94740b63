// Readers of intervals: minimal ones, as Lucene's iterators give them. Ends lie behind the last position.

import type { SpanList, SpanReader } from '../../span-list.ts';
import { newBits } from '../node.ts';
import { DerivedReader, MergingReader } from './reader-parts.ts';

/** The place of a reader that has not been moved, or has no more intervals. */
const BEFORE = -1;
const BEYOND = Number.MAX_SAFE_INTEGER;

/** A list that is passed through once. */
class Walk {
  readonly list: SpanList;
  at = -1;

  constructor(list: SpanList) {
    this.list = list;
  }

  get start(): number {
    return this.#value(this.list.starts);
  }

  /** The last position. */
  get last(): number {
    const end = this.#value(this.list.ends);
    return end === BEFORE || end === BEYOND ? end : end - 1;
  }

  #value(values: readonly number[]): number {
    return this.at < 0 ? BEFORE : this.at >= this.list.count ? BEYOND : values[this.at]!;
  }

  get extent(): number {
    return this.list.extents[this.at]!;
  }

  /** Moves on; false where there is nothing more. */
  next(): boolean {
    if (this.at < this.list.count) this.at++;
    return this.at < this.list.count;
  }
}

/** The minimal intervals of several readers. */
export class MinimalOrReader extends MergingReader {
  protected merge(lists: readonly SpanList[], out: SpanList): void {
    const at = lists.map(() => 0);
    let current = pick(lists, at);
    while (current >= 0) {
      const list = lists[current]!;
      out.addFrom(list, at[current]!);
      const start = list.starts[at[current]!]!;
      const end = list.ends[at[current]!]!;
      for (;;) {
        current = pick(lists, at);
        if (current < 0) return;
        const top = lists[current]!;
        if (top.starts[at[current]!]! > start || top.ends[at[current]!]! < end) break;
        at[current]!++;
      }
    }
  }
}

/** The list whose interval ends first, of several the shortest; -1 where all are through. */
function pick(lists: readonly SpanList[], at: readonly number[]): number {
  let best = -1;
  for (let i = 0; i < lists.length; i++) {
    if (at[i]! >= lists[i]!.count) continue;
    if (best >= 0) {
      const d = lists[i]!.ends[at[i]!]! - lists[best]!.ends[at[best]!]!;
      if (d > 0 || (d === 0 && lists[i]!.starts[at[i]!]! <= lists[best]!.starts[at[best]!]!)) continue;
    }
    best = i;
  }
  return best;
}

/** A reader of several that must all have intervals. */
abstract class SequenceReader extends DerivedReader {
  readonly #readers: readonly SpanReader[];

  constructor(readers: readonly SpanReader[]) {
    super(readers);
    this.#readers = readers;
  }

  protected fill(doc: number, out: SpanList): void {
    const lists = this.#readers.map((reader) => reader.read(doc));
    if (lists.every(({ count }) => count > 0)) {
      this.walk(
        lists.map((list) => new Walk(list)),
        out,
      );
    }
  }

  protected abstract walk(walks: readonly Walk[], out: SpanList): void;
}

/** Intervals side by side. */
export class BlockReader extends SequenceReader {
  protected walk(walks: readonly Walk[], out: SpanList): void {
    const first = walks[0]!;
    while (first.next()) {
      let i = 1;
      while (i < walks.length) {
        const walk = walks[i]!;
        const before = walks[i - 1]!.last;
        while (walk.start <= before) if (!walk.next()) return;
        if (walk.start === before + 1) i++;
        else {
          if (!first.next()) return;
          i = 1;
        }
      }
      out.add(first.start, walks.at(-1)!.last + 1, 0);
    }
  }
}

/** Intervals in order: of those that end at one place the shortest. */
export class OrderedIntervalReader extends SequenceReader {
  protected walk(walks: readonly Walk[], out: SpanList): void {
    const first = walks[0]!;
    const end = walks.at(-1)!;
    first.next();
    for (;;) {
      let found: [start: number, last: number, gaps: number] | undefined;
      let lastStart = BEYOND;
      let isMinimizing = false;
      while (this.#stretch(walks, lastStart, isMinimizing)) {
        if (first.start === BEYOND) break;
        let gaps = end.last - first.start + 1;
        for (const walk of walks) gaps -= walk.extent;
        found = [first.start, end.last, gaps];
        lastStart = end.start;
        if (!first.next()) break;
        isMinimizing = true;
      }
      if (found === undefined) return;
      out.add(found[0], found[1] + 1, found[2]);
    }
  }

  /** Moves each walk behind the one before it; false where that would not end before `lastStart`. */
  #stretch(walks: readonly Walk[], lastStart: number, isMinimizing: boolean): boolean {
    for (let i = 1; ; i++) {
      const before = walks[i - 1]!;
      if (before.last >= lastStart) return false;
      if (i === walks.length) return true;
      const walk = walks[i]!;
      if (isMinimizing && walk.start > before.last) return true;
      do {
        if (walk.last >= lastStart || !walk.next()) return false;
      } while (walk.start <= before.last);
    }
  }
}

/** Intervals in any order, made as short as possible. */
export class UnorderedIntervalReader extends SequenceReader {
  protected walk(walks: readonly Walk[], out: SpanList): void {
    let queueEnd = -1;
    let isFull = true;
    const move = (walk: Walk): void => {
      if (walk.next()) queueEnd = Math.max(queueEnd, walk.last);
      else isFull = false;
    };
    for (const walk of walks) move(walk);
    let start = -1;
    for (;;) {
      while (isFull && topOf(walks).start === start) move(topOf(walks));
      if (!isFull) return;
      let end: number;
      let gaps: number;
      do {
        const top = topOf(walks);
        start = top.start;
        end = queueEnd;
        gaps = end - start + 1;
        for (const walk of walks) gaps -= walk.extent;
        if (top.last === end) break;
        move(top);
      } while (isFull && end === queueEnd);
      out.add(start, end + 1, gaps);
    }
  }
}

/** The walk that begins first, of several the one that ends last. */
function topOf(walks: readonly Walk[]): Walk {
  let top = walks[0]!;
  for (const walk of walks) {
    if (walk.start < top.start || (walk.start === top.start && walk.last > top.last)) top = walk;
  }
  return top;
}

/** Several intervals of one reader after each other. */
export class RepeatReader extends DerivedReader {
  readonly #inner: SpanReader;
  readonly #times: number;

  constructor(inner: SpanReader, times: number) {
    super([inner]);
    this.#inner = inner;
    this.#times = times;
  }

  protected fill(doc: number, out: SpanList): void {
    const { starts, ends, count } = this.#inner.read(doc);
    for (let i = 0; i + this.#times <= count; i++) {
      // Lucene takes the length of each away from 2, which is right for single positions only.
      let extent = 0;
      for (let k = i; k < i + this.#times; k++) extent += starts[k]! - (ends[k]! - 1) + 1;
      const end = ends[i + this.#times - 1]!;
      out.add(starts[i]!, end, end - starts[i]! - extent, extent);
    }
  }
}

/** Intervals with few gaps. */
export class MaxGapsReader extends DerivedReader {
  readonly #inner: SpanReader;
  readonly #most: number;

  constructor(inner: SpanReader, most: number) {
    super([inner]);
    this.#inner = inner;
    this.#most = most;
  }

  protected fill(doc: number, out: SpanList): void {
    const spans = this.#inner.read(doc);
    for (let i = 0; i < spans.count; i++) if (spans.widths[i]! <= this.#most) out.addFrom(spans, i);
  }
}

/** Intervals with some positions more. */
export class ExtendReader extends DerivedReader {
  readonly #inner: SpanReader;
  readonly #before: number;
  readonly #after: number;

  constructor(inner: SpanReader, before: number, after: number) {
    super([inner]);
    this.#inner = inner;
    this.#before = before;
    this.#after = after;
  }

  protected fill(doc: number, out: SpanList): void {
    const { starts, ends, widths, count } = this.#inner.read(doc);
    for (let i = 0; i < count; i++) {
      out.add(Math.max(0, starts[i]! - this.#before), ends[i]! + this.#after, widths[i]!);
    }
  }
}

/** The position before or after each interval. */
export class OffsetReader extends DerivedReader {
  readonly #inner: SpanReader;
  readonly #isBefore: boolean;

  constructor(inner: SpanReader, isBefore: boolean) {
    super([inner]);
    this.#inner = inner;
    this.#isBefore = isBefore;
  }

  protected fill(doc: number, out: SpanList): void {
    const { starts, ends, count } = this.#inner.read(doc);
    for (let i = 0; i < count; i++) {
      const at = this.#isBefore ? Math.max(0, starts[i]! - 1) : ends[i]!;
      out.add(at, at + 1, 0);
    }
  }
}

/** A relation of two intervals. */
export type FilterRule =
  | 'containing'
  | 'contained_by'
  | 'not_containing'
  | 'not_contained_by'
  | 'not_overlapping'
  | 'overlapping';

/** Intervals of one reader that stand in a relation to those of another. Both are passed through once. */
export class FilterReader extends DerivedReader {
  readonly #kept: SpanReader;
  readonly #other: SpanReader;
  readonly #rule: FilterRule;
  readonly #bits: Uint32Array = newBits();

  constructor(kept: SpanReader, other: SpanReader, rule: FilterRule) {
    super(rule.startsWith('not_') ? [kept] : [kept, other]);
    this.#kept = kept;
    this.#other = other;
    this.#rule = rule;
  }

  override candidates(chunk: number, bits: Uint32Array): boolean {
    if (this.#rule.startsWith('not_')) this.#other.candidates(chunk, this.#bits);
    return super.candidates(chunk, bits);
  }

  protected fill(doc: number, out: SpanList): void {
    const kept = this.#kept.read(doc);
    const { starts, ends, count } = this.#other.read(doc);
    const isNot = this.#rule.startsWith('not_');
    let b = 0;
    for (let i = 0; i < kept.count; i++) {
      const start = kept.starts[i]!;
      const end = kept.ends[i]!;
      while (b < count && this.#isBehind(starts[b]!, ends[b]!, start, end)) b++;
      const is = b < count ? this.#accepts(starts[b]!, ends[b]!, start, end) : isNot;
      if (is) out.addFrom(kept, i);
    }
  }

  /** Whether another interval is too early for one and all that follow. */
  #isBehind(otherStart: number, otherEnd: number, start: number, end: number): boolean {
    switch (this.#rule) {
      case 'containing':
      case 'not_containing':
        return otherStart < start && otherEnd < end;
      case 'contained_by':
      case 'not_contained_by':
        return otherEnd < end;
      default:
        return otherEnd <= start;
    }
  }

  #accepts(otherStart: number, otherEnd: number, start: number, end: number): boolean {
    switch (this.#rule) {
      case 'containing':
        return start <= otherStart && end >= otherEnd;
      case 'contained_by':
        return otherStart <= start;
      case 'not_contained_by':
        return start < otherStart;
      case 'overlapping':
        return otherStart < end;
      default:
        return otherStart >= end;
    }
  }
}
