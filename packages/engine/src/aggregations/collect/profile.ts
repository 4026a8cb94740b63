// Times what an aggregator does, for searches that ask for a profile. It is given documents in batches, so that each level has a time of
// its own, also where a search without a profile counts two levels at once.

import type { AggregationProfile, AggregationResult, Measured } from '../../api.ts';
import { countBits } from '../../kernels/bits.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator, LeafMatches } from './aggregator.ts';

/** A profile without figures. */
export function emptyProfile(
  kind: string,
  name: string,
  children: readonly AggregationProfile[],
): AggregationProfile {
  const measured = (): Measured => ({ nanos: 0, count: 0 });
  return {
    ...{ kind, name, children, typeName: undefined, buckets: 0 },
    ...{ initialize: measured(), collect: measured(), build: measured(), postCollection: measured() },
  };
}

/** An aggregator that is timed. Waiting for a turn between two steps does not count. */
export class ProfiledAggregator implements Aggregator {
  readonly #inner: Aggregator;
  readonly #profile: AggregationProfile;

  constructor(inner: Aggregator, profile: AggregationProfile) {
    this.#inner = inner;
    this.#profile = profile;
  }

  get needsScores(): boolean {
    return this.#inner.needsScores === true;
  }

  *prepare(): Steps<void> {
    if (this.#inner.prepare !== undefined) yield* timed(this.#profile.initialize, this.#inner.prepare());
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    const steps = this.#inner.enter(leaf);
    if (steps !== undefined) yield* timed(this.#profile.initialize, steps);
  }

  collect(batch: AggregationBatch): void {
    const { collect } = this.#profile;
    const start = performance.now();
    this.#inner.collect(batch);
    collect.nanos += nanosSince(start);
    collect.count += batch.count;
  }

  *collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean> {
    if (this.#inner.collectLeaf === undefined) return false;
    const { collect } = this.#profile;
    const before = collect.count;
    const isDone = yield* timed(collect, this.#inner.collectLeaf(leaf, matches));
    collect.count = before + (isDone ? countBits(matches.bits, 0, leaf.leaf.docCount) : 0);
    return isDone;
  }

  *finish(): Steps<void> {
    if (this.#inner.finish !== undefined) yield* timed(this.#profile.postCollection, this.#inner.finish());
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { build } = this.#profile;
    const start = performance.now();
    const made = this.#inner.result(bucket);
    build.nanos += nanosSince(start);
    const result = 'next' in made ? yield* timed(build, made) : made;
    if (!('next' in made)) build.count++;
    this.#profile.typeName = result.typeName;
    if (result.shape === 'buckets')
      for (const { docCount } of result.buckets) if (docCount > 0) this.#profile.buckets++;
    return result;
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    return this.#inner.number?.(bucket, path, key);
  }
}

function* timed<T>(measured: Measured, steps: Steps<T>): Steps<T> {
  measured.count++;
  for (;;) {
    const start = performance.now();
    const step = steps.next();
    measured.nanos += nanosSince(start);
    if (step.done === true) return step.value;
    yield;
  }
}

/** Nanoseconds since a moment of performance.now(). */
export function nanosSince(start: number): number {
  return Math.round((performance.now() - start) * 1e6);
}
