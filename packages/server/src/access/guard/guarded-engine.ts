// The engine as one caller may use it: within the scopes, index patterns and document filter of its key.
// Every read and write of documents passes through here, so no endpoint can omit the checks.

import type {
  ChangeBatch,
  ChangePosition,
  DataCopy,
  Engine,
  Indices,
  JsonObject,
  Lease,
  PageReader,
  SearchRequest,
  SearchResult,
  Settings,
  StoredDoc,
  WriteOp,
  WriteResult,
} from '@octavo/engine';
import { ANONYMOUS, type Principal } from '../callers/principal.ts';
import type { LeaseQuota } from '../limits/lease-quota.ts';
import { type Action, CallerRules } from './caller-rules.ts';
import { guardedIndices, guardedSettings, notForCallers } from './guarded-indices.ts';
import { guardedWrite } from './guarded-write.ts';
import { LeaseOwners } from './lease-owners.ts';
import { type ChangedDocument, VisibleDocuments } from './visible-documents.ts';

const OWNERS = new WeakMap<Engine, LeaseOwners>();

/** The engine for a principal. The anonymous one of a server without keys gets the engine itself. */
export function guardEngine(engine: Engine, principal: Principal, quota?: LeaseQuota): Engine {
  if (principal === ANONYMOUS) return engine;
  let owners = OWNERS.get(engine);
  if (owners === undefined) OWNERS.set(engine, (owners = new LeaseOwners(engine)));
  return new GuardedEngine(engine, owners, new CallerRules(principal), undefined, quota);
}

/** The same with the number of documents the caller sees in each index, for endpoints that show counts. */
export async function withVisibleCounts(guarded: Engine): Promise<Engine> {
  return guarded instanceof GuardedEngine ? await guarded.withVisibleCounts() : guarded;
}

/** One document, if the caller may see it. With a document filter that takes a search. */
export async function fetchDocument(
  engine: Engine,
  index: string,
  id: string,
  options: { readonly realtime?: boolean } = {},
): Promise<StoredDoc | undefined> {
  return engine instanceof GuardedEngine
    ? await engine.fetch(index, id, options)
    : engine.get(index, id, options);
}

/**
 * Filters changes to those the caller may see, by the rules of `Engine.changes`, for changes from another
 * source. `engine` reads the present documents and is only called if the caller has a filter.
 */
export async function visibleChanges<C extends ChangedDocument>(
  changes: readonly C[],
  principal: Principal,
  engine: () => Engine | Promise<Engine>,
): Promise<readonly C[]> {
  const rules = new CallerRules(principal);
  const allowed = rules.allIndices ? changes : changes.filter(({ index }) => rules.allowsIndex(index));
  const { documentFilter } = principal;
  if (documentFilter === undefined || allowed.length === 0) return allowed;
  return await new VisibleDocuments(await engine(), documentFilter).visibleChanges(allowed);
}

const SUGGESTERS_OF_WORDS = ['term', 'phrase'] as const;

/** The suggester of a `suggest` body that takes words from all documents; completions are filtered. */
function suggesterOfWords(suggest: JsonObject): string | undefined {
  const entries = Object.values(suggest).filter((entry) => typeof entry === 'object' && entry !== null);
  return SUGGESTERS_OF_WORDS.find((name) => entries.some((entry) => Object.hasOwn(entry, name)));
}

class GuardedEngine implements Engine {
  readonly indices: Indices;
  readonly settings: Settings;
  readonly #engine: Engine;
  readonly #owners: LeaseOwners;
  readonly #rules: CallerRules;
  readonly #documents: VisibleDocuments | undefined;
  readonly #quota: LeaseQuota | undefined;

  constructor(
    engine: Engine,
    owners: LeaseOwners,
    rules: CallerRules,
    counts: ReadonlyMap<string, number> | undefined,
    quota: LeaseQuota | undefined,
  ) {
    this.#quota = quota;
    const { documentFilter } = rules.principal;
    this.#engine = engine;
    this.#owners = owners;
    this.#rules = rules;
    this.#documents = documentFilter === undefined ? undefined : new VisibleDocuments(engine, documentFilter);
    this.indices = guardedIndices(engine, rules, counts);
    this.settings = guardedSettings(engine.settings, rules);
  }

