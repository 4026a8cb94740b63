// Writes the pages of a list of plain hits as JSON. Ids, sort values and sources are copied from memory
// straight into the bytes of the reply. A hit is plain if it shows only index, id, score, source and sort.
// search-tree.ts makes trees of all others; both print the same (test/page-writer.test.ts).

import {
  type JsonObject,
  JsonWriter,
  Piece,
  type SearchPage,
  type SortPrinter,
  type SortValues,
} from '@octavo/engine';
import { float, putDouble } from '../../../json/number-text.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';
import { searchShards } from '../../resolve/shards.ts';
import type { Target } from '../../resolve/target.ts';
import { printReply } from '../../router/print-reply.ts';
import { isWholeSource, type SourceFilter, visibleSource, WHOLE_SOURCE } from '../../source/source-filter.ts';
import type { SearchCall, SearchSpec } from '../body/search-spec.ts';
import { formatTotal, realSortEntries } from './search-tree.ts';

/** Hits that are prefetched before they are written. */
const PREFETCH_STEP = 32;
/** The buffer of the first page of a list. */
const PAGE_BYTES = 65_536;
/** Room beyond the last page of the list, so that the buffer of the next one seldom grows. */
const SPARE_BYTES = 4_096;

const NO_SCORE = new Piece(',"_score":null');
const SCORE = new Piece(',"_score":');
const SOURCE = new Piece(',"_source":');
const SORT = new Piece(',"sort":[');
const SORT_END = new Piece(']}');

/** True if the hits of a reply show only `_index`, `_id`, `_score`, `_source` and `sort`, and nothing reshapes it. */
export function canWriteBytes({ params }: SearchCall, spec: SearchSpec, page: SearchPage): boolean {
  return (
    !params.has('pretty') &&
    !params.has('filter_path') &&
    !spec.version &&
    !spec.seqNoPrimaryTerm &&
    !spec.explain &&
    !spec.namedScores &&
    spec.storedFields === undefined &&
    spec.docvalueFields.length === 0 &&
    spec.fields.length === 0 &&
    spec.collapse === undefined &&
    spec.highlight === undefined &&
    spec.scriptFields.length === 0 &&
    spec.innerHits.length === 0 &&
    page.isPlain
  );
}

/** The part that all hits of an index share. */
interface IndexText {
  /** The start of a hit. */
  readonly head: string;
  readonly mappings: JsonObject;
  /** True if sources are visible as they are stored. */
  readonly isWhole: boolean;
}

/** Writes the pages of one list. */
export class PageWriter {
  readonly #shards: string;
  readonly #indices: ReadonlyMap<string, IndexText>;
  readonly #source: SourceFilter;
  readonly #sorts: SortPrinter;
  /** The size of the next buffer, which leaves with the reply. */
  #room = PAGE_BYTES;

