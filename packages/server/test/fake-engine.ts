// A small engine in plain maps, for tests of the wire alone: documents with versions and conflicts, partial updates,
// snapshots, and searches by match_all, term, terms, ids, range and bool over whole sources.

import {
  type AliasSpec,
  type Engine,
  EngineError,
  type Hit,
  type IndexInfo,
  type JsonObject,
  type JsonValue,
  type Lease,
  parseJson,
  type SearchRequest,
  type SearchResult,
  type SortValue,
  stringifyJson,
  type WriteOp,
  type WriteResult,
} from '@octavo/engine';

interface Version {
  readonly id: string;
  readonly type: string;
  readonly routing: string | undefined;
  readonly version: number;
  readonly seqNo: number;
  readonly source: Uint8Array | undefined;
  readonly born: number;
}

interface FakeIndex {
  info: IndexInfo;
  seqNo: number;
  readonly versions: Version[];
}

/** An engine for tests. */
export function fakeEngine(): Engine {
  return new FakeEngine();
}

class FakeEngine implements Engine {
  readonly #indices = new Map<string, FakeIndex>();
  readonly #settings = new Map<string, Map<string, JsonValue>>();
  readonly #leases = new Map<string, Lease & { kind: string }>();
  #commit = 0;
  #next = 0;

