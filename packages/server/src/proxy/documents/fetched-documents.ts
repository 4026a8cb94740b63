// An engine over the documents that one request is about, for a caller with a document filter. The documents
// are fetched in real time, the embedded store's rules judge them here, and writes are sent with the versions
// that were judged.

import {
  type Engine,
  EngineError,
  ERROR_TYPES,
  type ErrorType,
  type Hit,
  isObject,
  type JsonObject,
  parseJson,
  printScript,
  type SearchRequest,
  type SearchResult,
  type StoredDoc,
  stringifyJson,
  type WriteOp,
  type WriteResult,
} from '@octavo/engine';
import { Undecidable } from '../../access/guard/filter-fields.ts';
import { willMatch } from '../../access/guard/filter-match.ts';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import { parseAnswer } from '../client/node-answer.ts';
import { ClusterErrorAnswer, type PeerCluster } from '../client/peer-cluster.ts';
import { elementsAt, type JsonRange, membersAt, wholeRange } from '../client/raw-json.ts';
import { findWriteIndex } from '../request/cluster-caller.ts';

/** The address of a document. */
export interface DocumentAddress {
  /** The concrete index. */
  readonly index: string;
  readonly id: string;
  readonly routing?: string | undefined;
}

interface FetchedDocument extends StoredDoc {
  readonly primaryTerm: number;
}

/** The engine of one request: the catalog, the fetched documents, and writes to the cluster. */
interface FetchedDocuments extends Engine {
  /** Fetches documents, so that `get` and `search` by ids find them. */
  fetch(wanted: readonly DocumentAddress[]): Promise<void>;
}

/** Sends writes, notes them first if necessary, and publishes what they changed. */
export type SendWrites = (
  ops: readonly WriteOp[],
  send: (ops: readonly WriteOp[]) => Promise<WriteResult[]>,
) => Promise<WriteResult[]>;

/** `catalog` has the indices and mappings. With `realtime` false, documents are as of the last refresh. */
export function createFetchedDocuments(
  cluster: PeerCluster,
  catalog: Engine,
  realtime: boolean,
  telling: SendWrites = async (ops, send) => await send(ops),
): FetchedDocuments {
  const fetched = new Map<string, FetchedDocument | undefined>();
  const keyOf = (index: string, id: string): string => JSON.stringify([index, id]);

  const fetch: FetchedDocuments['fetch'] = async (wanted) => {
    if (wanted.length === 0) return;
    const docs = wanted.map(({ index, id, routing }) => ({
      ...{ _index: index, _id: id },
      ...(routing === undefined ? {} : { routing }),
    }));
    const answer = await cluster.request({
      method: 'POST',
      path: `/_mget?realtime=${realtime}`,
      body: Buffer.from(stringifyJson({ docs }), 'utf8'),
      repeatable: true,
    });
    if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
    const list = membersAt(answer.body, wholeRange(answer.body)).get('docs');
    const found = list === undefined ? [] : elementsAt(answer.body, list);
    for (const [i, { index, id }] of wanted.entries())
      fetched.set(keyOf(index, id), found[i] && documentAt(answer.body, found[i]));
  };

  /** Whether a document matches; undefined if that cannot be decided from its source. */
  const decided = (
    filter: JsonObject,
    { index, id, source: bytes }: FetchedDocument,
  ): boolean | undefined => {
    try {
      const mappings = catalog.indices.info(index)?.mappings ?? {};
      const source = parseJson(bytes);
      return isObject(source) && willMatch(filter, { engine: undecided, index, mappings, id, source });
    } catch (error) {
      if (!(error instanceof Undecidable) && !(error instanceof EngineError)) throw error;
      return undefined;
    }
  };

  /** The documents of one index that match the filter now. */
  const matching = async (
    index: string,
    filter: JsonObject,
    docs: readonly FetchedDocument[],
  ): Promise<FetchedDocument[]> => {
    const decisions = new Map(docs.map((doc) => [doc, decided(filter, doc)]));
    // The cluster decides what cannot be decided here: once as it is, once after a refresh, so that it sees
    // the newest version.
    for (const anew of realtime ? [false, true] : [false]) {
      const left = docs.filter((doc) => decisions.get(doc) === undefined);
      if (left.length === 0) break;
      if (anew) await refresh(cluster, [index]);
      const found = await matchingVersions(cluster, filter, index, left);
      for (const doc of left) if (found.has(versionOf(doc.id, doc.seqNo))) decisions.set(doc, true);
    }
    return docs.filter((doc) => decisions.get(doc) === true);
  };

  const undecided: Engine = {
    ...catalog,
    indices: {
      ...catalog.indices,
      analyze: () => {
        throw new Undecidable('text is analyzed by the cluster');
      },
    },
  };

  return {
    ...undecided,
    indices: { ...undecided.indices, refresh: async (names) => await refresh(cluster, names) },
    fetch,
    get: (index, id) => fetched.get(keyOf(index, id)),
    /** Searches by ids under a filter, as the guard asks. */
    async search(request: SearchRequest): Promise<SearchResult> {
      const [index = ''] = request.indices;
      const { filter, ids } = requestedIds(request, index);
      await fetch(ids.filter((id) => !fetched.has(keyOf(index, id))).map((id) => ({ index, id })));
      const docs = ids.flatMap((id) => fetched.get(keyOf(index, id)) ?? []);
      const hits = await matching(index, filter, docs);
      return { ...NOTHING, hits: hits as unknown as Hit[] };
    },
    async write(ops) {
      const concrete = ops.map((op) =>
        op.requireAlias === true
          ? op
          : { ...op, index: findWriteIndex(catalog, resolveDateMathName(op.index)) ?? op.index },
      );
      const results = await telling(concrete, (named) =>
        sendBulk(cluster, named, (index, id) => fetched.get(keyOf(index, id))),
      );
      // The next operation on the same id must see the result of this one.
      const again = results.flatMap(({ index, id, error }, i): DocumentAddress[] =>
        error === undefined && fetched.has(keyOf(index, id)) ? [{ index, id, routing: ops[i]!.routing }] : [],
      );
      await fetch(again);
      return results;
    },
  };
}

