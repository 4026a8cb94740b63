// The `_termvectors` and `_mtermvectors` endpoints: the terms of documents, with their places and figures of the index.

import {
  EngineError,
  type FieldTerms,
  flagMember,
  integerMember,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  plainText,
  type TermVectorsFilter,
  type TermVectorsRequest,
} from '@octavo/engine';
import { fetchDocument } from '../../access/guard/guarded-engine.ts';
import { asEngineError, errorBody } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { firstTokenName } from '../../json/json-body.ts';
import { float } from '../../json/number-text.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { resolveOne } from '../resolve/resolve.ts';
import { onSameShard } from '../resolve/shards.ts';
import { printReply } from '../router/print-reply.ts';
import type { Call, Params, Reply, Route, Services } from '../router/route.ts';
import { requireVersion } from './get-document.ts';
import { parseVersionType } from './write-params.ts';

const FLAGS = ['positions', 'offsets', 'payloads', 'term_statistics', 'field_statistics'] as const;
const PARAMS = [...FLAGS, 'fields', 'preference', 'realtime', 'routing', 'version', 'version_type'];

/** The rows of this family. */
export const termvectorsRoutes: readonly Route[] = [
  ...['/{index}/_termvectors', '/{index}/_termvectors/{id}'].map(
    (path): Route => ({ methods: ['GET', 'POST'], path, params: PARAMS, handle: termvectors }),
  ),
  ...['/_mtermvectors', '/{index}/_mtermvectors'].map(
    (path): Route => ({
      methods: ['GET', 'POST'],
      path,
      params: [...PARAMS, 'ids'],
      handle: mtermvectors,
    }),
  ),
];

/** One document, and what is asked of it. */
interface TermvectorsItem {
  index: string | undefined;
  id: string | undefined;
  /** An artificial document. */
  doc: JsonObject | undefined;
  fields: readonly string[] | undefined;
  positions: boolean;
  offsets: boolean;
  payloads: boolean;
  term_statistics: boolean;
  field_statistics: boolean;
  analyzers: ReadonlyMap<string, string>;
  filter: TermVectorsFilter | undefined;
  routing: string | undefined;
  version: number | undefined;
}

function emptyItem(): TermvectorsItem {
  return {
    index: undefined,
    id: undefined,
    doc: undefined,
    fields: undefined,
    positions: true,
    offsets: true,
    payloads: true,
    term_statistics: false,
    field_statistics: true,
    analyzers: new Map(),
    filter: undefined,
    routing: undefined,
    version: undefined,
  };
}

async function termvectors(call: Call, services: Services): Promise<Reply> {
  const item = readItem({ ...emptyItem(), index: call.path['index'], id: call.path['id'] }, call.object());
  applyParams(item, call.params);
  throwIfInvalid(complaintsOf(item));
  const realtime = call.params.boolean('realtime') ?? true;
  try {
    return { body: await vectorsOf(item, services, realtime) };
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'version_conflict_engine_exception') throw error;
    throw new EngineError('exception', 'failed to execute term vector request', { causedBy: error });
  }
}

async function mtermvectors(call: Call, services: Services): Promise<Reply> {
  const { params } = call;
  const base: TermvectorsItem = { ...emptyItem(), index: call.path['index'] };
  applyParams(base, params);
  const items = readItems(base, call.object(), params.list('ids') ?? []);
  const complaints = items.length === 0 ? ['multi term vectors: no documents requested'] : [];
  for (const [i, item] of items.entries()) {
    const own = complaintsOf(item);
    if (own.length > 0) complaints.push(...own, `at multi term vectors for doc ${i}`);
  }
  const { mgetItems } = services.limits;
  if (items.length > mgetItems) complaints.push(`more than [${mgetItems}] documents`);
  throwIfInvalid(complaints);
  const realtime = params.boolean('realtime') ?? true;
  return {
    list: {
      first: {},
      name: 'docs',
      count: items.length,
      part: async (i) => printReply(await oneOf(items[i]!, services, realtime)),
      refused: (i, error) => printReply(failed(items[i]!, error)),
    },
  };
}

