// `significant_text`: the terms of a text that are more frequent in a bucket than in the background. The texts of
// the bucket's documents are analyzed anew, so it is best used below a sampler.

import type { AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import { bytesOf } from '../../../json/bytes.ts';
import { plainText } from '../../../json/java-text.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { FieldType } from '../../../mapping/types/type.ts';
import { isObject } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import { DocCounts } from '../../collect/counts.ts';
import { DeferredDocs } from '../../collect/deferred-docs.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { unsupportedField } from '../../values/fields.ts';
import { compareBytes } from '../../values/global-ordinals.ts';
import { selectOrdinals } from '../terms/term-selection.ts';
import {
  mostSignificant,
  readSignificantOptions,
  type SignificantOptions,
  significantResult,
} from './significant-options.ts';
import { TermBackground } from './term-background.ts';
import { TokenSequences } from './token-sequences.ts';

interface SignificantTextOptions extends SignificantOptions {
  readonly field: string;
  /** Where the texts lie in sources; undefined for the field itself. */
  readonly sourceFields: readonly string[] | undefined;
  readonly leavesOutCopies: boolean;
}

/** Bytes of texts between two yields. */
const SLICE = 16_384;

class SignificantText implements Aggregator {
  readonly #options: SignificantTextOptions;
  readonly #place: AggregationPlace;
  readonly #fields: readonly (FieldType | undefined)[];
  readonly #deferred: DeferredDocs;
  readonly #sizes = new DocCounts();
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #table: BucketTable;
  readonly #sequences: TokenSequences[] = [];
  readonly #background = new TermBackground();
  #backgroundCounts = new Uint32Array(0);
  #accepted: Uint8Array | undefined;
  #isMappedHere = false;

  constructor(options: SignificantTextOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    const { context, type } = place;
    this.#fields = context.views.map(({ mapping }) => mapping.field(options.field));
    for (const field of this.#fields)
      if (field !== undefined && field.analyzer === undefined && field.kind !== 'keyword')
        throw unsupportedField(options.field, field.kind, type);
    this.#deferred = new DeferredDocs(context, false);
    this.#table = new BucketTable(context);
  }

  enter(leaf: AggregationLeaf): void {
    this.#isMappedHere = this.#fields[leaf.indexPlace] !== undefined;
    this.#deferred.enter(leaf);
  }

  collect({ docs, buckets, count }: AggregationBatch): void {
    if (!this.#isMappedHere) return;
    for (let i = 0; i < count; i++) {
      this.#sizes.add(buckets[i]!);
      this.#deferred.add(docs[i]!, buckets[i]!);
    }
  }

  *finish(): Steps<void> {
    const { context, name } = this.#place;
    let leaf: AggregationLeaf;
    yield* this.#deferred.replay({
      enter: (entered) => {
        leaf = entered;
      },
      collect: (batch) => this.#analyze(leaf, batch),
    });
    const { background, selection, minDocCount } = this.#options;
    const paths = this.#fields.map((field) => field?.path);
    yield* this.#background.scan(context.background, background, paths);
    const table = this.#table;
    const isCandidate = new Uint8Array(this.#terms.length);
    for (let i = 0; i < table.count; i++)
      if (table.docCounts[i]! >= minDocCount) isCandidate[table.lo[i]!] = 1;
    const candidates = this.#terms.map((_, i) => i).filter((i) => isCandidate[i] === 1);
    const counts = yield* this.#background.count(candidates.map((i) => this.#terms[i]!));
    this.#backgroundCounts = new Uint32Array(this.#terms.length);
    for (const [i, term] of candidates.entries()) this.#backgroundCounts[term] = counts[i]!;
    const source = {
      kind: 'text',
      count: this.#terms.length,
      term: (number: number) => bytesOf(this.#terms[number]!),
      bytesOf,
      find: (bytes: Uint8Array) => this.#numbers.get(new TextDecoder().decode(bytes)) ?? -1,
    };
    this.#accepted = yield* selectOrdinals(selection, source, name, context);
  }

  /** Counts the terms of documents. */
  *#analyze(leaf: AggregationLeaf, { docs, buckets, count }: AggregationBatch): Steps<void> {
    const { leavesOutCopies } = this.#options;
    let texts: string[][] = [];
    let size = 0;
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i]!;
      if (i === 0 || docs[i] !== docs[i - 1]) {
        const source = this.#place.context.hits.source(leaf, docs[i]!);
        texts = this.#tokensOf(leaf, source);
        size += source.length;
      }
      const sequences = leavesOutCopies
        ? (this.#sequences[bucket] ??= new TokenSequences((bytes) => this.#place.context.claimBytes(bytes)))
        : undefined;
      const terms = new Set(texts.flatMap((tokens) => sequences?.unseen(tokens) ?? tokens));
      for (const term of terms) this.#table.docCounts[this.#table.add(bucket, 0, this.#numberOf(term))]!++;
      if (size < SLICE) continue;
      size = 0;
      yield;
    }
  }

  /** The tokens of each text of a document. */
  #tokensOf({ indexPlace, index }: AggregationLeaf, source: Uint8Array): string[][] {
    const field = this.#fields[indexPlace]!;
    if (!index.mapping.sourceEnabled) return [];
    const json = JSON.parse(new TextDecoder().decode(source)) as JsonValue;
    const texts = (this.#options.sourceFields ?? [field.path]).flatMap((path) => textsAt(json, path));
    return texts.map((text) =>
      field.analyzer === undefined
        ? [field.bytes!.decode(field.bytes!.encode(text))]
        : field.analyzer.analyze(text).map(({ term }) => term),
    );
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      this.#numbers.set(term, (number = this.#terms.length));
      this.#terms.push(term);
    }
    return number;
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { meta, context } = this.#place;
    const table = this.#table;
    if (this.#fields.every((field) => field === undefined))
      return significantResult('sigsterms', meta, undefined, []);
    const totals = { own: this.#sizes.of(bucket), all: this.#background.size };
    const terms = Array.from(table.membersOf(bucket), (number) => {
      const term = table.lo[number]!;
      return {
        number: term,
        docCount: table.docCounts[number]!,
        backgroundCount: this.#backgroundCounts[term]!,
      };
    }).filter(({ number }) => this.#accepted?.[number] !== 0);
    yield;
    const best = mostSignificant(terms, this.#options, totals, (a, b) =>
      compareBytes(bytesOf(this.#terms[a.number]!), bytesOf(this.#terms[b.number]!)),
    );
    context.countBuckets(best.length);
    const buckets = best.map(({ number, docCount, score, backgroundCount }) => {
      const key = this.#terms[number]!;
      const extra = { score, bg_count: BigInt(backgroundCount) };
      return { name: key, key, members: { key }, docCount, extra, aggregations: new Map() };
    });
    return significantResult('sigsterms', meta, totals, buckets);
  }
}

/** The values at a path of a source as texts; names may have points. */
function textsAt(json: JsonValue, path: string): string[] {
  if (Array.isArray(json)) return json.flatMap((each: JsonValue) => textsAt(each, path));
  if (path === '') return json === null || isObject(json) ? [] : [plainText(json)];
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (name === path) return textsAt(value, '');
    return path.startsWith(`${name}.`) ? textsAt(value, path.slice(name.length + 1)) : [];
  });
}

export const SIGNIFICANT_TEXT: AggregationKind<SignificantTextOptions> = {
  // It takes no sub-aggregations.
  role: 'metric',
  name: 'significant_text',
  readsTexts: () => true,
  parse: (body, name) => {
    const members = new Members('significant_text', body);
    const common = readSignificantOptions(members, name);
    const field = members.text('field');
    const leavesOutCopies = members.flag('filter_duplicate_text') ?? false;
    const sourceFields = members.list('source_fields')?.map((each) => {
      if (typeof each === 'object') throw members.wrongType('source_fields', each);
      return plainText(each);
    });
    members.end();
    if (field === undefined)
      throw illegalArgument(`[field] must be set for [significant_text] aggregation [${name}]`);
    return { ...common, field, sourceFields, leavesOutCopies };
  },
  create: (options, place) => new SignificantText(options, place),
};
