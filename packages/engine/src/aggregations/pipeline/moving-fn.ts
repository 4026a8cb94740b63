// `moving_fn`: a script over the values of the buckets in a window before each bucket.

import type { ScriptSpec } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { SearchMeter } from '../../scripts/documents/search-meter.ts';
import { type ParamsContext, ParamsScript } from '../../scripts/params-script.ts';
import { readScript } from '../../scripts/script-spec.ts';
import { asNumber, Double } from '../../scripts/values/value.ts';
import type { PipelineKind } from '../kind.ts';
import { singleMetric } from '../metric/numeric-metric.ts';
import { Members } from '../request/members.ts';
import { bucketNumber, splitPath } from './buckets-path.ts';
import { needsHistogram, type PathOptions, readPathOptions } from './pipeline-members.ts';

interface MovingOptions extends PathOptions {
  readonly script: ScriptSpec;
  readonly window: number;
  /** By how many buckets the window lies later. */
  readonly shift: number;
}

const CONTEXT: ParamsContext<number> = {
  name: 'moving-function',
  returns: 'double',
  globals: ['values'],
  finish: (result) => asNumber(result) ?? Number.NaN,
};

export const MOVING_FN: PipelineKind<MovingOptions> = {
  role: 'parent pipeline',
  name: 'moving_fn',
  parse: (body, own) => {
    const members = new Members('moving_fn', body);
    const script = members.has('script') ? readScript(body, 'script', 'moving_fn') : undefined;
    void members.any('script');
    const window = members.integer('window');
    const shift = members.integer('shift') ?? 0;
    const options = readPathOptions(members, own);
    members.end();
    const absent = [...(script === undefined ? ['script'] : []), ...(window === undefined ? ['window'] : [])];
    if (script === undefined || window === undefined)
      throw illegalArgument(`Required [${absent.join(', ')}]`);
    if (window <= 0) throw members.unbuilt(illegalArgument('[window] must be a positive, non-zero integer.'));
    return { ...options, script, window, shift };
  },
  paths: ({ path }) => [path],
  check: (_options, own, parent) => needsHistogram('moving_fn', own, parent),
  *change(
    { path, policy, format, script: spec, window, shift },
    { buckets },
    { name, meta, context, parent },
  ) {
    const script = new ParamsScript(spec, CONTEXT, context.now);
    const meter = new SearchMeter();
    const steps = splitPath(path);
    const known = buckets
      .map((bucket) => ({ bucket, value: bucketNumber(parent!.name, bucket, steps, policy) }))
      .filter(({ value }) => !Number.isNaN(value));
    const within = (at: number): number => Math.min(Math.max(at, 0), known.length);
    for (const [i, { bucket }] of known.entries()) {
      const values = known.slice(within(i - window + shift), within(i + shift));
      const result = script.run([], [values.map(({ value }) => new Double(value))], meter);
      meter.steps += values.length;
      meter.check();
      const number = Number.isFinite(result) ? result : null;
      bucket.aggregations.set(name, { ...singleMetric('simple_value', undefined, number, format), meta });
      yield;
    }
  },
};