async function oneOf(item: TermvectorsItem, services: Services, realtime: boolean): Promise<ReplyObject> {
  try {
    return await vectorsOf(item, services, realtime);
  } catch (thrown) {
    return failed(item, asEngineError(thrown));
  }
}

function failed({ index, id }: TermvectorsItem, thrown: EngineError): ReplyObject {
  const { error } = errorBody(thrown);
  return { _index: index!, ...(id === undefined ? {} : { _id: id }), error };
}

function complaintsOf({ index, id, doc }: TermvectorsItem): string[] {
  const complaints: string[] = [];
  if (index === undefined) complaints.push('index is missing');
  if (id === undefined && doc === undefined) complaints.push('id or doc is missing');
  return complaints;
}

async function vectorsOf(
  item: TermvectorsItem,
  { engine }: Services,
  realtime: boolean,
): Promise<ReplyObject> {
  const started = performance.now();
  const info = resolveOne(engine, item.index!);
  const took = (): number => Math.round(performance.now() - started);
  const request = (source: JsonObject): TermVectorsRequest => ({
    ...{ source, isArtificial: item.doc !== undefined, fields: item.fields },
    termStatistics: item.term_statistics,
    fieldStatistics: item.field_statistics,
    ...{ analyzers: item.analyzers, filter: item.filter },
  });
  if (item.doc !== undefined) {
    const vectors = engine.indices.termVectors(info.name, request(item.doc));
    const body = { found: true, took: took(), term_vectors: printed(vectors, item) };
    return { _index: info.name, _version: 0, ...body };
  }
  const id = item.id!;
  const document = await fetchDocument(engine, info.name, id, { realtime });
  if (document === undefined || !onSameShard(info, document, item.routing))
    return { _index: info.name, _id: id, _version: 0, found: false, took: took() };
  requireVersion(document, item.version, engine);
  const source = parseJson(document.source) as JsonObject;
  const vectors = engine.indices.termVectors(info.name, request(source));
  return {
    _index: info.name,
    _id: id,
    _version: document.version,
    found: true,
    took: took(),
    term_vectors: printed(vectors, item),
  };
}

function printed(vectors: ReadonlyMap<string, FieldTerms>, item: TermvectorsItem): ReplyObject {
  const out: ReplyObject = {};
  for (const [path, { statistics, terms, hasPositions, hasOffsets }] of vectors) {
    const positions = item.positions && hasPositions;
    const offsets = item.offsets && hasOffsets;
    out[path] = {
      field_statistics: statistics && {
        sum_doc_freq: statistics.sumDocFreq,
        doc_count: statistics.docCount,
        sum_ttf: statistics.sumTotalTermFreq,
      },
      terms: Object.fromEntries(
        terms.map(({ term, tokens, statistics, score }) => [
          term,
          {
            doc_freq: statistics?.docFreq,
            ttf: statistics?.totalTermFreq,
            term_freq: tokens.length,
            tokens:
              positions || offsets
                ? tokens.map(({ position, start, end }) => ({
                    position: positions ? position : undefined,
                    start_offset: offsets ? start : undefined,
                    end_offset: offsets ? end : undefined,
                  }))
                : undefined,
            score: score === undefined ? undefined : float(score),
          },
        ]),
      ),
    };
  }
  return out;
}

/** Parameters win over the body. */
function applyParams(item: TermvectorsItem, params: Params): void {
  for (const flag of FLAGS) item[flag] = params.boolean(flag) ?? item[flag];
  const fields = params.list('fields');
  if (fields !== undefined) item.fields = [...(item.fields ?? []), ...fields];
  item.routing = params.string('routing') ?? item.routing;
  item.version = params.integer('version') ?? item.version;
  parseVersionType(params.string('version_type'));
}

