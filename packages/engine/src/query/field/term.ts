// Plans exact values of a field by its kind: a scored word, a keyword, a number, a day, a network.

import type { JsonValue } from '../../json/value.ts';
import { parseCidr } from '../../mapping/types/ip.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { literalAutomaton } from '../../patterns/automaton/literal.ts';
import { automatonTerms } from '../automaton/walk-terms.ts';
import { constantNode } from '../node/clauses/constant-score-node.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { exactTerms, termRange } from '../node/terms/term-sources.ts';
import { NumericRangeNode } from '../node/values/numeric-range-node.ts';
import { NumericSetNode } from '../node/values/numeric-set-node.ts';
import type { Planner } from '../plan/planner.ts';
import { booleanNode } from './boolean-node.ts';
import { checkSearchable, isStringField, isTextField, plainString, termBytes } from './field-value.ts';
import { isMeta, metaTerms } from './metadata.ts';
import { rangeNode, storedRangeNode } from './range.ts';
import { constantTermNode, termSetNode } from './term-set.ts';

/** Documents with a value in a field, for `term` and queries that come down to it. */
export function termNode(
  planner: Planner,
  path: string,
  value: JsonValue,
  boost: number,
  insensitive: boolean = false,
): PlanNode {
  if (isMeta(path)) return metaTerms(planner, path, [value], boost);
  const field = planner.field(path);
  return field === undefined ? NONE : valueNode(planner, field, value, boost, insensitive, path);
}

/** Documents with a value in a mapped field; `shownAs` is its name in errors. */
export function valueNode(
  planner: Planner,
  field: FieldType,
  value: JsonValue,
  boost: number,
  insensitive: boolean = false,
  shownAs: string = field.path,
): PlanNode {
  checkSearchable(planner, field);
  if (field.completion !== undefined)
    return field.inputs === undefined
      ? NONE
      : valueNode(planner, field.inputs, value, boost, insensitive, shownAs);
  if (insensitive) {
    if (!isStringField(field)) {
      throw planner.misfit(
        `[${shownAs}] field which is of type [${field.kind}], does not support case insensitive term queries`,
      );
    }
    const text = new TextDecoder().decode(termBytes(field, value));
    return termSetNode(field, automatonTerms(literalAutomaton(text, true)), boost);
  }
  if (field.range !== undefined)
    return storedRangeNode(planner, field, { gte: value, lte: value }, 'intersects', boost);
  if (field.numeric !== undefined) return numberNode(planner, field, value, boost);
  if (field.kind === 'ip') return ipNode(planner, field, value, boost);
  const bytes = termBytes(field, value);
  return isScored(planner, field)
    ? planner.term(field.path, bytes, boost)
    : constantTermNode(planner, field, bytes, boost);
}

/** Whether single terms of the field are scored by BM25. */
function isScored(planner: Planner, field: FieldType): boolean {
  if (field.spec.index === 'none') return false;
  return isTextField(field)
    ? field.kind === 'text'
    : planner.compat === 'elasticsearch' || field.params['use_similarity'] === true;
}

function numberNode(planner: Planner, field: FieldType, value: JsonValue, boost: number): PlanNode {
  if (field.kind === 'date' || field.kind === 'date_nanos') {
    return rangeNode(planner, field.path, { gte: value, lte: value }, boost);
  }
  const key = field.numeric!.parse(value);
  if (key === undefined) return NONE;
  if (field.kind === 'boolean') return booleanNode(planner, field, key, boost);
  return new NumericRangeNode(field.path, key, key, boost);
}

function ipNode(planner: Planner, field: FieldType, value: JsonValue, boost: number): PlanNode {
  const text = plainString(value);
  if (!text.includes('/')) return constantTermNode(planner, field, field.bytes!.encode(value), boost);
  const { min, max } = parseCidr(text);
  return termSetNode(field, termRange(min, max), boost);
}

/** Documents with any of some values; every match scores `boost`. */
export function termsNode(
  planner: Planner,
  path: string,
  values: readonly JsonValue[],
  boost: number,
): PlanNode {
  if (isMeta(path)) return metaTerms(planner, path, values, boost);
  const named = planner.field(path);
  const field = named?.completion === undefined ? named : named.inputs;
  if (field === undefined) return NONE;
  checkSearchable(planner, field);
  if (values.length === 0) return NONE;
  const isRanged = field.kind === 'date' || field.kind === 'date_nanos' || field.range !== undefined;
  if (isRanged || (field.kind === 'ip' && values.some((value) => plainString(value).includes('/')))) {
    const nodes = values.map((value) => planner.withoutScores(() => termNode(planner, path, value, 1)));
    return constant(planner, nodes, boost);
  }
  if (field.numeric !== undefined) {
    const { numeric } = field;
    const keys = values.map((value) => numeric.parse(value)).filter((key) => key !== undefined);
    if (keys.length === 0) return NONE;
    if (field.kind === 'boolean' && keys.every(({ lo }) => lo === keys[0]!.lo))
      return termNode(planner, path, values[0]!, boost);
    return keys.length === 1
      ? new NumericRangeNode(field.path, keys[0]!, keys[0]!, boost)
      : new NumericSetNode(field.path, keys, boost);
  }
  const terms = values.map((value) => termBytes(field, value));
  return terms.length === 1
    ? constantTermNode(planner, field, terms[0]!, boost)
    : termSetNode(field, exactTerms(terms), boost);
}

function constant(planner: Planner, nodes: readonly PlanNode[], boost: number): PlanNode {
  return planner.withoutScores(() => constantNode(planner.combine({ should: nodes, least: 1 }), boost));
}
