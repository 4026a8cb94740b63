// range: documents with a value of the field between bounds: `gt`, `gte`, `lt`, `lte`, or the older `from`,
// `to`, `include_lower`, `include_upper`.

import { illegalArgument } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldType, RangeBounds, RangeRelation } from '../../mapping/types/type.ts';
import { attachPlace } from '../../place.ts';
import { unknownParameter } from '../errors.ts';
import { existsNode } from '../field/exists.ts';
import { isMeta } from '../field/metadata.ts';
import { rangeNode } from '../field/range.ts';
import {
  isObject,
  missingFieldError,
  objectBody,
  readBooleanParameter,
  readParameters,
  readText,
  singleField,
} from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface RangeQuery extends Query {
  readonly kind: 'range';
  readonly field: string;
  readonly bounds: RangeBounds;
  readonly relation: RangeRelation;
}

/** Both bounds while they are read: the last parameter for a bound wins. */
interface Bounds {
  from: JsonValue;
  to: JsonValue;
  withFrom: boolean;
  withTo: boolean;
  format: string | undefined;
  timeZone: string | undefined;
}

function boundsOf(read: Bounds): RangeBounds {
  return Object.freeze({
    ...(read.from === null ? {} : read.withFrom ? { gte: read.from } : { gt: read.from }),
    ...(read.to === null ? {} : read.withTo ? { lte: read.to } : { lt: read.to }),
    ...(read.format === undefined ? {} : { format: read.format }),
    ...(read.timeZone === undefined ? {} : { timeZone: read.timeZone }),
  });
}

export const range: QueryKind<RangeQuery> = {
  name: 'range',
  isNone: ({ field }, planner) => planner.isUnmapped(field),
  parse(json) {
    const given = objectBody('range', json);
    for (const [key, value] of Object.entries(given)) {
      if (!isObject(value) && value !== null)
        throw attachPlace(unknownParameter('range', key), { holder: given, key, at: 'value' });
    }
    // The peer passes over members that are null.
    const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const field = singleField('range', body);
    if (field === undefined) throw missingFieldError();
    const inner = objectBody('range', body[field]!);
    const read: Bounds = {
      from: null,
      to: null,
      withFrom: true,
      withTo: true,
      format: undefined,
      timeZone: undefined,
    };
    let relation: RangeRelation = 'intersects';
    const lower = (including: boolean) => (value: JsonValue) => {
      read.from = scalar(value, 'from');
      read.withFrom = including;
    };
    const upper = (including: boolean) => (value: JsonValue) => {
      read.to = scalar(value, 'to');
      read.withTo = including;
    };
    const common = readParameters('range', inner, {
      gt: lower(false),
      gte: lower(true),
      lt: upper(false),
      lte: upper(true),
      from: (v) => (read.from = scalar(v, 'from')),
      to: (v) => (read.to = scalar(v, 'to')),
      include_lower: (v) => (read.withFrom = readBooleanParameter(v, 'range', 'include_lower')),
      include_upper: (v) => (read.withTo = readBooleanParameter(v, 'range', 'include_upper')),
      format: (v) => (read.format = readText(v, 'range', 'format')),
      time_zone: (v) => (read.timeZone = readText(v, 'range', 'time_zone')),
      relation: (v) => (relation = readRelation(readText(v, 'range', 'relation'))),
    });
    return Object.freeze({ kind: 'range', field, bounds: boundsOf(read), relation, ...common });
  },
  plan({ field, bounds, relation }, planner, boost) {
    const { gt, gte, lt, lte } = bounds;
    const isOpen = gt == null && gte == null && lt == null && lte == null;
    const type = planner.field(field);
    if (type?.range !== undefined) checkAscending(type, bounds);
    const isField = isMeta(field) || type !== undefined;
    return isOpen && isField
      ? existsNode(planner, field, boost)
      : rangeNode(planner, field, bounds, boost, relation);
  },
};

/** Throws where the bounds of a query for stored ranges do not ascend. */
function checkAscending({ range, kind }: FieldType, { gte, gt, lte, lt }: RangeBounds): void {
  const [from, to] = [gte ?? gt, lte ?? lt];
  if (from == null || to == null || range!.encode({ gte: from, lte: to }) !== undefined) return;
  const printed = (bound: JsonValue): string => {
    const term = range!.encode({ gte: bound, lte: bound });
    if (range!.ends === undefined || term === undefined) return `/${plainText(bound)}`;
    const [value] = range!.ends(term);
    return kind === 'float_range' || kind === 'double_range' ? javaDouble(value) : String(value);
  };
  throw illegalArgument(
    `Range query \`from\` value (${printed(from)}) is greater than \`to\` value (${printed(to)})`,
  );
}

/** Reads `relation`. For fields of single values all relations mean the same. */
function readRelation(text: string): RangeRelation {
  const relation = text.toLowerCase();
  if (relation === 'disjoint') throw illegalArgument('[range] query does not support relation [disjoint]');
  if (relation === 'intersects' || relation === 'within' || relation === 'contains') return relation;
  throw illegalArgument(`${text} is not a valid relation`);
}

function scalar(value: JsonValue, parameter: string): JsonValue {
  return value === null || typeof value !== 'object' ? value : readText(value, 'range', parameter);
}
