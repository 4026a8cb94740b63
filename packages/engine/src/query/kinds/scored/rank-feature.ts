// rank_feature: documents with a feature, scored by a function of its value (Lucene's FeatureQuery).

import { type EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { featurePrefix } from '../../../mapping/types/features.ts';
import type { FieldType } from '../../../mapping/types/type.ts';
import { contentError } from '../../errors.ts';
import { typeName } from '../../field/field-value.ts';
import { termSetNode } from '../../field/term-set.ts';
import { FunctionScoreNode } from '../../node/clauses/function-score-node.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import { isObject, objectBody, readNumber, readParameters, unsupportedValue } from '../../parameters.ts';
import type { Planner } from '../../plan/planner.ts';
import type { Query } from '../../query.ts';
import {
  type FeatureCurve,
  featureScore,
  featureTerms,
  meanFeature,
  readCurve,
} from '../../score-functions/feature-curves.ts';
import type { QueryKind } from '../kind.ts';

const KIND = 'rank_feature';
/** What the peer's parser calls the query in its errors. */
const SHOWN = 'feature';

interface RankFeatureQuery extends Query {
  readonly kind: 'rank_feature';
  readonly field: string;
  readonly curve: FeatureCurve;
}

const PARAMETERS: Readonly<Record<FeatureCurve['kind'], readonly string[]>> = {
  log: ['scaling_factor'],
  saturation: [],
  sigmoid: ['pivot', 'exponent'],
  linear: [],
};

function failed(name: string, causedBy: EngineError): EngineError {
  return contentError(`[${SHOWN}] failed to parse field [${name}]`, causedBy);
}

function buildError(reason: string): EngineError {
  return contentError(
    `Failed to build [${SHOWN}] after last required field arrived`,
    illegalArgument(reason),
  );
}

/** The parameters of a curve as numbers. */
function curveBody(kind: FeatureCurve['kind'], json: JsonValue): ReadonlyMap<string, number> {
  if (!isObject(json)) throw unsupportedValue(SHOWN, kind, json);
  const known = kind === 'saturation' ? ['pivot'] : PARAMETERS[kind];
  const numbers = new Map<string, number>();
  for (const [name, value] of Object.entries(json)) {
    if (!known.includes(name)) throw failed(kind, contentError(`[${kind}] unknown field [${name}]`));
    numbers.set(name, Math.fround(readNumber(value, kind, name)));
  }
  const absent = PARAMETERS[kind].filter((name) => !numbers.has(name));
  if (absent.length > 0) {
    throw failed(kind, illegalArgument(`Required [${absent.join(', ')}]`));
  }
  return numbers;
}

export const rankFeature: QueryKind<RankFeatureQuery> = {
  name: KIND,
  parse(json) {
    let field: string | undefined;
    const curves: FeatureCurve[] = [];
    const reader = (kind: FeatureCurve['kind']) => (value: JsonValue) => {
      curves.push(readCurve(kind, curveBody(kind, value)));
    };
    const common = readParameters(
      KIND,
      objectBody(KIND, json),
      {
        field: (v) => {
          if (typeof v !== 'string') throw unsupportedValue(SHOWN, 'field', v);
          field = v;
        },
        log: reader('log'),
        saturation: reader('saturation'),
        sigmoid: reader('sigmoid'),
        linear: reader('linear'),
      },
      (parameter) => contentError(`[${SHOWN}] unknown field [${parameter}]`),
    );
    if (field === undefined) throw illegalArgument('Required [field]');
    if (curves.length > 1)
      throw buildError('Can only specify one of [log], [saturation], [sigmoid] and [linear]');
    const [curve = readCurve('saturation', new Map())] = curves;
    return Object.freeze({ kind: KIND, field, curve, ...common });
  },
  plan({ field: path, curve }, planner, boost) {
    const found = featureAt(planner, path);
    if (found === undefined) return NONE;
    const { field, name } = found;
    const prefix = featurePrefix(field.kind, name);
    const terms = featureTerms(prefix);
    const inner = termSetNode(field, terms, boost);
    const isPositive = field.params['positive_score_impact'] !== false;
    const mean = (): number =>
      planner.lookups.ask(`feature ${field.path}\0${terms.key}`, () =>
        meanFeature(planner.stats, field.path, terms),
      ) ?? 1;
    const score = curve.scorer(isPositive, mean);
    if (!planner.scores) return inner;
    return new FunctionScoreNode(inner, {
      functions: [
        { filter: undefined, function: featureScore(field.path, prefix, score, boost), weight: undefined },
      ],
      scoreMode: 'MULTIPLY',
      boostMode: 'REPLACE',
      maxBoost: Number.POSITIVE_INFINITY,
      minScore: undefined,
    });
  },
};

/** The field of a feature, and its name there; undefined where nothing is mapped. */
function featureAt(
  planner: Planner,
  path: string,
): { readonly field: FieldType; readonly name: string } | undefined {
  const field = planner.field(path);
  if (field?.kind === 'rank_feature') return { field, name: '' };
  if (field !== undefined) {
    throw illegalArgument(
      `[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [${typeName(field)}]`,
    );
  }
  const dot = path.lastIndexOf('.');
  const above = dot < 0 ? undefined : planner.field(path.slice(0, dot));
  return above?.kind === 'rank_features' ? { field: above, name: path.slice(dot + 1) } : undefined;
}
