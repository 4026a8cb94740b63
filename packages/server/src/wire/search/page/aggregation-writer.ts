// Writes the `aggregations` member of a reply: names with their types where `typed_keys` asks for them, metrics, buckets as lists
// or objects, and the hits inside them. It writes bytes, because a tree of some thousand buckets takes several times as long.

import {
  type AggregationMembers,
  type AggregationResult,
  type AggregationResults,
  type AggregationValue,
  answerTooLarge,
  type HitsResult,
  JsonWriter,
  type MetricResult,
  Piece,
} from '@octavo/engine';
import { putDouble } from '../../../json/number-text.ts';
import { RawJson, type ReplyObject } from '../../../json/reply-value.ts';
import { printReply } from '../../router/print-reply.ts';

/** Prints the hits of a `top_hits` result. */
type PrintHits = (result: HitsResult) => Generator<void, ReplyObject, undefined>;

/** How results are printed. */
interface PrintOptions {
  readonly typedKeys: boolean;
  readonly hits: PrintHits;
  /** The most bytes of an answer: hits in many buckets are more than the hits of a page. */
  readonly most: number;
}

const FIRST_BYTES = 1_024;

/** The names that most buckets have, as they are printed. */
const NAMES: ReadonlyMap<string, Piece> = new Map(
  ['key', 'key_as_string', 'doc_count', 'value', 'value_as_string', 'from', 'to', 'buckets'].map((name) => [
    name,
    new Piece(`"${name}":`),
  ]),
);

/** Buckets between two yields. */
const BUCKETS_AT_ONCE = 128;

/** The results of one level as an object. Yields between buckets. */
export function* printAggregations(
  results: AggregationResults,
  options: PrintOptions,
): Generator<void, RawJson, undefined> {
  const writer = new AggregationWriter(options);
  yield* writer.level(results);
  return new RawJson(writer.bytes);
}

class AggregationWriter {
  readonly #options: PrintOptions;
  readonly #out = new JsonWriter(Buffer.allocUnsafe(FIRST_BYTES), 0);
  /** Whether the next member of the object is its first. */
  #isFirst = true;
  #buckets = 0;

  constructor(options: PrintOptions) {
    this.#options = options;
  }

  get bytes(): Uint8Array {
    return this.#out.bytes.subarray(0, this.#out.at);
  }

  /** A level as an object. */
  *level(results: AggregationResults): Generator<void, void, undefined> {
    this.#begin();
    yield* this.#results(results);
    this.#end();
  }

  *#results(results: AggregationResults): Generator<void, void, undefined> {
    const { typedKeys } = this.#options;
    for (const [name, result] of results) {
      this.#name(typedKeys ? `${result.typeName}#${name}` : name);
      this.#begin();
      if (result.shape === 'metric') this.#metric(result);
      else yield* this.#result(result);
      this.#end();
    }
  }

  #metric({ meta, members }: MetricResult): void {
    this.#meta(meta);
    this.#members(members);
  }

  #meta(meta: AggregationResult['meta']): void {
    if (meta === undefined) return;
    this.#name('meta');
    this.#out.raw(printReply(meta));
  }

  *#result(result: Exclude<AggregationResult, MetricResult>): Generator<void, void, undefined> {
    const out = this.#out;
    this.#meta(result.meta);
    switch (result.shape) {
      case 'hits':
        this.#name('hits');
        out.raw(printReply(yield* this.#options.hits(result)));
        if (out.at > this.#options.most) throw answerTooLarge(out.at, this.#options.most);
        break;
      case 'bucket':
        this.#name('doc_count');
        out.integer(result.docCount);
        this.#members(result.extra);
        yield* this.#results(result.aggregations);
        break;
      case 'buckets': {
        const { keyed, buckets } = result;
        this.#members(result.head);
        this.#name('buckets');
        out.ascii(keyed ? '{' : '[');
        let isFirst = true;
        for (const { name, members, docCount, extra, aggregations } of buckets) {
          if (!isFirst) out.ascii(',');
          isFirst = false;
          if (keyed) {
            out.string(name);
            out.ascii(':');
          }
          this.#begin();
          this.#members(members);
          this.#name('doc_count');
          out.integer(docCount);
          this.#members(extra);
          if (aggregations.size > 0) yield* this.#results(aggregations);
          this.#end();
          if (++this.#buckets % BUCKETS_AT_ONCE === 0) yield;
        }
        out.ascii(keyed ? '}' : ']');
        this.#members(result.tail);
      }
    }
  }

  #members(members: AggregationMembers | undefined): void {
    if (members === undefined) return;
    for (const name in members) {
      const value = members[name];
      if (value === undefined) continue;
      this.#name(name);
      this.#value(value);
    }
  }

  /** Numbers are doubles, integers are bigints. */
  #value(value: AggregationValue): void {
    const out = this.#out;
    if (typeof value === 'string') out.string(value);
    else if (typeof value === 'number') putDouble(value, out);
    else if (typeof value === 'bigint') {
      const number = Number(value);
      if (Number.isSafeInteger(number)) out.integer(number);
      else out.ascii(String(value));
    } else if (typeof value !== 'object' || value === null) out.ascii(String(value));
    else if (Array.isArray(value)) {
      out.ascii('[');
      (value as readonly AggregationValue[]).forEach((each, i) => {
        if (i > 0) out.ascii(',');
        this.#value(each);
      });
      out.ascii(']');
    } else {
      this.#begin();
      this.#members(value as AggregationMembers);
      this.#end();
    }
  }

  #begin(): void {
    this.#out.ascii('{');
    this.#isFirst = true;
  }

  #end(): void {
    this.#out.ascii('}');
    this.#isFirst = false;
  }

  #name(name: string): void {
    const out = this.#out;
    if (!this.#isFirst) out.ascii(',');
    this.#isFirst = false;
    const piece = NAMES.get(name);
    if (piece !== undefined) out.piece(piece);
    else {
      out.string(name);
      out.ascii(':');
    }
  }
}