function readItems(base: TermvectorsItem, body: JsonObject, ids: readonly string[]): TermvectorsItem[] {
  const out: TermvectorsItem[] = [];
  let named: string[] = [...ids];
  let template = base;
  for (const [key, value] of Object.entries(body)) {
    if (key === 'docs' && Array.isArray(value)) {
      for (const each of value) {
        if (!isObject(each))
          throw new EngineError('illegal_argument_exception', 'docs array element should include an object');
        out.push(readItem({ ...base }, each));
      }
    } else if (key === 'ids' && Array.isArray(value)) named = [...named, ...value.map(idOf)];
    else if (key === 'parameters' && isObject(value)) template = readItem({ ...base }, value);
    else {
      const type = firstTokenName(value).replace(/^START_/, '');
      throw new EngineError('parse_exception', `no parameter named [${key}] and type ${type}`);
    }
  }
  return [...out, ...named.map((id) => ({ ...template, id }))];
}

function idOf(value: JsonValue): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return String(value);
  throw new EngineError('illegal_argument_exception', 'ids array element should only contain ids');
}

/** Reads the members of one document into `item`. */
function readItem(item: TermvectorsItem, body: JsonObject): TermvectorsItem {
  for (const [key, value] of Object.entries(body)) {
    const flag = FLAGS.find((name) => name === key || camelCase(name) === key);
    if (flag !== undefined) item[flag] = flagMember(key, value);
    else if (key === 'fields') item.fields = namesOf(value);
    else if (key === 'per_field_analyzer' || key === 'perFieldAnalyzer') item.analyzers = analyzersOf(value);
    else if (key === 'filter') item.filter = filterOf(value);
    else if (key === 'doc') item.doc = objectOf(key, value);
    else if (key === '_index' || key === 'index') item.index = plainText(value);
    else if (key === '_id' || key === 'id') item.id = plainText(value);
    else if (key === 'routing' || key === '_routing') item.routing = plainText(value);
    else if (key === 'version' || key === '_version') item.version = integerMember(key, value);
    else if (key === 'version_type' || key === '_version_type') parseVersionType(plainText(value));
    else throw malformed(`unknown field [${key}]`);
  }
  return item;
}

function malformed(what: string): EngineError {
  return new EngineError('parse_exception', `failed to parse term vectors request. ${what}`);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase());
}

function objectOf(key: string, value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw malformed(`field [${key}] must be an object`);
}

function namesOf(value: JsonValue): string[] {
  if (!Array.isArray(value)) throw malformed('field [fields] must be an array');
  return value.map((each) => plainText(each));
}

function analyzersOf(value: JsonValue): ReadonlyMap<string, string> {
  const entries = Object.entries(objectOf('per_field_analyzer', value));
  return new Map(
    entries.map(([path, name]): [string, string] => {
      if (typeof name === 'string') return [path, name];
      throw malformed(
        `expecting the analyzer at [${path}] to be set with [String] but found a ${firstTokenName(name)}`,
      );
    }),
  );
}

const FILTER_MEMBERS: ReadonlyMap<string, keyof TermVectorsFilter> = new Map([
  ['max_num_terms', 'maxNumTerms'],
  ['min_term_freq', 'minTermFreq'],
  ['max_term_freq', 'maxTermFreq'],
  ['min_doc_freq', 'minDocFreq'],
  ['max_doc_freq', 'maxDocFreq'],
  ['min_word_length', 'minWordLength'],
  ['max_word_length', 'maxWordLength'],
]);

function filterOf(value: JsonValue): TermVectorsFilter {
  const filter: Record<keyof TermVectorsFilter, number> = {
    maxNumTerms: 25,
    minTermFreq: 1,
    maxTermFreq: Number.POSITIVE_INFINITY,
    minDocFreq: 1,
    maxDocFreq: Number.POSITIVE_INFINITY,
    minWordLength: 0,
    maxWordLength: Number.POSITIVE_INFINITY,
  };
  for (const [key, each] of Object.entries(objectOf('filter', value))) {
    const member = FILTER_MEMBERS.get(key);
    if (member === undefined)
      throw malformed(`the field [${key}] is not valid for filter parameter for term vector request`);
    filter[member] = integerMember(key, each);
  }
  return filter;
}
