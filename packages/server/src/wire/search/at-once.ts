// Can a page be answered in the turn in which it was asked for? A search over an index that has not changed, asked before but for
// where its page begins, or for the first time: found without waiting and written, with its head, into bytes that are used again.
// Everything else, and every error, is left to the way that waits; both say the same.

import { JsonWriter, type PageInPlace, type SearchRequest } from '@octavo/engine';
import type { Asker, PlainRequest } from '../../lane/request.ts';
import { TwoGenerations } from '../../two-generations.ts';
import { WORTH_ENCODING } from '../encoding.ts';
import type { PlainAnswers } from '../plain-answers.ts';
import type { ReplyObject, Services } from '../route.ts';
import { afterOf } from './after-values.ts';
import { askedAgain, type OneHole, oneHole } from './one-hole.ts';
import { pageName, RecentPages } from './recent-pages.ts';
import {
  type Asked,
  askedBy,
  filled,
  firstTemplate,
  keep,
  type Template,
  templateOf,
  WHOLE,
} from './templates.ts';
import { atToken, type PageEnds, scored, tokenMembers, usesTokens } from './tokens.ts';

/** Bytes kept before a page for the head of its answer. */
const HEAD_ROOM = 1_024;
const PAGE_BYTES = 65_536;
/** Pages beyond are not kept for the next one. */
const LARGEST_KEPT = 1_048_576;

/** `/index/_search` in the plainest form; names that need decoding take the other way. */
const TARGET = /^\/([a-z0-9][a-z0-9._-]*)\/_search(?:\?(.*))?$/;
/** Of each of two generations. */
const MOST_TARGETS = 250;

/** What a target is a search of. */
interface Place {
  readonly index: string;
  readonly queryString: string;
  /** The last body, and what it asks for. */
  body: Buffer;
  asked: Asked | undefined;
  /** The last one that was read, where it can be asked again with another hole. */
  hole: OneHole | undefined;
}

/** A search, and who waits for its answer. */
interface Awaiting {
  readonly asked: Asked;
  readonly services: Services;
  /** Headers of the answer. */
  readonly own: readonly string[];
  readonly started: number;
  readonly asker: Asker;
}

/** Answers plain pages. */
export class PagesAtOnce {
  readonly #answers: PlainAnswers;
  /** null: no target of plain pages. */
  readonly #places = new TwoGenerations<string, Place | null>(MOST_TARGETS);
  readonly #recent = new RecentPages();
  /** What the last page was written into, when it has left. */
  #free: Buffer | undefined;

  constructor(answers: PlainAnswers) {
    this.#answers = answers;
  }

  /** True where the asker has its answer; false where nothing was done. */
  take({ method, target, headers, body }: PlainRequest, services: Services, asker: Asker): boolean {
    if (method !== 'POST' && method !== 'GET') return false;
    const place = this.#placeOf(target);
    if (place === undefined) return false;
    const own = this.#answers.headersFor(headers);
    if (own === null) return false;
    const started = performance.now();
    const asked = askedAt(place, body);
    if (asked === undefined) return false;
    const to: Awaiting = { asked, services, own, started, asker };
    const template = templateOf(asked.key, services);
    if (template === undefined) return this.#takeFirst(place, body, to);
    const name = pageName(template, asked.values);
    return this.#sendKept(name, template, to) || this.#sendFound(name, template, to);
  }

  /** The first time that a list is asked for. */
  #takeFirst({ index, queryString }: Place, body: Buffer, to: Awaiting): boolean {
    const { asked, services } = to;
    const template = queryString === '' ? firstTemplate(index, body, services) : undefined;
    if (template === undefined) return false;
    // Kept whatever becomes of it: the way that waits need not read it again.
    keep(asked, template, services);
    return this.#sendFound(pageName(template, asked.values), template, to);
  }

  #sendKept(name: string, template: Template, { services, own, asker }: Awaiting): boolean {
    const kept = this.#recent.find(name);
    if (kept === undefined || kept.state !== stateOf(template, services.engine)) return false;
    const { bytes } = kept;
    const hasLeft = asker.answerFrom(200, shownHeaders(own, bytes.length), bytes, HEAD_ROOM, bytes.length);
    if (!hasLeft) this.#recent.forget(name);
    return true;
  }

  #sendFound(name: string, template: Template, { asked, services, own, started, asker }: Awaiting): boolean {
    const out = new JsonWriter(this.#free ?? Buffer.allocUnsafeSlow(PAGE_BYTES), HEAD_ROOM);
    this.#free = undefined;
    const found = pageOf(template, asked, services);
    const isPut = found !== undefined && isPrinted(template, found, started, out);
    if (isPut && isFixed(asked) && this.#recent.isWorth(name, out.at)) {
      const state = stateOf(template, services.engine);
      if (state !== undefined) this.#recent.keep(name, { state, bytes: copyOf(out) });
    }
    const isFree = !isPut || asker.answerFrom(200, shownHeaders(own, out.at), out.bytes, HEAD_ROOM, out.at);
    if (isFree && out.bytes.length <= LARGEST_KEPT) this.#free = out.bytes;
    return isPut;
  }

  #placeOf(target: string): Place | undefined {
    const known = this.#places.get(target);
    if (known !== undefined) return known ?? undefined;
    const found = TARGET.exec(target);
    const place = found?.[1] && {
      index: found[1],
      queryString: found[2] ?? '',
      body: NONE,
      asked: undefined,
      hole: undefined,
    };
    this.#places.set(target, place || null);
    return place || undefined;
  }
}