const NOTHING: SearchResult = {
  ...{ timedOut: false, terminatedEarly: undefined, total: undefined, maxScore: undefined, hits: [] },
  ...{ more: false, moreBefore: false, snapshot: 0 },
};

function requestedIds(request: SearchRequest, index: string): { filter: JsonObject; ids: readonly string[] } {
  const { bool } = request.filters!.get(index) as unknown as {
    bool: { filter: [JsonObject, { ids: { values: string[] } }] };
  };
  return { filter: bool.filter[0], ids: bool.filter[1].ids.values };
}

function documentAt(bytes: Buffer, range: JsonRange): FetchedDocument | undefined {
  const members = membersAt(bytes, range);
  const text = (name: string): Uint8Array | undefined => {
    const at = members.get(name);
    return at === undefined ? undefined : bytes.subarray(at.start, at.end);
  };
  const value = (name: string) => {
    const found = text(name);
    return found === undefined ? undefined : parseJson(found);
  };
  if (value('found') !== true) return undefined;
  const ignored = value('_ignored');
  return {
    index: String(value('_index')),
    id: String(value('_id')),
    type: '_doc',
    routing: value('_routing') as string | undefined,
    version: Number(value('_version')),
    seqNo: Number(value('_seq_no')),
    primaryTerm: Number(value('_primary_term')),
    source: text('_source') ?? new Uint8Array(0),
    ...(Array.isArray(ignored) ? { ignored: ignored.map(String) } : {}),
  };
}

/** The id and sequence number of each document that matches and is visible to searches. */
async function matchingVersions(
  cluster: PeerCluster,
  filter: JsonObject,
  index: string,
  docs: readonly FetchedDocument[],
): Promise<ReadonlySet<string>> {
  const values = docs.map(({ id }) => id);
  const body: JsonObject = {
    query: { bool: { filter: [filter, { ids: { values } }] } },
    ...{ seq_no_primary_term: true, _source: false, size: docs.length, track_total_hits: false },
  };
  const reply = await cluster.requestJson({
    method: 'POST',
    path: `/${encodeURIComponent(index)}/_search`,
    body: Buffer.from(stringifyJson(body), 'utf8'),
    repeatable: true,
  });
  const { hits } = reply['hits'] as unknown as { hits: { _id: string; _seq_no: number }[] };
  return new Set(hits.map(({ _id, _seq_no }) => versionOf(_id, _seq_no)));
}

function versionOf(id: string, seqNo: number): string {
  return `${seqNo} ${id}`;
}

