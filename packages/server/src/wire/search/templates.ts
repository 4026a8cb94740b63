// Was this search asked before, but for where its page begins? Then its body is read already, its index found, its
// request made and its reply half printed: what differs is filled in. Whatever is not plainly the same, and every error,
// is left to the long way, which gives the words of the peer.

import type { SearchRequest } from '@octavo/engine';
import { TwoGenerations } from '../../two-generations.ts';
import { parseObjectBody } from '../json-body.ts';
import type { Call, Reply, Services } from '../route.ts';
import { indexTarget, type Target } from '../target.ts';
import { afterOf } from './after-values.ts';
import { type Cut, cutHoles, type Hole } from './holes.ts';
import { pageReply } from './page.ts';
import { isPlain, PagePrinter } from './page-printer.ts';
import { checkSpec, listRequest, readSearch, timeoutOf, windowOf } from './request.ts';
import type { SearchSpec } from './spec.ts';
import { atToken, endsOf, onSnapshot, tokenMembers, usesTokens } from './tokens.ts';

/** Longer bodies are read each time. */
const MAX_BODY = 4_096;
const MAX_TEMPLATES = 500;
/** A template is a few KB. */
const MOST_OF_ALL = 8_000;

/** A search that was answered, without its place. */
export interface Template {
  /** Unique. */
  readonly number: number;
  readonly spec: SearchSpec;
  readonly target: Target;
  readonly request: SearchRequest;
  /** The same for pages that are found without waiting: nothing ends them. */
  readonly requestNow: SearchRequest;
  readonly printer: PagePrinter;
}

/** The raw JSON of holes. */
export type Values = Partial<Record<Hole, string>>;

/** The part of a search that can be asked again. */
export interface Asked {
  readonly key: string;
  readonly values: Values;
  /** Where the last value begins in the body, in bytes. */
  readonly at: number;
}

/** Parameters that say where the page begins, or what becomes of the reply. */
const NEVER = ['from', 'page', 'next_token', 'prev_token', 'scroll', 'pretty', 'filter_path'] as const;

/** Of each caller. */
let byServices = new WeakMap<Services, TwoGenerations<string, Template>>();
let kept = 0;

/** What may have been asked before; undefined for what is never remembered. */
export function askedOf(call: Call): Asked | undefined {
  const { body, path } = call;
  if (path['index'] === undefined || path['type'] !== undefined) return undefined;
  if (call.queryString !== '' && NEVER.some((name) => call.params.has(name))) return undefined;
  return askedBy(path['index'], call.queryString, Buffer.from(body.buffer, body.byteOffset, body.length));
}

/** The same by its parts: who was remembered under such a key is known by it. */
export function askedBy(index: string, queryString: string, body: Buffer): Asked | undefined {
  if (body.length > MAX_BODY) return undefined;
  const cut = body.length === 0 ? NO_BODY : cutHoles(body.latin1Slice(0, body.length));
  if (cut === undefined) return undefined;
  return { key: `${index}?${queryString}\n${cut.rest}`, values: cut.values, at: cut.at };
}

const NO_BODY: Cut = { rest: '', values: {}, at: 0 };

/** What is remembered of a search by its key, if it still holds. */
export function templateOf(key: string, services: Services): Template | undefined {
  const templates = byServices.get(services);
  const template = templates?.get(key);
  if (template === undefined) return undefined;
  const { indices, infos } = template.target;
  if (services.engine.indices.info(indices[0]!) === infos[0]) return template;
  templates!.delete(key);
  return undefined;
}

