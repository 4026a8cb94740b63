// Search templates: the body of a search made by a template and parameters, for `_search`, `_msearch`, or only to be shown.

import {
  attachPlace,
  EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  renderTemplate,
  startSliced,
  stringifyJson,
} from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { firstTokenName, parseObjectBody } from '../../json/json-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { chain, type MaybePromise } from '../../sync-first.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, ReplySteps, Route, Services } from '../router/route.ts';
import { storedScript } from '../scripts/stored-scripts.ts';
import { answerMsearch, MSEARCH_PARAMS, type MsearchItem } from './msearch.ts';
import { answerSearch } from './search.ts';

/** Those that do not belong to the body of a search, which the template makes. */
const SEARCH_TEMPLATE_PARAMS = [
  ...RESOLVE_PARAMS,
  'allow_partial_search_results',
  'batched_reduce_size',
  'ccs_minimize_roundtrips',
  'max_concurrent_shard_requests',
  'pre_filter_shard_size',
  'preference',
  'request_cache',
  'rest_total_hits_as_int',
  'routing',
  'scroll',
  'search_type',
  'typed_keys',
];

/** The rows of this family. */
export const searchTemplateRoutes: readonly Route[] = [
  ...['/_search/template', '/{index}/_search/template'].map(
    (path): Route => ({
      methods: ['GET', 'POST'],
      path,
      params: SEARCH_TEMPLATE_PARAMS,
      handle: searchByTemplate,
    }),
  ),
  ...['/_msearch/template', '/{index}/_msearch/template'].map(
    (path): Route => ({
      methods: ['GET', 'POST'],
      path,
      params: MSEARCH_PARAMS,
      handle: (call, services) => {
        requireBody(call, MISSING_BODY);
        return answerMsearch(call, services, (item) => templateItem(item, services));
      },
    }),
  ),
  ...['/_render/template', '/_render/template/{id}'].map(
    (path): Route => ({ methods: ['GET', 'POST'], path, params: [], handle: render }),
  ),
];

const MISSING_BODY = 'request body or source parameter is required';

/** What a request says of its template. */
interface TemplateSpec {
  readonly source: string | undefined;
  readonly id: string | undefined;
  readonly params: JsonObject;
  /** Members of the search that stand beside the template. */
  readonly shown: JsonObject;
}

function readTemplate(body: JsonObject): TemplateSpec {
  let source: string | undefined;
  let id: string | undefined;
  let params: JsonObject = {};
  const shown: JsonObject = {};
  const refuse = (key: string, reason: string, at: 'key' | 'value'): EngineError => {
    const error = new EngineError('x_content_parse_exception', `[search_template] ${reason}`);
    return attachPlace(error, { holder: body, key, at });
  };
  const unfit = (key: string, value: JsonValue): EngineError =>
    refuse(key, `${key} doesn't support values of type: ${firstTokenName(value)}`, 'value');
  for (const [key, value] of Object.entries(body)) {
    switch (key) {
      case 'source':
      case 'inline':
      case 'template':
        if (isObject(value)) source = stringifyJson(value);
        else if (typeof value === 'string') source = value;
        else throw unfit(key, value);
        break;
      case 'id':
        if (typeof value !== 'string') throw unfit(key, value);
        id = value;
        break;
      case 'params':
        if (!isObject(value)) throw unfit(key, value);
        params = value;
        break;
      case 'explain':
      case 'profile':
        if (typeof value !== 'boolean') throw unfit(key, value);
        if (value) shown[key] = true;
        break;
      default:
        throw refuse(key, `unknown field [${key}]`, 'key');
    }
  }
  if (source !== undefined && id !== undefined)
    throw illegalArgument('a search template has either a [source] or an [id], not both');
  return { source, id, params, shown };
}

/** Throws where a request names no template. */
function requireTemplate({ source, id }: TemplateSpec): void {
  if (source === undefined && id === undefined)
    throwIfInvalid(['template is missing', "template's script type is missing"]);
  throwIfInvalid(source === '' ? ['template is missing'] : []);
}

/** The text that a template makes. */
function rendered({ source, id, params }: TemplateSpec, { engine }: Services): string {
  if (id === undefined) return renderTemplate(source!, params);
  const stored = storedScript(engine, id);
  if (stored === undefined)
    throw new EngineError('resource_not_found_exception', `unable to find script [${id}] in cluster state`);
  if (stored.lang !== 'mustache')
    throw illegalArgument(`stored script [${id}] is no search template: its language is [${stored.lang}]`);
  return renderTemplate(stored.source, params);
}

/** The text, with the members that stand beside the template. */
function searchBody(spec: TemplateSpec, services: Services): Uint8Array {
  const text = rendered(spec, services);
  const bytes = Buffer.from(text);
  if (Object.keys(spec.shown).length === 0) return bytes;
  return Buffer.from(stringifyJson({ ...parseObjectBody(bytes, services.limits), ...spec.shown }));
}

/**
 * Fills a template with parameters. Throws if there is no such template; the function that is returned throws if what it makes
 * is no search.
 */
export function fillSearchTemplate(
  template: JsonObject,
  params: JsonObject,
  services: Services,
): () => JsonObject {
  const spec = { ...readTemplate(template), params };
  requireTemplate(spec);
  const body = searchBody(spec, services);
  return () => parseObjectBody(body, services.limits);
}

function searchByTemplate(call: Call, services: Services): MaybePromise<Reply> {
  requireBody(call, MISSING_BODY);
  const { path, params, queryString } = call;
  return chain(startSliced(fillTemplate(call, services)), (body) => {
    const search = {
      path,
      params,
      queryString,
      get hasHungUp() {
        return call.hasHungUp;
      },
      object: () => parseObjectBody(body, services.limits),
      body,
    };
    return chain(answerSearch(search, services), withStatus);
  });
}

/** The body that the template of a request makes. Reading and filling 2 MB take 50 ms each. */
function* fillTemplate(call: Call, services: Services): Generator<void, Uint8Array, undefined> {
  const spec = readTemplate(call.object());
  yield;
  requireTemplate(spec);
  const body = searchBody(spec, services);
  yield;
  return body;
}

/** The peer shows the status in the reply, too. */
function withStatus(reply: Reply): Reply {
  const { bytes, body, status = 200 } = reply;
  if (bytes === undefined) return { ...reply, body: { ...(body as ReplyObject), status } };
  const open = bytes.subarray(0, bytes.length - 1);
  return { ...reply, bytes: Buffer.concat([open, Buffer.from(`,"status":${status}}`)]) };
}

/** The search of an item; an error of its template is the answer to it. */
function templateItem(item: MsearchItem, services: Services): MsearchItem {
  const spec = readTemplate(item.parse());
  if (spec.source === undefined && spec.id === undefined) throw illegalArgument('Malformed search template');
  try {
    const line = searchBody(spec, services);
    return { ...item, line, parse: () => parseObjectBody(line, services.limits), isMade: true };
  } catch (error) {
    const parse = (): never => {
      throw error;
    };
    return { ...item, parse, isMade: true };
  }
}

function* render(call: Call, services: Services): ReplySteps {
  requireBody(call, MISSING_BODY);
  const { id } = call.path;
  const own = readTemplate(call.object());
  yield;
  const spec = id === undefined ? own : { ...own, source: undefined, id };
  requireTemplate(spec);
  const text = rendered(spec, services);
  yield;
  parseJson(Buffer.from(text));
  return { bytes: Buffer.from(`{"template_output":${text}}`) };
}
