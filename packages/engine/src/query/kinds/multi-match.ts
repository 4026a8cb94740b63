// multi_match: a text in several fields.

import { EngineError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsingError } from '../errors.ts';
import { defaultFields, expandFields, parseWeightedField, type WeightedField } from '../field/field-list.ts';
import type { MatchOptions } from '../field/text/match.ts';
import { MATCH_TYPES, type MultiType, multiFieldNode } from '../field/text/multi-field.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import { jsonToken, objectBody, readNumber, readParameters, readText } from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';
import { finishDraft, matchReaders, newDraft } from './match.ts';

interface MultiMatchQuery extends Query {
  readonly kind: 'multi_match';
  readonly text: JsonValue;
  readonly fields: readonly WeightedField[];
  readonly type: MultiType;
  readonly tieBreaker: number | undefined;
  readonly options: MatchOptions;
  readonly lenientGiven: boolean;
}

/** Reads the name of a type. */
export function readMultiType(value: JsonValue, kind: string): MultiType {
  const name = readText(value, kind, 'type');
  if (Object.hasOwn(MATCH_TYPES, name)) return name as MultiType;
  throw new EngineError(
    'parse_exception',
    `failed to parse [multi_match] query type [${name}]. unknown type.`,
  );
}

/** Reads a list of fields, or one. */
export function readFields(value: JsonValue, kind: string): WeightedField[] {
  if (Array.isArray(value) && value.includes(null))
    throw parsingError(`[${kind}] field name in [fields] cannot be null`);
  return (Array.isArray(value) ? value : [value]).map((each) =>
    parseWeightedField(readText(each, kind, 'fields')),
  );
}

export const multiMatch: QueryKind<MultiMatchQuery> = {
  name: 'multi_match',
  parse(json) {
    const kind = 'multi_match';
    const draft = newDraft('boolean');
    let text: JsonValue = null;
    let fields: WeightedField[] = [];
    let type = 'best_fields' as MultiType;
    let tieBreaker: number | undefined;
    const body = objectBody(kind, json);
    const common = readParameters(kind, body, {
      ...matchReaders(kind, draft),
      query: (v) => {
        if (v === null || typeof v === 'object') {
          throw parsingError(`[multi_match] unknown token [${jsonToken(v)}] after [query]`);
        }
        text = v;
      },
      fields: (v) => (fields = readFields(v, kind)),
      type: (v) => (type = readMultiType(v, kind)),
      tie_breaker: (v) => (tieBreaker = readNumber(v, kind, 'tie_breaker')),
    });
    if (text === null) throw parsingError('No text specified for multi_match query');
    draft.type = MATCH_TYPES[type];
    if (
      draft.fuzziness !== undefined &&
      (draft.type === 'phrase' || draft.type === 'phrase_prefix' || type === 'cross_fields')
    ) {
      throw parsingError(`Fuzziness not allowed for type [${type}]`);
    }
    if (draft.slop !== 0 && type === 'bool_prefix')
      throw parsingError('[slop] not allowed for type [bool_prefix]');
    if (Object.hasOwn(body, 'cutoff_frequency') && type === 'bool_prefix')
      throw parsingError('[cutoff_frequency] not allowed for type [bool_prefix]');
    const options = finishDraft(draft);
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
    return multiFieldNode(planner, fields, query.text, query.type, query.tieBreaker, options, boost);
  },
};
