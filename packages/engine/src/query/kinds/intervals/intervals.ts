// intervals: documents whose field has words near each other, by rules that contain each other.

import { parsingError } from '../../errors.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import { IntervalsNode } from '../../node/spans/intervals-node.ts';
import { isObject, jsonToken, objectBody, readBoost, readText } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { planRule } from './plan-rule.ts';
import { type IntervalRule, readRule } from './rules.ts';

const KIND = 'intervals';

interface IntervalsQuery extends Query {
  readonly kind: 'intervals';
  readonly field: string;
  readonly rule: IntervalRule;
}

export const intervals: QueryKind<IntervalsQuery> = {
  name: KIND,
  parse(json, parser) {
    const body = objectBody(KIND, json);
    const [field, also] = Object.keys(body);
    if (field === undefined) throw parsingError('Expected [FIELD_NAME] but got [END_OBJECT]');
    if (also !== undefined) throw parsingError('Expected [END_OBJECT] but got [FIELD_NAME]');
    const inner = body[field]!;
    if (!isObject(inner)) throw parsingError(`Expected [START_OBJECT] but got [${jsonToken(inner)}]`);
    let rule: IntervalRule | undefined;
    let ruleName = '';
    let boost = 1;
    let name: string | undefined;
    for (const [key, value] of Object.entries(inner)) {
      if (key === 'boost') boost = readBoost(KIND, value);
      else if (key === '_name') name = readText(value, KIND, key);
      else if (rule !== undefined) {
        throw parsingError(`Only one interval rule can be specified, found [${ruleName}] and [${key}]`);
      } else {
        rule = readRule(key, value, parser.limits.maxDepth);
        ruleName = key;
      }
    }
    if (rule === undefined) throw parsingError('Missing intervals from interval query definition');
    return Object.freeze({ kind: KIND, field, rule, boost, name });
  },
  plan({ field: name, rule }, planner, boost) {
    const field = planner.field(name);
    if (field === undefined) return NONE;
    return new IntervalsNode(field.path, planRule(planner, field, rule), boost);
  },
};