/** What a body asks of a place. Most are the last one again, or begin elsewhere. */
function askedAt(place: Place, body: Buffer): Asked | undefined {
  if (place.asked !== undefined && place.body.equals(body)) return place.asked;
  place.asked = place.hole && askedAgain(place.hole, body);
  if (place.asked === undefined) {
    place.asked = askedBy(place.index, place.queryString, body);
    place.hole = place.asked && oneHole(body, place.asked);
  }
  place.body = body;
  return place.asked;
}

const NONE: Buffer = Buffer.alloc(0);

/** Prints a page; false where what it shows cannot be read: the way that waits says why. */
function isPrinted(
  { printer, spec }: Template,
  { page, last }: NonNullable<ReturnType<typeof pageOf>>,
  started: number,
  out: JsonWriter,
): boolean {
  try {
    return printer.put(spec, page, started, out, last);
  } catch {
    return false;
  }
}

/** Whether a page is the same as long as nothing is written; a date may be said by the clock. */
function isFixed({ values: { search_after: after } }: Asked): boolean {
  return after === undefined || !(after.includes('now') || after.includes('\\'));
}

/** What the page is a page of; undefined where it cannot be told, as for who may not ask any more. */
function stateOf({ request }: Template, engine: Services['engine']): object | undefined {
  try {
    return engine.stateNow(request);
  } catch {
    return undefined;
  }
}

function copyOf({ bytes, at }: JsonWriter): Buffer {
  const copy = Buffer.allocUnsafeSlow(at);
  copy.set(bytes.subarray(0, at));
  return copy;
}

function shownHeaders(own: readonly string[], end: number): readonly string[] {
  return end - HEAD_ROOM < WORTH_ENCODING ? own : [...own, 'vary', 'accept-encoding'];
}

/** A page, and the members that follow it. */
interface FoundPage {
  readonly page: PageInPlace;
  readonly last: ReplyObject | undefined;
}

function pageOf(template: Template, { values }: Asked, services: Services): FoundPage | undefined {
  const { spec, requestNow: request } = template;
  if (spec.asOf !== undefined || (request.size ?? 0) > services.limits.pageSize) return undefined;
  const isWalk = values.next_token !== undefined || values.prev_token !== undefined;
  try {
    const asked = requestOf(request, values);
    if (asked === undefined) return undefined;
    if (!isWalk && !usesTokens(spec)) {
      const page = services.engine.searchNow(asked);
      return page && { page, last: undefined };
    }
    // In score order a walk stands on a snapshot, which has to be asked for.
    const whole = scored(spec) ? undefined : filled(spec, values);
    if (whole === undefined) return undefined;
    const page = services.engine.searchNow(atToken(asked, whole, template.target, services));
    return page && { page, last: tokenMembers(endsOf(page), whole, template.target, services) };
  } catch {
    // The other way says what is wrong.
    return undefined;
  }
}

function requestOf(request: SearchRequest, values: Asked['values']): SearchRequest | undefined {
  const from = fromOf(values.from, values.page, request.size ?? 0);
  if (from === undefined || (values.page !== undefined && values.search_after !== undefined))
    return undefined;
  if (values.search_after === undefined) return { ...request, from };
  const searchAfter = afterOf(values.search_after);
  return searchAfter && { ...request, from, searchAfter };
}

function endsOf(page: PageInPlace): PageEnds {
  const { count, more, moreBefore, snapshot } = page;
  const first = count === 0 ? undefined : page.place(0);
  return { first, last: count === 0 ? undefined : page.place(count - 1), more, moreBefore, snapshot };
}

function fromOf(from: string | undefined, page: string | undefined, size: number): number | undefined {
  if (page === undefined) return from === undefined ? 0 : WHOLE.test(from) ? Number(from) : undefined;
  return from === undefined && WHOLE.test(page) && page !== '0' ? (Number(page) - 1) * size : undefined;
}
