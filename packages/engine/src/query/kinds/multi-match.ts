// multi_match: a text in several fields.

import { EngineError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsing } from '../errors.ts';
import { defaultFields, expandFields, type Weighted, weighted } from '../field/field-list.ts';
import type { MatchOptions } from '../field/match.ts';
import { MATCH_TYPES, type MultiType, multiNode } from '../field/multi-field.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import { numberOf, objectBody, readParameters, textOf, tokenOf } from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';
import { draft, finished, matchReaders } from './match.ts';

interface MultiMatchQuery extends Query {
  readonly kind: 'multi_match';
  readonly text: JsonValue;
  readonly fields: readonly Weighted[];
  readonly type: MultiType;
  readonly tieBreaker: number | undefined;
  readonly options: MatchOptions;
  readonly lenientGiven: boolean;
}

/** Reads a type's name. */
export function multiTypeOf(value: JsonValue, kind: string): MultiType {
  const name = textOf(value, kind, 'type');
  if (Object.hasOwn(MATCH_TYPES, name)) return name as MultiType;
  throw new EngineError(
    'parse_exception',
    `failed to parse [multi_match] query type [${name}]. unknown type.`,
  );
}

/** Reads a list of fields, or one. */
export function fieldsOf(value: JsonValue, kind: string): Weighted[] {
  if (Array.isArray(value) && value.includes(null))
    throw parsing(`[${kind}] field name in [fields] cannot be null`);
  return (Array.isArray(value) ? value : [value]).map((each) => weighted(textOf(each, kind, 'fields')));
}

export const multiMatch: QueryKind<MultiMatchQuery> = {
  name: 'multi_match',
  parse(json) {
    const kind = 'multi_match';
    const reading = draft('boolean');
    let text: JsonValue = null;
    let fields: Weighted[] = [];
    let type = 'best_fields' as MultiType;
    let tieBreaker: number | undefined;
    const body = objectBody(kind, json);
    const common = readParameters(kind, body, {
      ...matchReaders(kind, reading),
      query: (v) => {
        if (v === null || typeof v === 'object') {
          throw parsing(`[multi_match] unknown token [${tokenOf(v)}] after [query]`);
        }
        text = v;
      },
      fields: (v) => (fields = fieldsOf(v, kind)),
      type: (v) => (type = multiTypeOf(v, kind)),
      tie_breaker: (v) => (tieBreaker = numberOf(v, kind, 'tie_breaker')),
    });
    if (text === null) throw parsing('No text specified for multi_match query');
    reading.type = MATCH_TYPES[type];
    if (
      reading.fuzziness !== undefined &&
      (reading.type === 'phrase' || reading.type === 'phrase_prefix' || type === 'cross_fields')
    ) {
      throw parsing(`Fuzziness not allowed for type [${type}]`);
    }
    if (reading.slop !== 0 && type === 'bool_prefix')
      throw parsing('[slop] not allowed for type [bool_prefix]');
    if (Object.hasOwn(body, 'cutoff_frequency') && type === 'bool_prefix')
      throw parsing('[cutoff_frequency] not allowed for type [bool_prefix]');
    const options = finished(reading);
    const lenientGiven = Object.hasOwn(body, 'lenient');
    return Object.freeze({ kind, text, fields, type, tieBreaker, options, lenientGiven, ...common });
  },
  plan(query, planner, boost) {
    const given = query.fields.length > 0;
    const defaults = given ? undefined : defaultFields(planner);
    const fields = expandFields(planner, defaults?.list ?? query.fields);
    const everything = defaults?.all === true || (given && query.fields.some(({ path }) => path === '*'));
    const lenient = query.lenientGiven ? query.options.lenient : everything;
    if (fields.length === 0) return NONE;
    const options = { ...query.options, lenient };
    return multiNode(planner, fields, query.text, query.type, query.tieBreaker, options, boost);
  },
};
