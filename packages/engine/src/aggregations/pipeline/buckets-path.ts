// Resolves `buckets_path`: from a bucket to a number of an aggregation inside it.

import type { AggregationBucket, AggregationResult, AggregationResults } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';

/** What a bucket without a number counts as. */
export type GapPolicy = 'skip' | 'insert_zeros' | 'keep_values';

/** The names of a path: `a>b.c` is a, b, c. */
export function splitPath(path: string): string[] {
  const steps = path.split('>');
  return steps.flatMap((step, i) => {
    const bracket = /^(.*)\[(.*)\]$/.exec(step);
    if (bracket !== null) return [bracket[1]!, bracket[2]!.replace(/^'(.*)'$/, '$1')];
    const dot = step.lastIndexOf('.');
    return i === steps.length - 1 && dot > 0 ? [step.slice(0, dot), step.slice(dot + 1)] : [step];
  });
}

/** A value that a path leads to: a number, or the Java class of anything else, for errors. */
type Found = { readonly number: number } | { readonly what: 'several' | string } | undefined;

const NOT_A_NUMBER =
  'buckets_path must reference either a number value or a single value numeric metric aggregation';

/** The number of a bucket; NaN for one that the policy skips. */
export function bucketNumber(
  aggregation: string,
  bucket: AggregationBucket,
  path: readonly string[],
  policy: GapPolicy,
): number {
  const found = inBucket(bucket, path);
  if (found === undefined) throw misdirected(NOT_A_NUMBER);
  if ('what' in found) {
    const at = path[0] ?? aggregation;
    throw misdirected(
      found.what === 'several'
        ? `${NOT_A_NUMBER}, but [${at}] contains multiple values. Please specify which to use.`
        : `${NOT_A_NUMBER}, got: [${found.what}] at aggregation [${at}]`,
    );
  }
  const isCount = path.length === 1 && path[0] === '_count';
  const isGap = !Number.isFinite(found.number) || (bucket.docCount === 0 && !isCount);
  if (!isGap) return found.number;
  if (policy === 'keep_values' && Number.isFinite(found.number)) return found.number;
  return policy === 'insert_zeros' ? 0 : Number.NaN;
}

function inBucket(bucket: AggregationBucket, path: readonly string[]): Found {
  const [name, ...rest] = path;
  if (name === undefined) return { what: 'Bucket' };
  if (name === '_count') return { number: bucket.docCount };
  if (name === '_key') {
    const { key } = bucket;
    return typeof key === 'number' || typeof key === 'bigint' ? { number: Number(key) } : { what: 'String' };
  }
  return inResults(bucket.aggregations, name, rest);
}

function inResults(results: AggregationResults, name: string, path: readonly string[]): Found {
  const result = results.get(name);
  // A pipeline that has skipped the bucket; names that exist nowhere were refused before.
  return result === undefined ? { number: Number.NaN } : inResult(name, result, path);
}

function inResult(name: string, result: AggregationResult, path: readonly string[]): Found {
  const [first, ...rest] = path;
  switch (result.shape) {
    case 'metric': {
      const { numbers } = result;
      const isSingle = numbers.has('value');
      if (first === undefined)
        return isSingle ? { number: numbers.get('value') ?? Number.NaN } : { what: 'several' };
      const key = numbers.has(first) ? first : `${first}.0`;
      if (!numbers.has(key) || rest.length > 0)
        throw illegalArgument(`path not supported for [${name}]: [${path.join(', ')}]`);
      return { number: numbers.get(key) ?? Number.NaN };
    }
    case 'bucket':
      if (first === undefined) return { what: javaClass(result.typeName) };
      if (first === '_count') return { number: result.docCount };
      return inResults(result.aggregations, first, rest);
    case 'buckets': {
      if (first === undefined) return { what: javaClass(result.typeName) };
      if (first === '_bucket_count') return { number: result.buckets.length };
      const bucket = result.buckets.find((each) => each.name === first);
      return bucket === undefined ? { what: 'Object[]' } : inBucket(bucket, rest);
    }
    default:
      return { what: javaClass(result.typeName) };
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  sterms: 'StringTerms',
  lterms: 'LongTerms',
  ulterms: 'UnsignedLongTerms',
  dterms: 'DoubleTerms',
  umterms: 'UnmappedTerms',
};

/** The peer's class of a result, which its errors show. */
function javaClass(typeName: string): string {
  const words = typeName.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return CLASSES[typeName] ?? `Internal${words.join('')}`;
}

function misdirected(reason: string): EngineError {
  return new EngineError('aggregation_execution_exception', reason);
}
