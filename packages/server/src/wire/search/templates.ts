// Was this search asked before, but for where its page begins? Then its body is read already, its index found, its
// request made and its reply half printed: what differs is filled in. Whatever is not plainly the same, and every error,
// is left to the long way, which gives the words of the peer.

import { type JsonValue, parseJson, type SearchRequest } from '@octavo/engine';
import type { Call, Reply, Services } from '../route.ts';
import type { Target } from '../target.ts';
import { cutHoles, type Hole } from './holes.ts';
import { pageReply } from './page.ts';
import { isPlain, PagePrinter } from './page-printer.ts';
import { checkSpec, engineRequest, windowOf } from './request.ts';
import type { SearchSpec } from './spec.ts';
import { atToken, tokenMembers, usesTokens } from './tokens.ts';

/** Longer bodies are read each time. */
const MAX_BODY = 4_096;
const MAX_TEMPLATES = 500;

/** A search that was answered, without its place. */
interface Template {
  readonly spec: SearchSpec;
  readonly target: Target;
  readonly request: SearchRequest;
  readonly printer: PagePrinter;
}

type Values = Partial<Record<Hole, string>>;

/** The part of a search that can be asked again. */
export interface Asked {
  readonly key: string;
  readonly values: Values;
}

/** Parameters that say where the page begins, or what becomes of the reply. */
const NEVER = ['from', 'page', 'next_token', 'prev_token', 'scroll', 'pretty', 'filter_path'] as const;

const byServices = new WeakMap<Services, Map<string, Template>>();

/** What may have been asked before; undefined for what is never remembered. */
export function askedOf(call: Call): Asked | undefined {
  const { body, path } = call;
  if (body.length > MAX_BODY || path['index'] === undefined || path['type'] !== undefined) return undefined;
  if (call.queryString !== '' && NEVER.some((name) => call.params.has(name))) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const cut = body.length === 0 ? { rest: '', values: {} } : cutHoles(bytes.toString('latin1'));
  if (cut === undefined) return undefined;
  return { key: `${path['index']}?${call.queryString}\n${cut.rest}`, values: cut.values };
}

/** The answer to a search that was asked before; undefined where the long way has to be taken. */
export async function answerAgain(
  asked: Asked,
  call: Call,
  services: Services,
  started: number,
): Promise<Reply | undefined> {
  const template = byServices.get(services)?.get(asked.key);
  if (template === undefined) return undefined;
  const { target } = template;
  if (services.engine.indices.info(target.indices[0]!) !== target.infos[0]) {
    byServices.get(services)!.delete(asked.key);
    return undefined;
  }
  try {
    const spec = filled(template.spec, asked.values);
    if (spec === undefined) return undefined;
    checkSpec(spec, services);
    if (spec.asOf !== undefined) services.walks.require(spec.asOf);
    const { from, size } = windowOf(spec);
    let request: SearchRequest = { ...template.request, from, size, caller: call };
    if (spec.searchAfter !== undefined) request = { ...request, searchAfter: spec.searchAfter };
    const withTokens = usesTokens(spec);
    if (withTokens) request = await atToken(request, spec, target, services);
    const result = await services.engine.search(request);
    const last = withTokens ? await tokenMembers(result, spec, target, services) : undefined;
    const { printer } = template;
    return pageReply(call, services, target, spec, result, started, { last, printer });
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
  const name = target.indices[0];
  // A name that is an index by itself: then the index is all there is to find.
  if (target.indices.length !== 1 || name !== call.path['index'] || target.filters !== undefined) return;
  if (!isPlain(spec) || spec.pit !== undefined || spec.slice !== undefined || spec.indicesBoost.length > 0)
    return;
  const { from: _, searchAfter: __, signal: ___, ...rest } = engineRequest(spec, target, NO_SIGNAL, services);
  // Lookups in other documents are made anew each time.
  if (rest.query !== spec.query || rest.postFilter !== spec.postFilter) return;
  let templates = byServices.get(services);
  if (templates === undefined) byServices.set(services, (templates = new Map()));
  if (templates.size >= MAX_TEMPLATES) templates.clear();
  templates.set(asked.key, {
    spec: { ...spec, from: undefined, page: undefined, searchAfter: undefined, nextToken: undefined },
    target,
    request: { ...rest, shape: {} },
    printer: new PagePrinter(target, spec),
  });
}

const NO_SIGNAL: AbortSignal = new AbortController().signal;

/** The spec with the values of a request; undefined where one is not simply what it should be. */
function filled(spec: SearchSpec, values: Values): SearchSpec | undefined {
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
  if (values.search_after !== undefined) {
    const after = parseJson(Buffer.from(values.search_after, 'latin1'));
    if (!Array.isArray(after) || after.length === 0 || !after.every(isScalar)) return undefined;
    out.searchAfter = after;
  }
  return out;
}

const WHOLE = /^(?:0|[1-9]\d{0,14})$/;
const TOKEN = /^"[A-Za-z0-9_.~-]+"$/;

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}
