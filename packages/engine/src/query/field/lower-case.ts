// Whether an analyzer lower-cases: parts of words, which are not analysed, are then lower-cased, too.

import type { Analyzer } from '../../analysis/analyzer.ts';

const lowering = new WeakMap<Analyzer, boolean>();

/** Whether the analyzer lower-cases. */
export function lowers(analyzer: Analyzer): boolean {
  let known = lowering.get(analyzer);
  if (known === undefined) {
    known = analyzer.analyze('QXZ')[0]?.term.startsWith('q') === true;
    lowering.set(analyzer, known);
  }
  return known;
}
