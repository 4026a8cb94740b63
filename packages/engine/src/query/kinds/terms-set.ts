// terms_set: documents with enough of some terms, where a number field of each document says how many.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { parsingError } from '../errors.ts';
import { typeName } from '../field/field-value.ts';
import { termNode } from '../field/term.ts';
import { requireFewTerms } from '../limits.ts';
import { textKey } from '../node/cache-key.ts';
import { CoveringNode, type RequiredCounts } from '../node/clauses/covering-node.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import { isObject, jsonToken, objectBody, readParameters, readText } from '../parameters.ts';
import type { Query } from '../query.ts';
import { checkFielddata, numberReader, numericRows } from '../score-functions/field-numbers.ts';
import type { QueryKind } from './kind.ts';

const KIND = 'terms_set';

interface TermsSetQuery extends Query {
  readonly kind: 'terms_set';
  readonly field: string;
  readonly terms: readonly JsonValue[];
  readonly required: string | undefined;
}

export const termsSet: QueryKind<TermsSetQuery> = {
  name: KIND,
  parse(json, parser) {
    const body = objectBody(KIND, json);
    const [field, also] = Object.keys(body);
    if (field === undefined) throw parsingError(`[${KIND}] unknown token [END_OBJECT]`);
    const inner = body[field]!;
    if (!isObject(inner)) throw parsingError(`[${KIND}] unknown token [${jsonToken(inner)}]`);
    let terms: readonly JsonValue[] = [];
    let required: string | undefined;
    const common = readParameters(KIND, inner, {
      terms: (v) => {
        if (!Array.isArray(v)) throw parsingError(`[${KIND}] query does not support [terms]`);
        terms = v;
      },
      minimum_should_match_field: (v) => (required = readText(v, KIND, 'minimum_should_match_field')),
      minimum_should_match_script: () => {
        throw illegalArgument(
          `[${KIND}] [minimum_should_match_script] is not supported: use [minimum_should_match_field]`,
        );
      },
    });
    if (also !== undefined) throw parsingError(`[${KIND}] unknown token [FIELD_NAME]`);
    for (const term of terms) {
      if (term === null) throw parsingError('No value specified for terms query');
      if (typeof term === 'object') {
        const token = Array.isArray(term) ? 'END_ARRAY' : 'END_OBJECT';
        throw parsingError(`[${KIND}] unknown token [${token}] after [terms]`);
      }
    }
    requireFewTerms('Terms', terms.length, parser.limits.maxTerms);
    return Object.freeze({ kind: KIND, field, terms: Object.freeze([...terms]), required, ...common });
  },
  plan({ field, terms, required }, planner, boost) {
    if (terms.length === 0) return NONE;
    planner.countClauses(terms.length);
    if (required === undefined) throw illegalArgument('No minimum should match has been specified');
    const counts = planner.field(required);
    if (counts === undefined) throw planner.misfit(`failed to find minimum_should_match field [${required}]`);
    const clauses = terms.map((term) => termNode(planner, field, term, boost));
    const found = clauses.filter((clause) => !clause.matchesNone);
    const numbers = requiredCounts(counts);
    return found.length === 0 ? NONE : new CoveringNode(found, numbers);
  },
};

/** The smallest number of each document, without its fraction. */
function requiredCounts(field: FieldType): RequiredCounts {
  checkFielddata(field);
  if (field.numeric === undefined) {
    throw illegalArgument(
      `[minimum_should_match_field] has to be a field of numbers: [${field.path}] is of type [${typeName(field)}]`,
    );
  }
  return {
    key: textKey(field.path),
    forLeaf(leaf) {
      const rows = numericRows(leaf, field.path);
      if (rows === undefined) return undefined;
      const numberAt = numberReader(field, rows.column);
      return (doc) => (rows.start(doc) < rows.end(doc) ? Math.trunc(numberAt(rows.start(doc))) : undefined);
    },
  };
}
