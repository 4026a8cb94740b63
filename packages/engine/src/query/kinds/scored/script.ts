// script and script_score: documents that a script accepts, and the matches of a query scored by a script.

import type { ScriptSpec } from '../../../api.ts';
import { EngineError, illegalArgument } from '../../../errors.ts';
import { javaDouble } from '../../../json/java-double.ts';
import { SCRIPT_FILTER } from '../../../scripts/documents/contexts.ts';
import { DocumentScript } from '../../../scripts/documents/document-script.ts';
import { readScript } from '../../../scripts/script-spec.ts';
import { parsingError } from '../../errors.ts';
import { FunctionScoreNode } from '../../node/clauses/function-score-node.ts';
import { ScriptNode } from '../../node/values/script-node.ts';
import { objectBody, readNumber, readParameters } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import { scriptFunction } from '../../score-functions/script-score.ts';
import type { QueryKind } from '../kind.ts';

interface ScriptQuery extends Query {
  readonly kind: 'script';
  readonly script: ScriptSpec;
}

export const script: QueryKind<ScriptQuery> = {
  name: 'script',
  parse(json) {
    const body = objectBody('script', json);
    let spec: ScriptSpec | undefined;
    const common = readParameters('script', body, {
      script: () => (spec = readScript(body, 'script')),
    });
    if (spec === undefined) throw parsingError('script must be provided with a [script] filter');
    return Object.freeze({ kind: 'script', script: spec, ...common });
  },
  plan({ script: spec }, planner, boost) {
    const own = new DocumentScript(spec, SCRIPT_FILTER, planner.view.mapping, () => planner.now());
    return new ScriptNode(own, boost);
  },
};

interface ScriptScoreQuery extends Query {
  readonly kind: 'script_score';
  readonly query: Query;
  readonly script: ScriptSpec;
  readonly minScore: number | undefined;
}

const KIND = 'script_score';

export const scriptScore: QueryKind<ScriptScoreQuery> = {
  name: KIND,
  parse(json, parser) {
    const body = objectBody(KIND, json);
    let query: Query | undefined;
    let spec: ScriptSpec | undefined;
    let minScore: number | undefined;
    const common = readParameters(
      KIND,
      body,
      {
        query: (v) => (query = parser.query(v)),
        script: () => (spec = readScript(body, 'script', KIND)),
        min_score: (v) => (minScore = Math.fround(readNumber(v, KIND, 'min_score'))),
      },
      (parameter) => new EngineError('x_content_parse_exception', `[${KIND}] unknown field [${parameter}]`),
    );
    if (query === undefined || spec === undefined) {
      const absent = [...(query === undefined ? ['query'] : []), ...(spec === undefined ? ['script'] : [])];
      throw illegalArgument(`Required [${absent.join(', ')}]`);
    }
    return Object.freeze({ kind: KIND, query, script: spec, minScore, ...common });
  },
  plan({ query, script: spec, minScore }, planner, boost) {
    const scoring = scriptFunction(spec, planner);
    if (!planner.scores && minScore === undefined) return planner.plan(query, 1);
    const inner = planner.withScores(() => planner.plan(query, 1));
    if (inner.matchesNone) return inner;
    const weight = boost === 1 ? undefined : boost;
    return new FunctionScoreNode(inner, {
      functions: [{ filter: undefined, function: scoring, weight }],
      scoreMode: 'MULTIPLY',
      boostMode: 'REPLACE',
      maxBoost: Number.POSITIVE_INFINITY,
      minScore,
      invalidScore,
    });
  },
};

function invalidScore(score: number, doc: number): EngineError {
  const text = Number.isNaN(score) ? 'NaN' : javaDouble(score);
  return illegalArgument(
    `script_score script returned an invalid score [${text}] for doc [${doc}]. Must be a non-negative score!`,
  );
}
