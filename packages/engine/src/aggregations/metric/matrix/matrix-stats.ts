// `matrix_stats`: moments of several fields and how they vary together, over the documents that have all of them.
// The moments are updated document by document (Pébay 2008), as the peer does.

import type { AggregationMembers, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../../query/errors.ts';
import { isObject, jsonToken } from '../../../query/parameters.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { grown } from '../../collect/bucket-table.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { NumericSource } from '../../values/numeric-source.ts';

/** How one value stands for several of a document. */
type MatrixMode = 'avg' | 'min' | 'max' | 'sum' | 'median';

const MODES: readonly MatrixMode[] = ['avg', 'min', 'max', 'sum', 'median'];

interface MatrixOptions {
  readonly fields: readonly string[];
  /** The values of documents without one, by field. */
  readonly missing: JsonObject;
  readonly mode: MatrixMode;
}

/** Numbers kept for each field: sum, mean, and the second to fourth moment. */
const WIDTH = 5;

class MatrixStats implements Aggregator {
  readonly #place: AggregationPlace;
  readonly #mode: MatrixMode;
  /** The fields that any index maps, by name. */
  readonly #fields: readonly string[];
  readonly #sources: readonly NumericSource[];
  /** By field, the value of each document of a batch; NaN without one. */
  readonly #values: Float64Array[];
  /** For each bucket the count, the numbers of each field, and the co-moment of each pair. */
  #state: Float64Array = new Float64Array(0);
  readonly #stride: number;
  readonly #deltas: Float64Array;

  constructor({ fields, missing, mode }: MatrixOptions, place: AggregationPlace) {
    this.#place = place;
    this.#mode = mode;
    const none = { format: undefined, timeZone: undefined, valueType: undefined };
    const known = [...new Set(fields)]
      .map((field) => {
        const spec = { field, missing: missing[field], ...none };
        return { field, source: new NumericSource(spec, place.context, place.type) };
      })
      .filter(({ source }) => source.isMapped)
      .sort((a, b) => (a.field < b.field ? -1 : 1));
    this.#fields = known.map(({ field }) => field);
    this.#sources = known.map(({ source }) => source);
    this.#values = known.map(() => new Float64Array(0));
    const { length } = known;
    this.#stride = 1 + length * WIDTH + (length * (length - 1)) / 2;
    this.#deltas = new Float64Array(length);
  }

  enter(leaf: AggregationLeaf): void {
    for (const source of this.#sources) source.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    if (this.#fields.length === 0) return;
    for (const field of this.#sources.keys()) this.#readField(field, batch);
    for (let i = 0; i < batch.count; i++) {
      if (this.#values.some((values) => Number.isNaN(values[i]!))) continue;
      this.#add(batch.buckets[i]!, i);
    }
  }

  #readField(field: number, batch: AggregationBatch): void {
    const { docs, buckets, values, count } = this.#sources[field]!.rows(batch);
    if (this.#values[field]!.length < batch.count) this.#values[field] = new Float64Array(batch.count);
    const out = this.#values[field]!;
    let row = 0;
    for (let i = 0; i < batch.count; i++) {
      const from = row;
      while (row < count && docs[row] === batch.docs[i] && buckets[row] === batch.buckets[i]) row++;
      out[i] = row === from ? Number.NaN : oneValue(values, from, row, this.#mode);
    }
  }

  #add(bucket: number, i: number): void {
    const base = bucket * this.#stride;
    if (base + this.#stride > this.#state.length) {
      const length = Math.max(base + this.#stride, this.#state.length * 2);
      this.#place.context.claimBytes(8 * (length - this.#state.length));
      this.#state = grown(this.#state, length);
    }
    const state = this.#state;
    const count = ++state[base]!;
    const deltas = this.#deltas;
    const { length } = this.#fields;
    for (let field = 0; field < length; field++) {
      const at = base + 1 + field * WIDTH;
      const value = this.#values[field]![i]!;
      state[at]! += value;
      deltas[field] = value * count - state[at]!;
      const distance = value - state[at + 1]!;
      const step = distance / count;
      const term = distance * step * (count - 1);
      const [second, third] = [state[at + 2]!, state[at + 3]!];
      state[at + 1]! += step;
      state[at + 2]! += term;
      state[at + 3]! += term * step * (count - 2) - 3 * step * second;
      state[at + 4]! +=
        term * step ** 2 * (count ** 2 - 3 * count + 3) + 6 * step ** 2 * second - 4 * step * third;
    }
    if (count === 1) return;
    let pair = base + 1 + length * WIDTH;
    for (let a = 0; a < length; a++)
      for (let b = a + 1; b < length; b++)
        state[pair++]! += (deltas[a]! * deltas[b]!) / (count * (count - 1));
  }

  result(bucket: number): AggregationResult {
    const base = bucket * this.#stride;
    const isKnown = bucket >= 0 && base < this.#state.length;
    const count = isKnown ? this.#state[base]! : 0;
    const members: AggregationMembers = {
      doc_count: BigInt(count),
      fields: count === 0 ? undefined : this.#fields.map((_, field) => this.#membersOf(base, field)),
    };
    return { shape: 'metric', typeName: 'matrix_stats', meta: this.#place.meta, members, numbers: new Map() };
  }

  #membersOf(base: number, field: number): AggregationMembers {
    const state = this.#state;
    const count = state[base]!;
    const at = base + 1 + field * WIDTH;
    const [mean, second, third, fourth] = [state[at + 1]!, state[at + 2]!, state[at + 3]!, state[at + 4]!];
    const varianceOf = (each: number): number => state[base + 1 + each * WIDTH + 2]! / (count - 1);
    const covariance: Record<string, number | string> = {};
    const correlation: Record<string, number | string> = {};
    for (const [other, name] of this.#fields.entries()) {
      const together = other === field ? varianceOf(field) : this.#coMoment(base, field, other) / (count - 1);
      covariance[name] = printed(together);
      const scale = Math.sqrt(varianceOf(field)) * Math.sqrt(varianceOf(other));
      correlation[name] = other === field ? 1 : printed(scale === 0 ? Number.NaN : together / scale);
    }
    return {
      name: this.#fields[field]!,
      count: BigInt(count),
      mean: printed(mean),
      variance: printed(varianceOf(field)),
      skewness: printed((Math.sqrt(count) * third) / second ** 1.5),
      kurtosis: printed((count * fourth) / second ** 2),
      covariance,
      correlation,
    };
  }

  #coMoment(base: number, one: number, other: number): number {
    const { length } = this.#fields;
    const [a, b] = one < other ? [one, other] : [other, one];
    const before = (a * (2 * length - a - 1)) / 2;
    return this.#state[base + 1 + length * WIDTH + before + (b - a - 1)]!;
  }
}

/** What is no number is printed as text. */
function printed(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function oneValue(values: Float64Array, from: number, to: number, mode: MatrixMode): number {
  if (to === from + 1 || mode === 'min') return values[from]!;
  if (mode === 'max') return values[to - 1]!;
  const middle = (from + to) >>> 1;
  if (mode === 'median')
    return (to - from) % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
  let sum = 0;
  for (let at = from; at < to; at++) sum += values[at]!;
  return mode === 'sum' ? sum : sum / (to - from);
}

function readFields(value: JsonValue): readonly string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  return list.every((each) => typeof each === 'string') ? list : undefined;
}

function readMode(value: JsonValue): MatrixMode | undefined {
  if (typeof value !== 'string') return undefined;
  const mode = MODES.find((each) => each === value.toLowerCase());
  if (mode === undefined) throw illegalArgument(`Illegal sort mode: ${value}`);
  return mode;
}

export const MATRIX_STATS: AggregationKind<MatrixOptions> = {
  role: 'metric',
  name: 'matrix_stats',
  parse: (body, name) => {
    let [fields, missing, mode]: [readonly string[], JsonObject, MatrixMode] = [[], {}, 'avg'];
    for (const [key, value] of Object.entries(body)) {
      const error = parsingError(`Unexpected token ${jsonToken(value)} [${key}] in [${name}].`);
      const refused = (): never => {
        throw error;
      };
      if (key === 'fields') fields = readFields(value) ?? refused();
      else if (key === 'missing') missing = isObject(value) ? value : refused();
      else if (key === 'mode') mode = readMode(value) ?? refused();
      else refused();
    }
    return { fields, missing, mode };
  },
  create: (options, place) => new MatrixStats(options, place),
};