/** The answer to a search that was asked before; undefined where the long way has to be taken. */
export async function answerAgain(
  asked: Asked,
  call: Call,
  services: Services,
  started: number,
): Promise<Reply | undefined> {
  const template = templateOf(asked.key, services);
  if (template === undefined) return undefined;
  const { target } = template;
  try {
    const spec = filled(template.spec, asked.values);
    if (spec === undefined) return undefined;
    checkSpec(spec, services);
    if (spec.asOf !== undefined) services.walks.require(spec.asOf);
    const { from, size } = windowOf(spec, services.limits);
    let request: SearchRequest = { ...template.request, from, size, caller: call };
    if (spec.searchAfter !== undefined) request = { ...request, searchAfter: spec.searchAfter };
    const withTokens = usesTokens(spec);
    if (withTokens) request = atToken(request, spec, target, services);
    return await onSnapshot(request, spec, services, async (request, keep) => {
      const result = await services.engine.search(request);
      const last = withTokens ? tokenMembers(endsOf(result), spec, target, services, keep) : undefined;
      const { printer } = template;
      return pageReply(call, services, target, spec, result, started, { last, printer });
    });
  } catch {
    return undefined;
  }
}

/** Remembers a search that was answered the long way. */
export function remember(
  asked: Asked,
  call: Pick<Call, 'path'>,
  spec: SearchSpec,
  target: Target,
  services: Services,
): void {
  const template = templateFor(call.path['index'], spec, target, services);
  if (template !== undefined) keep(asked, template, services);
}

/** Keeps a template for who asks like that again. */
export function keep({ key }: Asked, template: Template, services: Services): void {
  // Of many callers each would have its own: then all are forgotten.
  if (++kept > MOST_OF_ALL) [byServices, kept] = [new WeakMap(), 1];
  let templates = byServices.get(services);
  if (templates === undefined) byServices.set(services, (templates = new TwoGenerations(MAX_TEMPLATES)));
  templates.set(key, template);
}

/** The template of a search that nobody has asked; undefined where the long way has to say more. Is not kept yet. */
export function firstTemplate(index: string, body: Buffer, services: Services): Template | undefined {
  try {
    const spec = readSearch(parseObjectBody(body, services.limits.nesting), undefined, services);
    const target = indexTarget(services.engine, index);
    return target && templateFor(index, spec, target, services);
  } catch {
    return undefined;
  }
}

function templateFor(
  index: string | undefined,
  spec: SearchSpec,
  target: Target,
  services: Services,
): Template | undefined {
  // A name that is an index by itself: then the index is all there is to find.
  if (target.indices.length !== 1 || target.indices[0] !== index || target.filters !== undefined)
    return undefined;
  if (!isPlain(spec) || spec.pit !== undefined || spec.slice !== undefined || spec.indicesBoost.length > 0)
    return undefined;
  const list = listRequest(spec, target, services);
  // Lookups in other documents are made anew each time.
  if (list.query !== spec.query || list.postFilter !== spec.postFilter) return undefined;
  const requestNow = { ...list, shape: {} };
  return {
    number: ++lastNumber,
    spec: {
      ...spec,
      from: undefined,
      page: undefined,
      searchAfter: undefined,
      nextToken: undefined,
      prevToken: undefined,
    },
    target,
    request: { ...requestNow, timeoutMs: timeoutOf(spec, services) },
    requestNow,
    printer: new PagePrinter(target, spec),
  };
}

let lastNumber = 0;

/** The spec with the values of a request; undefined where one is not simply what it should be. */
export function filled(spec: SearchSpec, values: Values): SearchSpec | undefined {
  const out: SearchSpec = { ...spec };
  if (values.from !== undefined) {
    if (!WHOLE.test(values.from)) return undefined;
    out.from = Number(values.from);
  }
  if (values.page !== undefined) {
    if (!WHOLE.test(values.page)) return undefined;
    out.page = Number(values.page);
  }
  if (values.next_token !== undefined) {
    if (!TOKEN.test(values.next_token)) return undefined;
    out.nextToken = values.next_token.slice(1, -1);
  }
  if (values.prev_token !== undefined) {
    if (!TOKEN.test(values.prev_token)) return undefined;
    out.prevToken = values.prev_token.slice(1, -1);
  }
  if (values.search_after !== undefined) {
    const after = afterOf(values.search_after);
    if (after === undefined) return undefined;
    out.searchAfter = after;
  }
  return out;
}

/** A number as it may stand in a hole. */
export const WHOLE: RegExp = /^(?:0|[1-9]\d{0,14})$/;
const TOKEN = /^"[A-Za-z0-9_.~-]+"$/;
