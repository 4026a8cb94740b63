// Documents with spans. A document counts a span as 1 / (1 + width) occurrences of one term whose idf is the sum
// of those of all terms (Lucene: SpanWeight).

import { termScore } from '../../../score/bm25.ts';
import type { TermVisitor } from '../../query-terms.ts';
import type { SpanList, SpanSource } from '../../span-list.ts';
import { textKey } from '../cache-key.ts';
import { PositionsNode } from './positions-node.ts';

/** Spans of a query, settled for one view. */
export interface PlannedSpans {
  /** The field that the query is one of: clauses of a query must agree on it. */
  readonly path: string;
  /** The field whose statistics and lengths count, where the query stands alone. */
  readonly scoredPath: string;
  readonly source: SpanSource;
  /** The terms whose idfs are added up. */
  readonly terms: readonly SpanTerm[];
  /** The query as Lucene prints it. */
  readonly text: string;
}

/** A term that spans are made of. */
export interface SpanTerm {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A query of spans. */
export class SpansNode extends PositionsNode {
  readonly planned: PlannedSpans;
  readonly #weight: number;
  readonly #inverses: Float32Array;

  constructor(planned: PlannedSpans, weight: number, inverses: Float32Array, matchesNone: boolean) {
    super(planned.scoredPath, planned.source, matchesNone);
    this.planned = planned;
    this.#weight = weight;
    this.#inverses = inverses;
  }

  /** In float32, as Lucene adds them. */
  frequency({ widths, count }: SpanList): number {
    let freq = 0;
    for (let i = 0; i < count; i++) freq = Math.fround(freq + Math.fround(1 / (1 + widths[i]!)));
    return freq;
  }

  score(frequency: number, norm: number): number {
    return termScore(this.#weight, frequency, this.#inverses[norm]!);
  }

  get key(): string {
    return `x(${textKey(this.path)}${this.source.key})`;
  }

  visitTerms(visitor: TermVisitor): void {
    visitor.spans(this.planned.path, this.source);
  }
}
