// Documents with intervals. A document counts an interval the more the shorter it is; the score grows with the
// count towards the boost, whatever the terms and lengths are (Lucene: IntervalQuery).

import type { TermVisitor } from '../../query-terms.ts';
import { NO_SPANS, type SpanList, type SpanReader } from '../../span-list.ts';
import { textKey } from '../cache-key.ts';
import type { IntervalSource } from './interval-source.ts';
import { PositionsNode } from './positions-node.ts';

/** Stands for the places of terms where these are not read. */
const NO_READER: SpanReader = { cost: 0, candidates: () => false, read: () => NO_SPANS };

/** A query of intervals. */
export class IntervalsNode extends PositionsNode {
  readonly #boost: number;
  readonly #shortest: number;

  constructor(path: string, source: IntervalSource, boost: number) {
    super(path, source, false);
    this.#boost = boost;
    this.#shortest = source.minExtent;
  }

  /** In float32, as Lucene adds them. */
  frequency({ starts, ends, count }: SpanList): number {
    let freq = 0;
    for (let i = 0; i < count; i++) {
      const length = ends[i]! - starts[i]!;
      freq = Math.fround(freq + Math.fround(1 / Math.max(length - this.#shortest + 1, 1)));
    }
    return freq;
  }

  score(frequency: number): number {
    return Math.fround(this.#boost * Math.fround(1 - Math.fround(1 / Math.fround(1 + frequency))));
  }

  get key(): string {
    return `i(${textKey(this.path)}${this.source.key})`;
  }

  visitTerms(visitor: TermVisitor): void {
    // All words of the rules, wherever they stand: the peer marks them so.
    this.source.open((path, terms) => {
      visitor.terms(path, terms);
      return NO_READER;
    });
  }
}
