// Pipelines that compute by a script over the numbers of each bucket: `bucket_script` adds its result, `bucket_selector` keeps the
// buckets for which it is true.

import type { AggregationBucket, ScriptSpec } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsingError } from '../../query/errors.ts';
import { isObject } from '../../query/parameters.ts';
import type { Steps } from '../../query/steps.ts';
import { SearchMeter } from '../../scripts/documents/search-meter.ts';
import { type ParamsContext, ParamsScript } from '../../scripts/params-script.ts';
import { readScript } from '../../scripts/script-spec.ts';
import { asNumber, Double, type Value } from '../../scripts/values/value.ts';
import type { PipelineKind, PipelinePlace } from '../kind.ts';
import { singleMetric } from '../metric/numeric-metric.ts';
import { Members } from '../request/members.ts';
import type { ValueFormat } from '../values/value-format.ts';
import { bucketNumber, type GapPolicy, splitPath } from './buckets-path.ts';
import { needsParent, pipelineFormat, readGapPolicy } from './pipeline-members.ts';

interface BucketScriptOptions {
  /** Paths by the names of parameters. */
  readonly paths: ReadonlyMap<string, string>;
  readonly script: ScriptSpec;
  readonly format: ValueFormat;
  readonly policy: GapPolicy;
}

const RESULT: ParamsContext<number | undefined> = {
  name: 'bucket_aggregation',
  returns: 'Number',
  finish: asNumber,
};

const CONDITION: ParamsContext<boolean> = {
  name: 'bucket_selector',
  returns: 'boolean',
  finish: (result) => result === true,
};

export const BUCKET_SCRIPT: PipelineKind<BucketScriptOptions> = {
  ...pipeline('bucket_script'),
  change: (options, result, own) => addResults(options, result.buckets, own),
};

function* addResults(
  options: BucketScriptOptions,
  buckets: readonly AggregationBucket[],
  { name, meta, context, parent }: PipelinePlace,
): Steps<void> {
  const script = new ParamsScript(options.script, RESULT, context.now);
  const meter = new SearchMeter();
  for (const bucket of buckets) {
    const values = valuesOf(bucket, options, parent!.name);
    yield;
    if (options.policy === 'skip' && values.some(([, { value }]) => Number.isNaN(value))) continue;
    const value = script.run(values, [], meter);
    meter.check();
    if (value === undefined) continue;
    const number = Number.isFinite(value) ? value : null;
    bucket.aggregations.set(name, {
      ...singleMetric('simple_value', undefined, number, options.format),
      meta,
    });
  }
}

export const BUCKET_SELECTOR: PipelineKind<BucketScriptOptions> = {
  ...pipeline('bucket_selector'),
  *change(options, result, { context, parent }) {
    const script = new ParamsScript(options.script, CONDITION, context.now);
    const meter = new SearchMeter();
    const kept: AggregationBucket[] = [];
    for (const bucket of result.buckets) {
      if (script.run(valuesOf(bucket, options, parent!.name), [], meter)) kept.push(bucket);
      meter.check();
      yield;
    }
    result.buckets = kept;
  },
};

/** What both have in common. */
function pipeline(name: string): Omit<PipelineKind<BucketScriptOptions>, 'change'> {
  return {
    role: 'parent pipeline',
    name,
    parse: (body) => {
      const members = new Members(name, body);
      const given = members.any('buckets_path');
      const script = members.has('script') ? readScript(body, 'script', name) : undefined;
      void members.any('script');
      const format = pipelineFormat(name === 'bucket_script' ? members.text('format') : undefined);
      const policy = readGapPolicy(members);
      members.end();
      const absent = [
        ...(given === undefined ? ['buckets_path'] : []),
        ...(script === undefined ? ['script'] : []),
      ];
      if (given === undefined || script === undefined)
        throw illegalArgument(`Required [${absent.join(', ')}]`);
      return { paths: readPaths(name, given), script, format, policy };
    },
    paths: ({ paths }) => [...paths.values()],
    check: (_options, own, parent) => needsParent(name, own, parent),
  };
}

/** One path, several, or an object of paths by names. */
function readPaths(name: string, value: JsonValue): ReadonlyMap<string, string> {
  const wrong = (): Error =>
    parsingError(`[${name}] [buckets_path] must be a path, a list or an object of paths`);
  if (typeof value === 'string') return new Map([['_value', value]]);
  const entries: [string, JsonValue][] = Array.isArray(value)
    ? value.map((each, i): [string, JsonValue] => [value.length === 1 ? '_value' : `_value${i}`, each])
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (entries.length === 0) throw wrong();
  return new Map(
    entries.map(([key, path]) => {
      if (typeof path !== 'string') throw wrong();
      return [key, path];
    }),
  );
}

function valuesOf(
  bucket: AggregationBucket,
  { paths, policy }: BucketScriptOptions,
  parent: string,
): readonly (readonly [string, Double])[] {
  return [...paths].map(
    ([name, path]) => [name, new Double(bucketNumber(parent, bucket, splitPath(path), policy))] as const,
  ) satisfies readonly (readonly [string, Value])[];
}