  readonly indices: Engine['indices'] = {
    names: () => [...this.#indices.keys()].sort(),
    info: (name) => this.#indices.get(name)?.info,
    stats: () => ({
      docCount: 0,
      deletedCount: 0,
      segments: 0,
      sourceBytes: 0,
      diskBytes: 0,
      memoryBytes: 0,
    }),
    create: async (name, body) => this.#create(name, body),
    delete: async (names) => {
      for (const name of names) this.#indices.delete(name);
    },
    putMapping: async () => undefined,
    putSettings: async () => undefined,
    updateAliases: async (actions) => {
      for (const action of actions) {
        if ('add' in action) this.#setAlias(action.add.index, action.add.alias, action.add.spec);
      }
    },
    setState: async (name, state) => {
      const index = this.#indices.get(name)!;
      index.info = { ...index.info, state };
    },
    refresh: async () => undefined,
    flush: async () => undefined,
    forceMerge: async () => undefined,
    analyze: () => ({}),
  };

  readonly settings: Engine['settings'] = {
    get: (kind, name) => this.#settings.get(kind)?.get(name),
    list: (kind) => this.#settings.get(kind) ?? new Map(),
    put: async (kind, name, value) => {
      const map = this.#settings.get(kind) ?? new Map<string, JsonValue>();
      this.#settings.set(kind, map.set(name, value));
    },
    remove: async (kind, name) => this.#settings.get(kind)?.delete(name) ?? false,
  };

  async write(ops: readonly WriteOp[]): Promise<WriteResult[]> {
    this.#commit++;
    return ops.map((op) => {
      try {
        return this.#write(op);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        const { index, id = '', type = '_doc' } = op;
        return { index, id, type, result: 'error', version: 0, seqNo: 0, error, source: undefined };
      }
    });
  }

  async copy(): ReturnType<Engine['copy']> {
    return { commit: this.#commit, files: [], close: async () => undefined };
  }

  get(index: string, id: string): ReturnType<Engine['get']> {
    const found = this.#newest(this.#indices.get(index)!, id);
    return found?.source === undefined ? undefined : { ...found, index, source: found.source };
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    const snapshot = request.snapshot ?? this.#commit;
    const hits: Hit[] = [];
    for (const name of request.indices) {
      const index = this.#indices.get(name)!;
      const asked = [request.filters?.get(name), request.query, request.postFilter];
      for (const version of alive(index, snapshot)) {
        const doc = parseJson(version.source!) as JsonObject;
        if (asked.some((query) => query !== undefined && !matches(query, doc, version))) continue;
        hits.push(toHit(name, version, doc, request));
      }
    }
    hits.sort((a, b) => compareHits(a, b, request));
    const from = request.from ?? 0;
    const after = afterIndex(hits, request);
    const page = hits.slice(after + from, after + from + (request.size ?? 10));
    return {
      timedOut: false,
      terminatedEarly: undefined,
      total: request.trackTotalHits === false ? undefined : { value: hits.length, relation: 'eq' },
      maxScore: request.sort === undefined && page.length > 0 ? 1 : undefined,
      hits: page,
      more: after + from + page.length < hits.length,
      moreBefore: after + from > 0,
      snapshot,
    };
  }

  searchNow(): undefined {}

  stateNow(): undefined {}

  /** Nothing is ever told. */
  async changes(): ReturnType<Engine['changes']> {
    return { changes: [], next: { commit: this.#commit }, more: false, completeFrom: 0 };
  }

  onCommit(): () => void {
    return () => {};
  }

  async count(request: SearchRequest): Promise<number> {
    return (await this.search({ ...request, size: 0 })).total!.value;
  }

  snapshot(): number {
    return this.#commit;
  }

  openLease(options: Parameters<Engine['openLease']>[0]): Lease {
    const id = `lease-${++this.#next}`;
    const lease = {
      id,
      kind: options.kind,
      snapshot: options.snapshot ?? this.#commit,
      expiresAt: Date.now() + options.keepAliveMs,
      state: options.state ?? null,
    };
    this.#leases.set(id, lease);
    return lease;
  }

  lease(id: string): Lease | undefined {
    return this.#leases.get(id);
  }

  closeLease(id: string): boolean {
    return this.#leases.delete(id);
  }

  leases(kind?: string): Lease[] {
    return [...this.#leases.values()].filter((lease) => kind === undefined || lease.kind === kind);
  }

  async verify(): Promise<string[]> {
    return [];
  }

  async close(): Promise<void> {}

  #create(name: string, body: Parameters<Engine['indices']['create']>[1]): IndexInfo {
    const info: IndexInfo = {
      name,
      uuid: `uuid-${name}`,
      createdAt: 0,
      state: 'open',
      settings: { 'index.number_of_shards': '1', 'index.number_of_replicas': '1', ...body.settings },
      mappings: body.mappings ?? {},
      aliases: body.aliases ?? {},
    };
    this.#indices.set(name, { info, seqNo: 0, versions: [] });
    return info;
  }

  #setAlias(name: string, alias: string, spec: AliasSpec): void {
    const index = this.#indices.get(name)!;
    index.info = { ...index.info, aliases: { ...index.info.aliases, [alias]: spec } };
  }

  #newest(index: FakeIndex, id: string): Version | undefined {
    return index.versions.findLast((version) => version.id === id);
  }

  #write(op: WriteOp): WriteResult {
    if (op.source !== undefined) this.#checkSource(op.source);
    const concrete = [...this.#indices.values()].find((each) => op.index in each.info.aliases);
    const index = this.#indices.get(op.index) ?? concrete;
    if (index === undefined) {
      if (op.kind === 'delete')
        throw new EngineError('index_not_found_exception', `no such index [${op.index}]`);
      this.#create(op.index, {});
      return this.#write(op);
    }
    const id = op.id ?? `generated-${++this.#next}`;
    const old = this.#newest(index, id);
    const current = old?.source === undefined ? undefined : old;
    this.#checkConflict(op, id, current);
    const type = op.type ?? current?.type ?? '_doc';
    const base = { index: index.info.name, id, type, error: undefined };
    let source = op.source;
    if (op.kind === 'update') {
      const { update } = op;
      source = updated(current, update!, id);
      if (source === undefined) {
        const { version, seqNo } = current!;
        return { ...base, result: 'noop', version, seqNo, source: current!.source };
      }
    }
    if (op.kind === 'delete') source = undefined;
    const external = op.versionType === 'external' || op.versionType === 'external_gte';
    const version = external ? op.version! : (old?.version ?? 0) + 1;
    const seqNo = index.seqNo++;
    const routing = op.routing;
    index.versions.push({ id, type, routing, version, seqNo, source: source?.slice(), born: this.#commit });
    const deleted = current === undefined ? 'not_found' : 'deleted';
    const result = op.kind === 'delete' ? deleted : current === undefined ? 'created' : 'updated';
    return { ...base, result, version, seqNo, source };
  }

  #checkSource(source: Uint8Array): void {
    try {
      parseJson(source);
    } catch (error) {
      throw new EngineError('mapper_parsing_exception', 'failed to parse', {
        causedBy: error as EngineError,
      });
    }
  }

  #checkConflict(op: WriteOp, id: string, current: Version | undefined): void {
    const conflict = (why: string): never => {
      throw new EngineError('version_conflict_engine_exception', `[${id}]: version conflict, ${why}`);
    };
    if (op.kind === 'create' && current !== undefined) {
      conflict(`document already exists (current version [${current.version}])`);
    }
    if (op.ifSeqNo !== undefined && current?.seqNo !== op.ifSeqNo) {
      conflict(
        `required seqNo [${op.ifSeqNo}], primary term [1]. ` +
          (current === undefined
            ? 'but no document was found'
            : `current document has seqNo [${current.seqNo}] and primary term [1]`),
      );
    }
    if (op.versionType === 'external' && current !== undefined && current.version >= op.version!) {
      conflict(`current version [${current.version}] is higher or equal to the one provided [${op.version}]`);
    }
  }
}

function updated(
  current: Version | undefined,
  update: NonNullable<WriteOp['update']>,
  id: string,
): Uint8Array | undefined {
  const { doc, upsert } = update;
  if (current === undefined) {
    const first = update.docAsUpsert === true ? doc : upsert;
    if (first === undefined) throw new EngineError('document_missing_exception', `[${id}]: document missing`);
    return first;
  }
  const merged = { ...(parseJson(current.source!) as JsonObject), ...(parseJson(doc!) as JsonObject) };
  const bytes = Buffer.from(stringifyJson(merged));
  return update.detectNoop !== false && bytes.equals(current.source!) ? undefined : bytes;
}

function* alive(index: FakeIndex, snapshot: number): Generator<Version> {
  const newest = new Map<string, Version>();
  for (const version of index.versions) if (version.born <= snapshot) newest.set(version.id, version);
  for (const version of index.versions) {
    if (newest.get(version.id) === version && version.source !== undefined) yield version;
  }
}

function matches(query: JsonObject, doc: JsonObject, version: Version): boolean {
  const [kind = '', body] = Object.entries(query)[0] ?? [];
  const inner = body as JsonObject;
  const [field = '', value] = Object.entries(inner)[0] ?? [];
  const actual = field === '_type' ? version.type : field === '_id' ? version.id : doc[field];
  if (kind === 'match_all') return true;
  if (kind === 'term' || kind === 'match') return actual === value;
  if (kind === 'terms') return (value as JsonValue[]).includes(actual ?? null);
  if (kind === 'ids') return (inner['values'] as JsonValue[]).includes(version.id);
  if (kind === 'range') return Number(actual) >= Number((value as JsonObject)['gte']);
  if (kind === 'query_string')
    return String(inner['query']).split(':')[1] === String(doc[String(inner['query']).split(':')[0]!]);
  if (kind === 'bool') {
    const all = [inner['filter'] ?? [], inner['must'] ?? []].flat() as JsonObject[];
    const some = [inner['should'] ?? []].flat() as JsonObject[];
    return (
      all.every((each) => matches(each, doc, version)) &&
      (some.length === 0 || some.some((each) => matches(each, doc, version)))
    );
  }
  throw new EngineError('parsing_exception', `unknown query [${kind}]`);
}

function sortKeys(request: SearchRequest): [field: string, descending: boolean][] {
  const list = request.sort === undefined ? [] : Array.isArray(request.sort) ? request.sort : [request.sort];
  return list.map((each) => {
    if (typeof each === 'string') return [each, false];
    const [field = '', order] = Object.entries(each as JsonObject)[0] ?? [];
    return [field, JSON.stringify(order).includes('desc')];
  });
}

function toHit(index: string, version: Version, doc: JsonObject, request: SearchRequest): Hit {
  const { id, type, routing, seqNo } = version;
  const keys = sortKeys(request);
  const sort = keys.map(([field]): SortValue => {
    if (field === '_doc' || field === '_shard_doc') return seqNo;
    if (field === '_id') return id;
    return (doc[field] ?? null) as SortValue;
  });
  return {
    index,
    id,
    type,
    routing,
    score: keys.length === 0 ? 1 : Number.NaN,
    sort: keys.length === 0 ? undefined : sort,
    seqNo,
    version: version.version,
    source: version.source!,
    matchedQueries: undefined,
    docValues: (path) => (doc[path] === undefined ? [] : [doc[path] as SortValue]),
  };
}

function compareValues(a: SortValue | JsonValue, b: SortValue | JsonValue): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

function compareHits(a: Hit, b: Hit, request: SearchRequest): number {
  for (const [i, [, descending]] of sortKeys(request).entries()) {
    const order = compareValues(a.sort![i]!, b.sort![i]!);
    if (order !== 0) return descending ? -order : order;
  }
  if (request.sort === undefined) return 0;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** How many hits lie at or before the position. */
function afterIndex(hits: readonly Hit[], request: SearchRequest): number {
  const { searchAfter, searchAfterId } = request;
  if (searchAfter === undefined) return 0;
  const keys = sortKeys(request);
  const at = hits.findIndex((hit) => {
    for (const [i, [, descending]] of keys.entries()) {
      const order = compareValues(hit.sort![i]!, searchAfter[i]!);
      if (order !== 0) return descending ? order < 0 : order > 0;
    }
    return searchAfterId !== undefined && hit.id > searchAfterId;
  });
  return at < 0 ? hits.length : at;
}
