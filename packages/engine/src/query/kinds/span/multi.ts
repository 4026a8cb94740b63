// span_multi: the places of all terms of a prefix, wildcard, regexp, fuzzy or range query.

import { illegalArgument } from '../../../errors.ts';
import { parsingError } from '../../errors.ts';
import { expandedTerms } from '../../field/expanded-terms.ts';
import { isStringField, isTextField, typeName } from '../../field/field-value.ts';
import { requirePositions, spansNode } from '../../field/span-node.ts';
import { termSpans } from '../../node/spans/simple-spans.ts';
import { isObject, objectBody, readParameters } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';

const KIND = 'span_multi';
const MATCHES: ReadonlySet<string> = new Set(['fuzzy', 'prefix', 'range', 'regexp', 'wildcard']);

/** A query on the terms of one field. */
interface FieldQuery extends Query {
  readonly field: string;
}

interface SpanMultiQuery extends Query {
  readonly kind: 'span_multi';
  readonly match: FieldQuery;
}

export const spanMulti: QueryKind<SpanMultiQuery> = {
  name: KIND,
  parse(json, parser) {
    let match: FieldQuery | undefined;
    const common = readParameters(KIND, objectBody(KIND, json), {
      match: (v) => {
        if (!isObject(v)) throw parsingError(`[${KIND}] query does not support [match]`);
        const query = parser.query(v);
        if (!isFieldQuery(query)) {
          throw parsingError(`[${KIND}] [match] must be of type multi term query`);
        }
        match = query;
      },
    });
    if (match === undefined) throw parsingError(`[${KIND}] must have [match] multi term query clause`);
    return Object.freeze({ kind: KIND, match, ...common });
  },
  plan({ match }, planner, boost) {
    const field = planner.field(match.field);
    const path = field?.path ?? match.field;
    if (field !== undefined && match.kind === 'prefix' && !isTextField(field)) {
      throw illegalArgument(
        `Can only use span prefix queries on text fields - not on [${path}] which is of type [${typeName(field)}]`,
      );
    }
    if (field !== undefined && match.kind === 'range' && !isStringField(field)) {
      throw illegalArgument(
        'unsupported inner query, should be org.apache.lucene.search.MultiTermQuery but was org.opensearch.search.approximate.ApproximateScoreQuery',
      );
    }
    const plan = planner.withoutScores(() => planner.plan(match, 1));
    requirePositions(planner, path, match.kind);
    const terms = expandedTerms(planner, path, plan, planner.limits.maxClauses);
    planner.countClauses(terms.length);
    const list = terms.map((bytes) => ({ path, bytes }));
    const text = `SpanMultiTermQueryWrapper(${path})`;
    return spansNode(
      planner,
      { path, scoredPath: path, source: termSpans(path, terms), terms: list, text },
      boost,
    );
  },
};

function isFieldQuery(query: Query): query is FieldQuery {
  return MATCHES.has(query.kind);
}
