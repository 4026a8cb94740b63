// Makes the `aggregations` member of a reply: names with their types where `typed_keys` asks for them, metrics,
// buckets as lists or objects, and the hits inside them.

import type {
  AggregationMembers,
  AggregationResult,
  AggregationResults,
  AggregationValue,
  HitsResult,
} from '@octavo/engine';
import { double } from '../../../json/number-text.ts';
import type { ReplyObject, ReplyValue } from '../../../json/reply-value.ts';

/** Prints the hits of a `top_hits` result. */
export type PrintHits = (result: HitsResult) => ReplyObject;

/** How results are printed. */
interface PrintOptions {
  readonly typedKeys: boolean;
  readonly hits: PrintHits;
}

/** The results of one level as an object. */
export function aggregationsTree(results: AggregationResults, options: PrintOptions): ReplyObject {
  const out = Object.create(null) as ReplyObject;
  for (const [name, result] of results)
    out[options.typedKeys ? `${result.typeName}#${name}` : name] = resultTree(result, options);
  return out;
}

function resultTree(result: AggregationResult, options: PrintOptions): ReplyObject {
  const out = Object.create(null) as ReplyObject;
  if (result.meta !== undefined) out['meta'] = result.meta;
  switch (result.shape) {
    case 'metric':
      addMembers(out, result.members);
      break;
    case 'hits':
      out['hits'] = options.hits(result);
      break;
    case 'bucket':
      out['doc_count'] = result.docCount;
      addMembers(out, result.extra);
      addResults(out, result.aggregations, options);
      break;
    case 'buckets': {
      addMembers(out, result.head);
      const buckets = result.buckets.map((bucket): [string, ReplyObject] => {
        const shown = Object.create(null) as ReplyObject;
        addMembers(shown, bucket.members);
        shown['doc_count'] = bucket.docCount;
        addMembers(shown, bucket.extra);
        addResults(shown, bucket.aggregations, options);
        return [bucket.name, shown];
      });
      out['buckets'] = result.keyed ? keyedBuckets(buckets) : buckets.map(([, shown]) => shown);
      addMembers(out, result.tail);
    }
  }
  return out;
}

function keyedBuckets(buckets: readonly [string, ReplyObject][]): ReplyObject {
  const out = Object.create(null) as ReplyObject;
  for (const [name, shown] of buckets) out[name] = shown;
  return out;
}

function addResults(out: ReplyObject, results: AggregationResults, options: PrintOptions): void {
  if (results.size > 0) addTree(out, aggregationsTree(results, options));
}

function addTree(out: ReplyObject, tree: ReplyObject): void {
  for (const name of Object.keys(tree)) out[name] = tree[name];
}

function addMembers(out: ReplyObject, members: AggregationMembers | undefined): void {
  if (members === undefined) return;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) out[name] = valueTree(value);
  }
}

/** Numbers are doubles, integers are bigints. */
function valueTree(value: AggregationValue): ReplyValue {
  if (typeof value === 'number') return double(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly AggregationValue[]).map(valueTree);
  const out = Object.create(null) as ReplyObject;
  addMembers(out, value as AggregationMembers);
  return out;
}