async function refresh(cluster: PeerCluster, names: readonly string[]): Promise<void> {
  const path = `/${names.map(encodeURIComponent).join(',')}/_refresh?ignore_unavailable=true`;
  if (names.length > 0) await cluster.requestJson({ method: 'POST', path, repeatable: true });
}

async function sendBulk(
  cluster: PeerCluster,
  ops: readonly WriteOp[],
  documentOf: (index: string, id: string) => FetchedDocument | undefined,
): Promise<WriteResult[]> {
  const lines = ops.flatMap((op) =>
    bulkLinesOf(op, op.id === undefined ? undefined : documentOf(op.index, op.id)),
  );
  const answer = await cluster.request({
    method: 'POST',
    path: '/_bulk',
    body: Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])),
    contentType: 'application/x-ndjson',
    repeatable: false,
  });
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const { items } = parseAnswer(answer.body) as unknown as { items: Record<string, JsonObject>[] };
  return ops.map((op, i) => resultOf(op, Object.values(items[i] ?? {})[0] ?? {}));
}

function bulkLinesOf(op: WriteOp, there: FetchedDocument | undefined): Buffer[] {
  const { kind, index, id, routing, update, ifSeqNo, ifPrimaryTerm, version, versionType, requireAlias } = op;
  // The guard pins versions by sequence number; the primary term comes from the fetched document.
  const term = there !== undefined && there.seqNo === ifSeqNo ? there.primaryTerm : ifPrimaryTerm;
  const meta: Record<string, JsonObject[string] | undefined> = {
    ...{ _index: index, _id: id, routing, if_seq_no: ifSeqNo },
    if_primary_term: ifSeqNo === undefined ? undefined : term,
    ...{
      version,
      version_type: version === undefined ? undefined : versionType,
      require_alias: requireAlias,
    },
  };
  const action = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
  const head = Buffer.from(stringifyJson({ [kind]: action as JsonObject }), 'utf8');
  if (kind === 'delete') return [head];
  if (update === undefined) return [head, joinBulkLines(op.source)];
  const members: Buffer[] = [];
  const member = (name: string, value: Uint8Array | boolean | undefined): void => {
    if (value === undefined) return;
    const text = typeof value === 'boolean' ? Buffer.from(String(value)) : joinBulkLines(value);
    members.push(Buffer.from(`${members.length === 0 ? '' : ','}"${name}":`), text);
  };
  member('doc', update.doc);
  member('script', update.script && Buffer.from(printScript(update.script)));
  member('scripted_upsert', update.scriptedUpsert);
  member('upsert', update.upsert);
  member('doc_as_upsert', update.docAsUpsert);
  member('detect_noop', update.detectNoop);
  member('_source', true);
  return [head, Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')])];
}

/** Replaces line ends by spaces: JSON may have them between its tokens, but a bulk line may not. */
export function joinBulkLines(source: Uint8Array | undefined): Buffer {
  const bytes = Buffer.from(source ?? '{}');
  // JSON strings contain no unescaped line ends.
  return bytes.includes(10) || bytes.includes(13)
    ? Buffer.from(bytes.map((b) => (b === 10 || b === 13 ? 32 : b)))
    : bytes;
}

function resultOf(op: WriteOp, item: JsonObject): WriteResult {
  const { error, get } = item;
  const source = isObject(get) ? get['_source'] : undefined;
  return {
    index: String(item['_index'] ?? op.index),
    id: String(item['_id'] ?? op.id ?? ''),
    type: '_doc',
    result: error === undefined ? (item['result'] as WriteResult['result']) : 'error',
    version: Number(item['_version'] ?? 1),
    seqNo: Number(item['_seq_no'] ?? 0),
    error: isObject(error) ? errorOf(error, Number(item['status'] ?? 500)) : undefined,
    source: source === undefined ? undefined : Buffer.from(stringifyJson(source), 'utf8'),
  };
}

/** An error of the cluster as an EngineError. */
function errorOf(error: JsonObject, status: number): EngineError {
  const name = String(error['type']);
  const type = Object.hasOwn(ERROR_TYPES, name) ? (name as ErrorType) : 'exception';
  const cause = error['caused_by'];
  return new EngineError(type, String(error['reason']), {
    status,
    ...(isObject(cause) ? { causedBy: errorOf(cause, status) } : {}),
  });
}
