// The `_mget` endpoints: several documents at once, by `docs` with options for each, or by `ids` of one
// index.

import { type Engine, EngineError, isObject, type JsonValue, plainText, startSliced } from '@octavo/engine';
import { fetchDocument } from '../../access/guard/guarded-engine.ts';
import { asEngineError, errorBody } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { firstTokenName } from '../../json/json-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { resolveOne } from '../resolve/resolve.ts';
import { onSameShard } from '../resolve/shards.ts';
import { printReply } from '../router/print-reply.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import {
  NO_SOURCE,
  parseSourceFilter,
  readSourceParams,
  SOURCE_PARAMS,
  type SourceFilter,
  typeMember,
  WHOLE_SOURCE,
} from '../source/source-filter.ts';
import { documentBody, type GetSpec, requireVersion } from './get-document.ts';

const MGET_PARAMS = [...SOURCE_PARAMS, 'preference', 'realtime', 'refresh', 'routing', 'stored_fields'];

/** The rows of this family. */
export const mgetRoutes: readonly Route[] = ['/_mget', '/{index}/_mget', '/{index}/{type}/_mget'].map(
  (path) => ({
    methods: ['GET', 'POST', 'QUERY'],
    path,
    params: MGET_PARAMS,
    handle: mget,
  }),
);

/** One document of the request. */
interface MgetItem extends GetSpec {
  readonly index: string | undefined;
  readonly type: string | undefined;
  readonly id: string | undefined;
  readonly routing: string | undefined;
  /** The version that the document must have. */
  readonly version: number | undefined;
}

async function mget(call: Call, { engine, limits }: Services): Promise<Reply> {
  requireBody(call, 'request body or source parameter is required');
  const items = readMgetItems(call);
  const complaints = items.length === 0 ? ['no documents to get'] : [];
  items.forEach((each, i) => {
    if (each.index === undefined) complaints.push(`index is missing for doc ${i}`);
    if (each.id === undefined) complaints.push(`id is missing for doc ${i}`);
  });
  if (items.length > limits.mgetItems) complaints.push(`more than [${limits.mgetItems}] documents`);
  throwIfInvalid(complaints);
  if (call.params.boolean('refresh') === true) await refreshIndices(engine, items);
  const realtime = call.params.boolean('realtime') ?? true;
  return {
    list: {
      first: {},
      name: 'docs',
      count: items.length,
      part: async (i) => printReply(await fetchOne(engine, items[i]!, realtime)),
      refused: (i, error) => printReply(failed(items[i]!, error)),
    },
  };
}

async function fetchOne(engine: Engine, item: MgetItem, realtime: boolean): Promise<ReplyObject> {
  const id = item.id!;
  try {
    const info = resolveOne(engine, item.index!);
    const doc = await fetchDocument(engine, info.name, id, { realtime });
    const found =
      doc !== undefined &&
      (item.type === undefined || item.type === '_doc' || doc.type === item.type) &&
      onSameShard(info, doc, item.routing);
    if (found) {
      requireVersion(doc, item.version, engine);
      return await startSliced(documentBody(engine, doc, item));
    }
    return { _index: info.name, ...typeMember(item.type ?? '_doc'), _id: id, found: false };
  } catch (thrown) {
    return failed(item, asEngineError(thrown));
  }
}

function failed(item: MgetItem, thrown: EngineError): ReplyObject {
  const { error } = errorBody(thrown);
  return { _index: item.index!, ...typeMember(item.type ?? '_doc'), _id: item.id!, error };
}

async function refreshIndices(engine: Engine, items: readonly MgetItem[]): Promise<void> {
  const names = new Set<string>();
  for (const { index } of items) if (engine.indices.info(index!) !== undefined) names.add(index!);
  await engine.indices.refresh([...names]);
}

function readMgetItems(call: Call): MgetItem[] {
  const stored = call.params.list('stored_fields') ?? [];
  const base: MgetItem = {
    index: call.path['index'],
    type: call.path['type'],
    id: undefined,
    routing: call.params.string('routing'),
    version: undefined,
    source:
      readSourceParams(call.params) ??
      (stored.length > 0 && !stored.includes('_source') ? NO_SOURCE : WHOLE_SOURCE),
    storedFields: stored,
  };
  const out: MgetItem[] = [];
  const body = call.json() ?? {};
  if (!isObject(body)) {
    throw new EngineError(
      'parsing_exception',
      `unexpected token [${firstTokenName(body)}], expected [START_OBJECT]`,
    );
  }
  for (const [key, value] of Object.entries(body)) {
    if (!Array.isArray(value) && !isObject(value)) {
      throw new EngineError(
        'parsing_exception',
        `unexpected token [${firstTokenName(value)}], expected [FIELD_NAME] or [START_ARRAY]`,
      );
    }
    if ((key !== 'docs' && key !== 'ids') || !Array.isArray(value)) {
      throw new EngineError(
        'parsing_exception',
        `unknown key [${key}] for a ${firstTokenName(value)}, expected [docs] or [ids]`,
      );
    }
    for (const each of value) out.push(key === 'ids' ? { ...base, id: idOf(each) } : readDoc(each, base));
  }
  return out;
}

function idOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new EngineError('illegal_argument_exception', 'ids array element should only contain ids');
}

function readDoc(value: JsonValue, base: MgetItem): MgetItem {
  if (!isObject(value)) {
    throw new EngineError('illegal_argument_exception', 'docs array element should include an object');
  }
  let { index, type, id, routing, source, storedFields, version } = base;
  let explicit: SourceFilter | undefined;
  for (const [key, each] of Object.entries(value)) {
    if (key === '_index') index = text(key, each);
    else if (key === '_type') type = text(key, each);
    else if (key === '_id') id = text(key, each);
    else if (key === 'routing') routing = text(key, each);
    else if (key === 'stored_fields') storedFields = names(each);
    else if (key === '_source') explicit = parseSourceFilter(each);
    else if (key === 'version') version = versionOf(each);
    else if (key !== 'version_type') {
      throw new EngineError('parse_exception', `failed to parse multi get request. unknown field [${key}]`);
    }
  }
  if (storedFields !== base.storedFields && storedFields.length > 0) {
    source = storedFields.includes('_source') ? WHOLE_SOURCE : NO_SOURCE;
  }
  return { index, type, id, routing, version, source: explicit ?? source, storedFields };
}

function versionOf(value: JsonValue): number | undefined {
  const version = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof version === 'number' && Number.isSafeInteger(version)) return version;
  throw new EngineError('number_format_exception', `For input string: "${plainText(value)}"`);
}

function text(key: string, value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new EngineError('parse_exception', `failed to parse multi get request. unknown field [${key}]`);
}

function names(value: JsonValue): string[] {
  return (Array.isArray(value) ? value : [value]).map(plainText);
}