  constructor({ infos, ...target }: Target, spec: SearchSpec) {
    const source = spec.source ?? WHOLE_SOURCE;
    this.#source = source;
    this.#shards = `,"_shards":${printReply(searchShards(infos)).toString()},"hits":{`;
    this.#sorts = new SortWriter(
      spec.sort === undefined ? [] : realSortEntries(spec.sort, { infos, ...target }),
    );
    this.#indices = new Map(
      infos.map(({ name, mappings }) => [
        name,
        {
          head: `{"_index":${JSON.stringify(name)},"_id":`,
          mappings,
          isWhole: isWholeSource(source) && mappings['_source'] === undefined,
        },
      ]),
    );
  }

  /**
   * The reply: the members of `first`, those of every search, and those of `last`. Yields after each 32 hits.
   * REQUIRES: canWriteBytes; `last` is not empty.
   */
  *write(
    page: SearchPage,
    spec: SearchSpec,
    started: number,
    first: ReplyObject | undefined,
    last: ReplyObject | undefined,
  ): Generator<void, Buffer, undefined> {
    const out = new JsonWriter(Buffer.allocUnsafeSlow(this.#room), 0);
    out.ascii('{');
    if (first !== undefined && putMembers(first, out)) out.ascii(',');
    const { timedOut, terminatedEarly } = page;
    out.ascii(`"took":${Math.round(performance.now() - started)},"timed_out":${timedOut}`);
    if (terminatedEarly !== undefined) out.ascii(`,"terminated_early":${terminatedEarly}`);
    out.ascii(this.#shards);
    putTotal(formatTotal(spec, page), out);
    out.ascii(`"max_score":${page.maxScore === undefined ? 'null' : float(page.maxScore).text},"hits":[`);
    yield* this.#putHits(page, out);
    out.ascii(']}');
    if (last !== undefined) {
      out.ascii(',');
      putMembers(last, out);
    }
    out.ascii('}');
    this.#room = out.at + SPARE_BYTES;
    return out.bytes.subarray(0, out.at);
  }

  *#putHits(page: SearchPage, out: JsonWriter): Generator<void, void, undefined> {
    const { count, isSorted } = page;
    const sorts = this.#sorts;
    let name = '';
    let index: IndexText | undefined;
    for (let hit = 0; hit < count; hit++) {
      if (hit % PREFETCH_STEP === 0) {
        if (hit > 0) yield;
        page.prefetch(hit, Math.min(count, hit + PREFETCH_STEP));
      }
      const own = page.index(hit);
      if (own !== name) {
        name = own;
        index = this.#indices.get(own)!;
      }
      if (hit > 0) out.ascii(',');
      out.ascii(index!.head);
      page.putId(hit, out);
      const score = page.score(hit);
      if (Number.isNaN(score)) out.piece(NO_SCORE);
      else {
        out.piece(SCORE);
        out.ascii(float(score).text);
      }
      if (index!.isWhole) {
        out.piece(SOURCE);
        page.putSource(hit, out);
      } else if (this.#source.enabled) yield* this.#putShown(page, hit, index!.mappings, out);
      if (isSorted) {
        out.piece(SORT);
        page.putSort(hit, sorts, out);
        out.piece(SORT_END);
      } else out.ascii('}');
    }
  }

  /** Writes the visible part of a source. */
  *#putShown(
    page: SearchPage,
    hit: number,
    mappings: JsonObject,
    out: JsonWriter,
  ): Generator<void, void, undefined> {
    const before = out.at;
    out.piece(SOURCE);
    const start = out.at;
    page.putSource(hit, out);
    const visible = yield* visibleSource(mappings, out.bytes.subarray(start, out.at), this.#source);
    out.at = visible === undefined ? before : start;
    if (visible !== undefined) out.raw(visible.bytes);
  }
}

/** Writes sort values, without the brackets around them. */
class SortWriter implements SortPrinter {
  readonly #reals: readonly boolean[];

  /** `reals`: which of the values are floating point numbers. */
  constructor(reals: readonly boolean[]) {
    this.#reals = reals;
  }

  put(values: SortValues, out: JsonWriter): void {
    for (let i = 0; i < values.length; i++) {
      if (i > 0) out.ascii(',');
      if (values.putText(i, out)) continue;
      const value = values.value(i);
      if (typeof value === 'string') out.text(JSON.stringify(value));
      else if (typeof value === 'number') {
        if (this.#reals[i] === true) putDouble(value, out);
        else if (Number.isSafeInteger(value) && !Object.is(value, -0)) out.integer(value);
        else out.ascii(String(value));
      } else out.ascii(String(value));
    }
  }
}

function putTotal(total: ReturnType<typeof formatTotal>, out: JsonWriter): void {
  if (total === undefined) return;
  if (typeof total === 'number') out.ascii(`"total":${total},`);
  else out.ascii(`"total":{"value":${total.value},"relation":"${total.relation}"},`);
}

/** Writes the members of an object, without its brackets; false if there are none. */
function putMembers(members: ReplyObject, out: JsonWriter): boolean {
  const printed = printReply(members);
  out.range(printed, 1, printed.length - 1);
  return printed.length > 2;
}
