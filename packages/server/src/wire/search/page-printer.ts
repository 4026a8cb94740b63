// How does a page of plain hits become bytes? Text between stored sources, written straight into one buffer: no tree of
// the reply, no parsing or printing of what is stored. What is not plain is left to reply.ts; both print the same.

import {
  type Hit,
  type JsonWriter,
  type PageInPlace,
  Piece,
  type SearchResult,
  type SortPrinter,
  type SortValues,
} from '@octavo/engine';
import { double, float, putDouble } from '../number-text.ts';
import { printReply } from '../reply.ts';
import type { RawJson, ReplyObject } from '../route.ts';
import { type SourceSpec, shownSource, WHOLE_SOURCE } from '../source-spec.ts';
import type { Target } from '../target.ts';
import { realEntries, totalOf } from './reply.ts';
import type { SearchSpec } from './spec.ts';
import { type Next, type TargetWords, wordsOf } from './target-words.ts';

/** Hits that are looked at together before they are printed. */
const BROUGHT = 32;

/** What stands between the parts of hits that are read where they lie. */
const NO_SCORE = new Piece(',"_score":null,"_source":');
const SCORE = new Piece(',"_score":');
const SOURCE = new Piece(',"_source":');
const SORT = new Piece(',"sort":[');
const NO_SORT: readonly boolean[] = [];

/** True where hits of a search show nothing but `_index`, `_id`, `_score`, `_source` and `sort`. */
export function isPlain(spec: SearchSpec): boolean {
  return (
    !spec.version &&
    !spec.seqNoPrimaryTerm &&
    !spec.explain &&
    !spec.namedScores &&
    spec.storedFields === undefined &&
    spec.docvalueFields.length === 0 &&
    spec.fields.length === 0 &&
    spec.collapse === undefined &&
    spec.innerHits.length === 0
  );
}

/** Prints the pages of one list of plain hits. */
export class PagePrinter {
  readonly #words: TargetWords;
  readonly #reals: readonly boolean[];
  readonly #sortPrinter: SortPrinter;
  readonly #source: SourceSpec;
  readonly #whole: boolean;

  /** REQUIRES: isPlain(spec), at least one index. */
  constructor(target: Target, spec: SearchSpec) {
    this.#words = wordsOf(target.infos);
    this.#reals = spec.sort === undefined ? NO_SORT : realEntries(spec.sort, target);
    this.#sortPrinter = new SortInBytes(this.#reals);
    this.#source = spec.source ?? WHOLE_SOURCE;
    this.#whole =
      this.#source.enabled &&
      this.#source.includes.length === 0 &&
      this.#source.excludes.length === 0 &&
      this.#words.keepsWhole;
  }

  /** The reply, with members before and after its own; undefined where a hit has more to show than plain ones. */
  print(
    spec: SearchSpec,
    result: SearchResult,
    started: number,
    first: ReplyObject | undefined,
    last: ReplyObject | undefined,
  ): Buffer | undefined {
    if (result.timedOut || result.terminatedEarly !== undefined) return undefined;
    const { hits } = result;
    const texts: string[] = [];
    const sources: Uint8Array[] = [];
    let text = `{${membersText(first)}${this.#begin(spec, result, started)}`;
    let length = 0;
    let index: string | undefined;
    let head = '';
    for (let i = 0; i < hits.length; i++) {
      const hit = hits[i]!;
      if (!isPlainHit(hit)) return undefined;
      if (hit.index !== index) {
        index = hit.index;
        head = this.#words.heads.get(index)!;
      }
      if (i > 0) text += ',';
      text += head + quoted(hit.id);
      text += Number.isNaN(hit.score) ? ',"_score":null' : `,"_score":${float(hit.score).text}`;
      const source = this.#whole ? hit.source : this.#shown(hit)?.bytes;
      if (source !== undefined) {
        text += ',"_source":';
        texts.push(text);
        sources.push(source);
        length += source.length + 3 * text.length;
        text = '';
      }
      if (hit.sort !== undefined) text += this.#sort(hit.sort);
      text += '}';
    }
    text += last === undefined ? ']}}' : `]},${membersText(last).slice(0, -1)}}`;
    return splice(texts, sources, text, length + 3 * text.length);
  }

