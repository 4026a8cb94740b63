// Nodes of sets of terms and of single unscored terms. Fields whose documents all have one value
// (constant_keyword) match everything or nothing.

import { plainText } from '../../json/java-text.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { runToEnd } from '../../turn.ts';
import { constantNode } from '../node/clauses/constant-score-node.ts';
import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { TermNode } from '../node/terms/term-node.ts';
import { TermSetNode } from '../node/terms/term-set-node.ts';
import { compareTerms, exactTerms } from '../node/terms/term-sources.ts';
import type { Planner } from '../plan/planner.ts';
import type { TermDictionary, TermSource } from '../query-terms.ts';
import { utf8 } from './field-value.ts';

/** Documents with any term of a set; every match scores `boost`. */
export function termSetNode(field: FieldType, source: TermSource, boost: number): PlanNode {
  if (field.kind !== 'constant_keyword') return new TermSetNode(field.path, source, boost);
  const value = field.params['value'];
  const word = new OneWord(utf8(value === undefined || value === null ? '' : plainText(value)));
  return runToEnd(source.ordinals(word)).length > 0 ? new AllNode(boost) : NONE;
}

/** Documents with one term; every match scores `boost`. Works on fields that have doc values only, too. */
export function constantTermNode(
  planner: Planner,
  field: FieldType,
  bytes: Uint8Array,
  boost: number,
): PlanNode {
  if (field.spec.index === 'none') return termSetNode(field, exactTerms([bytes]), boost);
  if (!planner.keepsAbsent && planner.stats.term(field.path, bytes).docFreq === 0) return NONE;
  const term = new TermNode(field.path, bytes, 0, planner.stats.field(field.path).inverses);
  return constantNode(term, boost);
}

/** The dictionary of a constant_keyword. */
class OneWord implements TermDictionary {
  readonly count = 1;
  readonly sorted = true;
  readonly #word: Uint8Array;

  constructor(word: Uint8Array) {
    this.#word = word;
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    return compareTerms(bytes.subarray(start, end), this.#word) === 0 ? 0 : -1;
  }

  term(): Uint8Array {
    return this.#word;
  }

  lowerBound(bytes: Uint8Array): number {
    return compareTerms(bytes, this.#word) <= 0 ? 0 : 1;
  }

  ordinals(): Iterable<number> {
    return [0];
  }
}
