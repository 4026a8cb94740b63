// All values of a field by bucket, for metrics that need them sorted. Values are kept as they come, and sorted by
// bucket once all are there.

import type { Steps } from '../../query/steps.ts';
import { runToEnd } from '../../turn.ts';
import { grown } from '../collect/bucket-table.ts';
import type { AggregationContext } from '../collect/context.ts';

const ROW_BYTES = 20;
/** Longest run that is sorted in one step: a millisecond. */
const RUN = 8_192;
/** Values between two yields of a merge. */
const SLICE = 65_536;

/** Values by bucket. */
export class ValueLists {
  readonly #context: AggregationContext;
  #buckets: Uint32Array = new Uint32Array(64);
  #values: Float64Array = new Float64Array(64);
  #count = 0;
  /** Where the values of each bucket start, once they are grouped. */
  #starts: Uint32Array | undefined;
  readonly #sorted = new Map<number, Float64Array>();

  constructor(context: AggregationContext) {
    this.#context = context;
  }

  add(buckets: Uint32Array, values: Float64Array, count: number): void {
    while (this.#count + count > this.#values.length) {
      const length = this.#values.length * 2;
      this.#context.claimBytes((length / 2) * ROW_BYTES);
      this.#buckets = grown(this.#buckets, length);
      this.#values = grown(this.#values, length);
    }
    this.#buckets.set(buckets.subarray(0, count), this.#count);
    this.#values.set(values.subarray(0, count), this.#count);
    this.#count += count;
  }

  /** The values of a bucket, ascending. Long lists are sorted in steps. */
  *sorted(bucket: number): Steps<Float64Array> {
    const known = this.#sorted.get(bucket);
    if (known !== undefined) return known;
    yield* this.#group();
    const values = this.#of(bucket);
    yield* sortInSteps(values);
    this.#sorted.set(bucket, values);
    return values;
  }

  /** The same in one step, for comparisons. */
  sortedNow(bucket: number): Float64Array {
    let values = this.#sorted.get(bucket);
    if (values !== undefined) return values;
    runToEnd(this.#group());
    values = this.#of(bucket).sort();
    this.#sorted.set(bucket, values);
    return values;
  }

  #of(bucket: number): Float64Array {
    const starts = this.#starts!;
    if (bucket < 0 || bucket + 1 >= starts.length) return new Float64Array(0);
    return this.#values.subarray(starts[bucket], starts[bucket + 1]);
  }

  /** Sorts the values by bucket, once. */
  *#group(): Steps<void> {
    if (this.#starts !== undefined) return;
    const count = this.#count;
    const [buckets, all] = [this.#buckets, this.#values];
    let highest = -1;
    for (let i = 0; i < count; i++) {
      if (buckets[i]! > highest) highest = buckets[i]!;
      if (i % SLICE === SLICE - 1) yield;
    }
    const starts = new Uint32Array(highest + 2);
    for (let i = 0; i < count; i++) {
      starts[buckets[i]! + 1]!++;
      if (i % SLICE === SLICE - 1) yield;
    }
    for (let b = 0; b <= highest; b++) starts[b + 1]! += starts[b]!;
    const at = starts.slice();
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      values[at[buckets[i]!]!++] = all[i]!;
      if (i % SLICE === SLICE - 1) yield;
    }
    this.#values = values;
    this.#buckets = new Uint32Array(0);
    this.#starts = starts;
  }
}

/** Sorts doubles: short runs first, which are then merged in pairs. */
export function* sortInSteps(values: Float64Array): Steps<void> {
  const { length } = values;
  for (let from = 0; from < length; from += RUN) {
    values.subarray(from, Math.min(length, from + RUN)).sort();
    if (length > RUN) yield;
  }
  let source = values;
  let target = length > RUN ? new Float64Array(length) : values;
  let merged = 0;
  for (let run = RUN; run < length; run *= 2) {
    for (let from = 0; from < length; from += 2 * run) {
      const middle = Math.min(length, from + run);
      const end = Math.min(length, middle + run);
      let left = from;
      let right = middle;
      for (let at = from; at < end; at++) {
        target[at] =
          left < middle && (right >= end || source[left]! <= source[right]!)
            ? source[left++]!
            : source[right++]!;
        if (++merged % SLICE === 0) yield;
      }
    }
    [source, target] = [target, source];
  }
  if (source !== values) values.set(source);
}