  /** The reply for a page that is read where it lies; false where it has more to show than that has, or sources are filtered. */
  put(
    spec: SearchSpec,
    page: PageInPlace,
    started: number,
    out: JsonWriter,
    last: ReplyObject | undefined,
  ): boolean {
    if (!this.#whole || !page.isPlain) return false;
    out.ascii('{');
    out.ascii(this.#begin(spec, page, started));
    const { count } = page;
    const printer = this.#sortPrinter;
    let index = '';
    let next: Next | undefined;
    const sorted = page.isSorted;
    for (let hit = 0; hit < count; hit++) {
      if (hit % BROUGHT === 0) page.bring(hit, Math.min(count, hit + BROUGHT), printer);
      const own = page.index(hit);
      if (own !== index) {
        index = own;
        next = this.#words.nexts.get(own)!;
      }
      if (hit > 0) out.piece(sorted ? next!.sorted : next!.plain);
      else out.ascii(this.#words.heads.get(own)!);
      page.putId(hit, out);
      const score = page.score(hit);
      if (Number.isNaN(score)) out.piece(NO_SCORE);
      else {
        out.piece(SCORE);
        out.ascii(float(score).text);
        out.piece(SOURCE);
      }
      page.putSource(hit, out);
      if (sorted) {
        out.piece(SORT);
        page.putSort(hit, printer, out);
      }
    }
    out.ascii(count === 0 ? ']}' : sorted ? ']}]}' : '}]}');
    if (last !== undefined) out.ascii(`,${membersText(last).slice(0, -1)}`);
    out.ascii('}');
    return true;
  }

  #begin(spec: SearchSpec, result: Pick<SearchResult, 'total' | 'maxScore'>, started: number): string {
    const took = Math.round(performance.now() - started);
    const total = totalOf(spec, result);
    const shown =
      total === undefined
        ? ''
        : typeof total === 'number'
          ? `"total":${total},`
          : `"total":{"value":${total.value},"relation":"${total.relation}"},`;
    const best = result.maxScore === undefined ? 'null' : float(result.maxScore).text;
    return `"took":${took},"timed_out":false${this.#words.shards}${shown}"max_score":${best},"hits":[`;
  }

  #shown(hit: Hit): RawJson | undefined {
    return shownSource(this.#words.mappings.get(hit.index), hit.source, this.#source);
  }

  #sort(values: NonNullable<Hit['sort']>): string {
    let text = ',"sort":[';
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (i > 0) text += ',';
      if (typeof value === 'string') text += quoted(value);
      else if (typeof value === 'number' && this.#reals[i] === true) text += double(value).text;
      else text += String(value);
    }
    return `${text}]`;
  }
}

/** Prints sort values, without the brackets around them. */
class SortInBytes implements SortPrinter {
  readonly key: string;
  readonly #reals: readonly boolean[];

  /** `reals`: which of the values are floating point numbers. */
  constructor(reals: readonly boolean[]) {
    this.key = reals.map(Number).join('');
    this.#reals = reals;
  }

  put(values: SortValues, out: JsonWriter): void {
    for (let i = 0; i < values.length; i++) {
      if (i > 0) out.ascii(',');
      if (values.putText(i, out)) continue;
      const value = values.value(i);
      if (typeof value === 'string') out.text(quoted(value));
      else if (typeof value === 'number') {
        if (this.#reals[i] === true) putDouble(value, out);
        else if (Number.isSafeInteger(value) && !Object.is(value, -0)) out.integer(value);
        else out.ascii(String(value));
      } else out.ascii(String(value));
    }
  }
}

/** `"a":1,"b":2,`; nothing where there are none. */
function membersText(members: ReplyObject | undefined): string {
  if (members === undefined) return '';
  const text = printReply(members).toString().slice(1, -1);
  return text === '' ? '' : `${text},`;
}

function isPlainHit(hit: Hit): boolean {
  return (
    hit.type === '_doc' &&
    hit.routing === undefined &&
    hit.ignored === undefined &&
    (hit.matchedQueries === undefined || hit.matchedQueries.length === 0)
  );
}

/** A JSON string. Most have nothing to escape. */
function quoted(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code === 34 || code === 92 || code >= 0xd800) return JSON.stringify(text);
  }
  return `"${text}"`;
}

function splice(
  texts: readonly string[],
  sources: readonly Uint8Array[],
  last: string,
  atMost: number,
): Buffer {
  const out = Buffer.allocUnsafe(atMost);
  let at = 0;
  for (let i = 0; i < texts.length; i++) {
    at += out.utf8Write(texts[i]!, at);
    out.set(sources[i]!, at);
    at += sources[i]!.length;
  }
  at += out.utf8Write(last, at);
  return out.subarray(0, at);
}
