// `ip_range`: one bucket for each of several ranges of addresses, given by bounds or by a mask. A range includes its
// lower bound and not its upper one.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { EngineError } from '../../../errors.ts';
import { parseCidr, parseIp, printIp } from '../../../mapping/types/ip.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { DocCounts } from '../../collect/counts.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { unsupportedField } from '../../values/fields.ts';
import { compareBytes } from '../../values/global-ordinals.ts';
import { OrdinalSource } from '../../values/ordinal-source.ts';
import { needRanges, readRanges } from './range.ts';

interface AddressRange {
  readonly key: string | undefined;
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
}

interface IpRangeOptions {
  readonly values: ValuesSpec;
  readonly ranges: readonly AddressRange[];
  readonly keyed: boolean;
}

class IpRanges implements Aggregator {
  readonly #options: IpRangeOptions;
  readonly #place: AggregationPlace;
  readonly #source: OrdinalSource;
  readonly #ranges: readonly AddressRange[];
  readonly #counts = new DocCounts();
  /** For each range, the numbers of its terms: from, and the one behind the last. */
  #bounds: readonly (readonly [number, number])[] = [];

  constructor(options: IpRangeOptions, place: AggregationPlace) {
    needRanges(options.ranges, place.name);
    this.#options = options;
    this.#place = place;
    this.#source = new OrdinalSource({ ...options.values, valueType: 'ip' }, place.context, 'ip_range');
    if (this.#source.kind !== 'ip' && this.#source.isMapped)
      throw unsupportedField(options.values.field, this.#source.kind, 'ip_range');
    this.#ranges = [...options.ranges].sort(
      (a, b) => compareBounds(a.from, b.from, -1) || compareBounds(a.to, b.to, 1),
    );
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#source.prepare();
    const { count } = this.#source;
    this.#bounds = this.#ranges.map(({ from, to }) => [
      from === undefined ? 0 : this.#source.lowerBound(from),
      to === undefined ? count : this.#source.lowerBound(to),
    ]);
    yield* this.#place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.#source.enter(leaf);
    yield* this.#place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, ordinals, count } = this.#source.rows(batch);
    const { subs } = this.#place;
    const bounds = this.#bounds;
    const lastRow = new Int32Array(bounds.length).fill(-1);
    let firstRow = 0;
    for (let i = 0; i < count; i++) {
      if (i > 0 && (docs[i] !== docs[i - 1] || buckets[i] !== buckets[i - 1])) firstRow = i;
      for (let r = 0; r < bounds.length; r++) {
        const [from, to] = bounds[r]!;
        // A document counts once in each range, however many of its addresses lie there.
        if (ordinals[i]! < from || ordinals[i]! >= to || lastRow[r]! >= firstRow) continue;
        lastRow[r] = i;
        const number = buckets[i]! * bounds.length + r;
        this.#counts.add(number);
        subs.add(docs[i]!, number);
      }
    }
    subs.flush();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { subs, meta, context } = this.#place;
    const { keyed } = this.#options;
    const buckets: AggregationBucket[] = [];
    // Unlike other ranges, these are left out where the bucket above only fills a gap.
    if (bucket < 0) return { shape: 'buckets', typeName: 'ip_range', meta, head: {}, buckets, keyed };
    context.countBuckets(this.#ranges.length);
    for (const [i, { key, from, to }] of this.#ranges.entries()) {
      const number = bucket * this.#ranges.length + i;
      const [start, end] = [from, to].map((bound) => (bound === undefined ? undefined : printIp(bound)));
      const name = key ?? `${start ?? '*'}-${end ?? '*'}`;
      buckets.push({
        name,
        key: name,
        members: { ...(keyed ? {} : { key: name }), from: start, to: end },
        docCount: this.#counts.of(number),
        aggregations: yield* subs.results(number),
      });
    }
    return { shape: 'buckets', typeName: 'ip_range', meta, head: {}, buckets, keyed };
  }
}

/** Compares bounds; `open` is the sign of an open one. */
function compareBounds(a: Uint8Array | undefined, b: Uint8Array | undefined, open: -1 | 1): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? open : -open;
  return compareBytes(a, b);
}

function readAddressRange(members: Members): AddressRange {
  const key = members.optionalText('key');
  const mask = members.optionalText('mask');
  const [from, to] = [members.optionalText('from'), members.optionalText('to')].map((text) =>
    text === undefined ? undefined : addressOf(text),
  );
  members.end();
  if (mask === undefined) return { key, from, to };
  if (from !== undefined || to !== undefined) throw bothGiven();
  const { min, max } = parseCidr(mask);
  return { key: key ?? mask, from: isFirst(min) ? undefined : min, to: following(max) };
}

function bothGiven(): EngineError {
  return new EngineError(
    'parsing_exception',
    'Cannot set [mask] together with [from] or [to] in an [ip_range]',
  );
}

function addressOf(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes !== undefined) return bytes;
  throw new EngineError('illegal_argument_exception', `'${text}' is not an IP string literal.`);
}

function isFirst(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** The address behind another; undefined behind the last. */
function following(bytes: Uint8Array): Uint8Array | undefined {
  const out = bytes.slice();
  for (let i = out.length - 1; i >= 0; i--) {
    out[i] = (out[i]! + 1) & 255;
    if (out[i] !== 0) return out;
  }
  return undefined;
}

export const IP_RANGE: AggregationKind<IpRangeOptions> = {
  role: 'bucket',
  name: 'ip_range',
  parse: (body) => {
    const members = new Members('ip_range', body);
    const keyed = members.flag('keyed') ?? false;
    const ranges = readRanges(members, readAddressRange);
    const values = readValuesSpec(members);
    members.end();
    return { values, ranges, keyed };
  },
  create: (options, place) => new IpRanges(options, place),
};
