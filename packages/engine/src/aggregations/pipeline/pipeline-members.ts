// Reads the members that pipelines share: `buckets_path`, `format` and `gap_policy`.

import { attachPlace } from '../../place.ts';
import { parsingError } from '../../query/errors.ts';
import { jsonToken } from '../../query/parameters.ts';
import type { AggregationSpec } from '../kind.ts';
import type { Members } from '../request/members.ts';
import { RAW_FORMAT, type ValueFormat, valueFormat } from '../values/value-format.ts';
import type { GapPolicy } from './buckets-path.ts';

/** What all pipelines over one path have. */
export interface PathOptions {
  readonly path: string;
  readonly format: ValueFormat;
  readonly policy: GapPolicy;
}

/** Reads the common members. */
export function readPathOptions(members: Members, name: string): PathOptions {
  const given = members.any('buckets_path');
  const paths = Array.isArray(given) ? given : [given];
  const format = members.text('format');
  const policy = readGapPolicy(members);
  if (given === undefined) {
    members.end();
    throw parsingError(`Missing required field [buckets_path] for aggregation [${name}]`);
  }
  const [path] = paths;
  if (paths.length !== 1 || typeof path !== 'string') {
    const error = parsingError(
      `Unexpected token ${jsonToken(given)} [buckets_path] in [${name}]: one path is required`,
    );
    throw attachPlace(error, { holder: members.body, key: 'buckets_path', at: 'value' });
  }
  return { path, policy, format: pipelineFormat(format) };
}

/** The format of a pipeline's numbers. */
export function pipelineFormat(format: string | undefined): ValueFormat {
  return format === undefined ? RAW_FORMAT : valueFormat(undefined, undefined, format, undefined);
}

/** Reads `gap_policy`. */
export function readGapPolicy(members: Members): GapPolicy {
  const text = members.text('gap_policy');
  if (text === undefined || text === 'skip') return 'skip';
  if (text === 'insert_zeros' || text === 'keep_values') return text;
  throw attachPlace(parsingError(`Invalid gap policy: [${text}], accepted values: [insert_zeros, skip]`), {
    holder: members.body,
    key: 'gap_policy',
    at: 'value',
  });
}

/** What is wrong with a parent pipeline that needs the intervals of a histogram around it, all of them. */
export function needsHistogram(
  type: string,
  name: string,
  parent: AggregationSpec | undefined,
): string | undefined {
  if (parent === undefined) return needsParent(type, name, parent);
  const kind = parent.kind.name;
  if (kind === 'auto_date_histogram') return undefined;
  if (kind !== 'histogram' && kind !== 'date_histogram')
    return `${type} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`;
  const { shape } = parent.options as { readonly shape: { readonly minDocCount: number } };
  return shape.minDocCount === 0
    ? undefined
    : `parent histogram of ${type} aggregation [${name}] must have min_doc_count of 0`;
}

/** What is wrong with a parent pipeline on the highest level. */
export function needsParent(
  type: string,
  name: string,
  parent: AggregationSpec | undefined,
): string | undefined {
  return parent === undefined
    ? `${type} aggregation [${name}] must be declared inside of another aggregation`
    : undefined;
}
