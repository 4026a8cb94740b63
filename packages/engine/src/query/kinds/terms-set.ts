// terms_set: documents with enough of some terms, where a number field of each document, or a script, says how many.

import type { ScriptSpec } from '../../api.ts';
import { type EngineError, illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { TERMS_SET } from '../../scripts/documents/contexts.ts';
import { DocumentScript } from '../../scripts/documents/document-script.ts';
import { readScript } from '../../scripts/script-spec.ts';
import { parsingError } from '../errors.ts';
import { typeName } from '../field/field-value.ts';
import { termNode } from '../field/term.ts';
import { requireFewTerms } from '../limits.ts';
import { textKey } from '../node/cache-key.ts';
import { CoveringNode, type RequiredCounts } from '../node/clauses/covering-node.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import { isObject, jsonToken, objectBody, readParameters, readText } from '../parameters.ts';
import type { Planner } from '../plan/planner.ts';
import type { Query } from '../query.ts';
import { checkFielddata, numberReader, numericRows } from '../score-functions/field-numbers.ts';
import type { QueryKind } from './kind.ts';

const KIND = 'terms_set';

interface TermsSetQuery extends Query {
  readonly kind: 'terms_set';
  readonly field: string;
  readonly terms: readonly JsonValue[];
  readonly required: string | undefined;
  readonly script: ScriptSpec | undefined;
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
    let script: ScriptSpec | undefined;
    const common = readParameters(KIND, inner, {
      terms: (v) => {
        if (!Array.isArray(v)) throw parsingError(`[${KIND}] query does not support [terms]`);
        terms = v;
      },
      minimum_should_match_field: (v) => {
        if (script !== undefined) throw severalCounts('script');
        required = readText(v, KIND, 'minimum_should_match_field');
      },
      minimum_should_match_script: (v) => {
        if (required !== undefined) throw severalCounts('field');
        if (!isObject(v))
          throw parsingError(`[${KIND}] query does not support [minimum_should_match_script]`);
        script = readScript(inner, 'minimum_should_match_script');
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
    return Object.freeze({
      kind: KIND,
      field,
      terms: Object.freeze([...terms]),
      required,
      script,
      ...common,
    });
  },
  plan({ field, terms, required, script }, planner, boost) {
    if (terms.length === 0) return NONE;
    planner.countClauses(terms.length);
    const scripted = script && scriptedCounts(script, terms.length, planner);
    if (scripted !== undefined) {
      const found = terms
        .map((term) => termNode(planner, field, term, boost))
        .filter((clause) => !clause.matchesNone);
      return found.length === 0 ? NONE : new CoveringNode(found, scripted);
    }
    if (required === undefined) throw illegalArgument('No minimum should match has been specified');
    const counts = planner.field(required);
    if (counts === undefined) throw planner.misfit(`failed to find minimum_should_match field [${required}]`);
    const clauses = terms.map((term) => termNode(planner, field, term, boost));
    const found = clauses.filter((clause) => !clause.matchesNone);
    const numbers = requiredCounts(counts);
    return found.length === 0 ? NONE : new CoveringNode(found, numbers);
  },
};

function severalCounts(first: string): EngineError {
  return illegalArgument(`A ${first} has already been specified. Cannot specify both a field and script`);
}

let plans = 0;

/** The number that a script computes for each document; it gets how many terms there are. */
function scriptedCounts(spec: ScriptSpec, count: number, planner: Planner): RequiredCounts {
  const own = { ...spec, params: { ...spec.params, num_terms: count } };
  const script = new DocumentScript(own, TERMS_SET, planner.view.mapping, () => planner.now());
  return {
    // Only documents that may match were asked: the matches are those of this plan only.
    key: `script#${++plans}`,
    isSlow: true,
    forLeaf: (leaf, meter) => {
      const run = script.forLeaf(leaf, meter);
      return (doc) => run(doc, 0);
    },
  };
}

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
