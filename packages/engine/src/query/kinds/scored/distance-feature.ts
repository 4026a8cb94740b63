// distance_feature: documents with a value of a field, the better the nearer it is to an origin. At the distance
// `pivot` a document has half of the boost (Lucene's LongDistanceFeatureQuery and its twin for points).

import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { contentError } from '../../errors.ts';
import { existsNode } from '../../field/exists.ts';
import { typeName } from '../../field/field-value.ts';
import { FunctionScoreNode, type ScoreFunction } from '../../node/clauses/function-score-node.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import { objectBody, readParameters, unsupportedValue } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import { type DecaySpace, distanceSpace } from '../../score-functions/decay-space.ts';
import { rowsOf } from '../../score-functions/field-numbers.ts';
import type { QueryKind } from '../kind.ts';

const KIND = 'distance_feature';

interface DistanceFeatureQuery extends Query {
  readonly kind: 'distance_feature';
  readonly field: string;
  readonly origin: JsonValue;
  readonly pivot: string;
}

/** The nearest value of a document decides. REQUIRES: the document has a value. */
function nearness(path: string, space: DecaySpace, boost: number): ScoreFunction {
  const pivot = space.scale;
  return {
    forLeaf(leaf) {
      const column = leaf.column(path);
      if (column?.kind !== 'numeric') return () => 0;
      const { start, end } = rowsOf(column);
      const distanceAt = space.distances(column);
      return (doc) => {
        let least = Number.POSITIVE_INFINITY;
        for (let at = start(doc); at < end(doc); at++) least = Math.min(least, distanceAt(at));
        return boost * (pivot / (pivot + least));
      };
    },
  };
}

export const distanceFeature: QueryKind<DistanceFeatureQuery> = {
  name: KIND,
  parse(json) {
    let field: string | undefined;
    let origin: JsonValue | undefined;
    let pivot: string | undefined;
    const common = readParameters(
      KIND,
      objectBody(KIND, json),
      {
        field: (v) => {
          if (typeof v !== 'string') throw unsupportedValue(KIND, 'field', v);
          field = v;
        },
        origin: (v) => {
          if (v === null || typeof v === 'boolean') throw unsupportedValue(KIND, 'origin', v);
          origin = v;
        },
        pivot: (v) => {
          if (typeof v !== 'string') throw unsupportedValue(KIND, 'pivot', v);
          pivot = v;
        },
      },
      (parameter) => contentError(`[${KIND}] unknown field [${parameter}]`),
    );
    if (field === undefined || origin === undefined || pivot === undefined) {
      const absent = Object.entries({ field, origin, pivot }).filter(([, value]) => value === undefined);
      throw illegalArgument(`Required [${absent.map(([name]) => name).join(', ')}]`);
    }
    return Object.freeze({ kind: KIND, field, origin, pivot, ...common });
  },
  plan({ field: path, origin, pivot }, planner, boost) {
    const field = planner.field(path);
    if (field === undefined) return NONE;
    if (field.kind !== 'date' && field.kind !== 'date_nanos' && field.kind !== 'geo_point') {
      throw illegalArgument(
        `Illegal data type of [${typeName(field)}]![distance_feature] query can only be run on a date, date_nanos or geo_point field type!`,
      );
    }
    const space = distanceSpace(field, { origin, scale: pivot }, planner, 'distance_feature.pivot', true);
    if (!(space.scale > 0))
      throw illegalArgument(`pivotDistance must be > 0, got ${pivotText(field.kind, space)}`);
    const inner = existsNode(planner, path, boost);
    if (!planner.scores || inner.matchesNone) return inner;
    return new FunctionScoreNode(inner, {
      functions: [{ filter: undefined, function: nearness(field.path, space, boost), weight: undefined }],
      scoreMode: 'MULTIPLY',
      boostMode: 'REPLACE',
      maxBoost: Number.POSITIVE_INFINITY,
      minScore: undefined,
    });
  },
};

/** Metres are doubles, lengths of time are integers. */
function pivotText(kind: string, { scale }: DecaySpace): string {
  return kind === 'geo_point' && Number.isInteger(scale) ? `${scale}.0` : String(scale);
}