  async write(ops: readonly WriteOp[]): Promise<WriteResult[]> {
    this.#rules.require('write', 'indices:data/write/bulk');
    if (this.#rules.allIndices && this.#documents === undefined) return await this.#engine.write(ops);
    return await guardedWrite(this.#engine, this.#rules, this.#documents, ops);
  }

  /** Refused with a filter, which cannot be checked synchronously; `fetchDocument` can. */
  get(index: string, id: string, options: { realtime?: boolean } = {}): StoredDoc | undefined {
    this.#requireRead([index], 'indices:data/read/get');
    if (this.#documents !== undefined) {
      throw this.#rules.refusal(
        'indices:data/read/get',
        index,
        'a document filter cannot be checked for this lookup',
      );
    }
    return this.#engine.get(index, id, options);
  }

  async fetch(index: string, id: string, options: { realtime?: boolean }): Promise<StoredDoc | undefined> {
    this.#requireRead([index], 'indices:data/read/get');
    return this.#documents === undefined
      ? this.#engine.get(index, id, options)
      : await this.#documents.get(index, id, options.realtime ?? true);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return await this.#engine.search(this.#narrow(request));
  }

  searchPage<R>(request: SearchRequest, read: PageReader<R>): R | Promise<R> {
    return this.#engine.searchPage(this.#narrow(request), read);
  }

  async count(request: SearchRequest): Promise<number> {
    return await this.#engine.count(this.#narrow(request));
  }

  snapshot(): number {
    return this.#engine.snapshot();
  }

  /** Only changes the caller may see; with a filter, those of documents that match it now. */
  async changes(after: number | ChangePosition, options?: { limit?: number }): Promise<ChangeBatch> {
    this.#rules.require('read', 'indices:data/read/search');
    const batch = await this.#engine.changes(after, options);
    const allowed = batch.changes.filter((change) => this.#rules.allowsIndex(change.index));
    const changes = this.#documents === undefined ? allowed : await this.#documents.visibleChanges(allowed);
    return { ...batch, changes };
  }

  onCommit(listener: (commit: number) => void): () => void {
    return this.#engine.onCommit(listener);
  }

  openLease(options: Parameters<Engine['openLease']>[0]): Lease {
    this.#rules.require('read', 'indices:data/read/search');
    const caller = this.#rules.principal.id;
    this.#quota?.require(caller, Date.now(), (lease) => this.#engine.lease(lease) !== undefined);
    const lease = this.#engine.openLease(options);
    this.#owners.add(lease.id, caller);
    this.#quota?.add(caller, lease.id, lease.expiresAt);
    return lease;
  }

  lease(id: string, keepAliveMs?: number): Lease | undefined {
    this.#owners.requireOwner(id, this.#rules.principal.id);
    const lease = this.#engine.lease(id, keepAliveMs);
    if (lease === undefined) this.#quota?.remove(id);
    else if (keepAliveMs !== undefined) this.#quota?.add(this.#rules.principal.id, id, lease.expiresAt);
    return lease;
  }

  closeLease(id: string): boolean {
    this.#owners.requireOwner(id, this.#rules.principal.id);
    this.#quota?.remove(id);
    return this.#engine.closeLease(id);
  }

  leases(kind?: string): Lease[] {
    return this.#engine
      .leases(kind)
      .filter((lease) => this.#owners.isOwner(lease.id, this.#rules.principal.id));
  }

  async verify(): Promise<string[]> {
    throw notForCallers('cluster:admin/verify');
  }

  async copy(): Promise<DataCopy> {
    throw notForCallers('cluster:admin/snapshot/create');
  }

  async close(): Promise<void> {
    throw notForCallers('cluster:admin/shutdown');
  }

  async withVisibleCounts(): Promise<Engine> {
    const documents = this.#documents;
    if (documents === undefined) return this;
    const counts = new Map<string, number>();
    for (const name of this.indices.names()) {
      if (this.#engine.indices.info(name)?.state === 'open') counts.set(name, await documents.count(name));
    }
    return new GuardedEngine(this.#engine, this.#owners, this.#rules, counts, this.#quota);
  }

  #narrow(request: SearchRequest): SearchRequest {
    this.#requireRead(request.indices, 'indices:data/read/search');
    if (this.#documents === undefined) return request;
    this.#requireNoStatistics(request);
    return this.#documents.narrow(request);
  }

  /**
   * Refuses what reads the terms of all documents: suggestions of words, and the counts of a profile. Either shows
   * whether a hidden document has a term.
   */
  #requireNoStatistics({ indices, suggest, profile }: SearchRequest): void {
    const suggester = suggest && suggesterOfWords(suggest);
    const what = suggester === undefined ? profile && '[profile]' : `the suggester [${suggester}]`;
    if (!what) return;
    throw this.#rules.refusal(
      'indices:data/read/search',
      indices.join(','),
      `it has a document filter, and ${what} counts documents that it does not see`,
    );
  }

  #requireRead(indices: readonly string[], action: Action): void {
    this.#rules.require('read', action, indices.join(','));
    if (this.#rules.allIndices) return;
    for (const index of indices) this.#rules.requireIndex(index, action);
  }
}
