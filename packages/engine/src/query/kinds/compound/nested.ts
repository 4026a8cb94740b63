// nested: the documents of which an object at a nested path matches a query.

import { EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../errors.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import { NestedNode, type NestedScoreMode } from '../../node/clauses/nested-node.ts';
import { isObject, objectBody, readBooleanParameter, readParameters, readText } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';

const KIND = 'nested';
const MODES: readonly NestedScoreMode[] = ['avg', 'sum', 'min', 'max', 'none'];

interface NestedQuery extends Query {
  readonly kind: 'nested';
  readonly path: string;
  readonly query: Query;
  readonly scoreMode: NestedScoreMode;
  readonly ignoreUnmapped: boolean;
  /** The body of `inner_hits`. */
  readonly innerHits: JsonObject | undefined;
  readonly queryJson: JsonObject;
}

function readMode(value: JsonValue): NestedScoreMode {
  const text = readText(value, KIND, 'score_mode');
  const mode = MODES.find((each) => each === text);
  if (mode !== undefined) return mode;
  throw new EngineError('illegal_argument_exception', `No score mode for child query [${text}] found`);
}

export const nested: QueryKind<NestedQuery> = {
  name: KIND,
  parse(json, parser) {
    let path: string | undefined;
    let query: Query | undefined;
    let queryJson: JsonObject = {};
    let scoreMode: NestedScoreMode = 'avg';
    let ignoreUnmapped = false;
    let innerHits: JsonObject | undefined;
    const common = readParameters(KIND, objectBody(KIND, json), {
      path: (v) => (path = readText(v, KIND, 'path')),
      query: (v) => {
        if (!isObject(v)) throw parsingError(`[${KIND}] query does not support [query]`);
        query = parser.query(v);
        queryJson = v;
      },
      score_mode: (v) => (scoreMode = readMode(v)),
      ignore_unmapped: (v) => (ignoreUnmapped = readBooleanParameter(v, KIND, 'ignore_unmapped')),
      inner_hits: (v) => {
        if (!isObject(v)) throw parsingError(`[${KIND}] query does not support [inner_hits]`);
        innerHits = v;
      },
    });
    if (path === undefined) throw missing("'path' field");
    if (query === undefined) throw missing("'query' field");
    return Object.freeze({
      ...{ kind: KIND, path, query, queryJson, scoreMode, ignoreUnmapped, innerHits },
      ...common,
    });
  },
  plan(query, planner, boost) {
    const { path, query: inner, queryJson, scoreMode, ignoreUnmapped, innerHits } = query;
    const { mapping } = planner.view;
    if (!mapping.isNested(path)) {
      if (ignoreUnmapped) return NONE;
      const reason = mapping.isObject(path)
        ? `[${KIND}] nested object under path [${path}] is not of nested type`
        : `[${KIND}] failed to find nested object under path [${path}]`;
      const cause = new EngineError('illegal_state_exception', reason);
      // Filters of aggregations and queries for highlights are told as they are.
      if (planner.isPlain) throw new EngineError('illegal_state_exception', reason, { status: 500 });
      throw planner.misfit(`failed to create query: ${reason}`, cause);
    }
    const around = planner.nestedPath;
    if (around === path) return planner.plan(inner, boost);
    // Objects that lie elsewhere are in no object of this path.
    if (around !== '' && !path.startsWith(`${around}.`)) return NONE;
    const objects = planner.objects(path);
    if (objects === undefined) return NONE;
    if (innerHits !== undefined) planner.noteInnerHits(objects, inner, { json: innerHits, query: queryJson });
    const mode = planner.scores ? scoreMode : 'none';
    const node = planner.planWithin(objects, inner, boost, mode !== 'none');
    return node.matchesNone ? NONE : new NestedNode(node, objects, mode);
  },
};

function missing(what: string): EngineError {
  return illegalArgument(`[${KIND}] requires ${what}`);
}
