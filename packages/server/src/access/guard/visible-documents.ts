// The documents a filter leaves visible. The engine itself decides, by a search for ids.

import type { Change, Engine, JsonObject, SearchRequest, StoredDoc } from '@octavo/engine';

/** Ids in one search. */
const BATCH = 1_000;

/** A document that was written or deleted. */
export type ChangedDocument = Pick<Change, 'index' | 'id' | 'kind'>;

export class VisibleDocuments {
  readonly #engine: Engine;
  readonly #filter: JsonObject;

  constructor(engine: Engine, filter: JsonObject) {
    this.#engine = engine;
    this.#filter = filter;
  }

  get filter(): JsonObject {
    return this.#filter;
  }

  /** Adds the filter to every index of a request. */
  narrow(request: SearchRequest): SearchRequest {
    const filters = new Map<string, JsonObject>();
    for (const index of request.indices) {
      const before = request.filters?.get(index);
      filters.set(index, before === undefined ? this.#filter : { bool: { filter: [this.#filter, before] } });
    }
    return { ...request, filters };
  }

  /**
   * The document, if it is visible. The filter sees what searches see: if refreshes are held back, the
   * version of the last refresh is returned instead of a newer one.
   */
  async get(index: string, id: string, realtime: boolean): Promise<StoredDoc | undefined> {
    const seen = (await this.#visibleSeqNos(index, [id])).get(id);
    if (seen === undefined) return undefined;
    const newest = this.#engine.get(index, id, { realtime });
    if (newest?.seqNo === seen) return newest;
    const refreshed = this.#engine.get(index, id, { realtime: false });
    return refreshed?.seqNo === seen ? refreshed : undefined;
  }

  /** The number of visible documents of an index. */
  async count(index: string): Promise<number> {
    return await this.#engine.count({ indices: [index], filters: new Map([[index, this.#filter]]) });
  }

  /** Changes of visible documents. Deletions are left out: a deleted document matches nothing. */
  async visibleChanges<C extends ChangedDocument>(changes: readonly C[]): Promise<C[]> {
    const ids = new Map<string, Set<string>>();
    for (const { index, id, kind } of changes) {
      if (kind !== 'index') continue;
      const seen = ids.get(index) ?? new Set();
      ids.set(index, seen.add(id));
    }
    const seen = new Map<string, ReadonlyMap<string, number>>();
    for (const [index, asked] of ids) seen.set(index, await this.#visibleSeqNos(index, [...asked]));
    return changes.filter(({ index, id, kind }) => kind === 'index' && seen.get(index)?.has(id) === true);
  }

  /** The sequence numbers of the visible ones among some ids. */
  async #visibleSeqNos(index: string, ids: readonly string[]): Promise<Map<string, number>> {
    const out = new Map<string, number>();
    if (this.#engine.indices.info(index)?.state !== 'open') return out;
    for (let at = 0; at < ids.length; at += BATCH) {
      const values = ids.slice(at, at + BATCH);
      const only: JsonObject = { ids: { values } };
      const result = await this.#engine.search({
        indices: [index],
        filters: new Map([[index, { bool: { filter: [this.#filter, only] } }]]),
        sort: ['_doc'],
        size: values.length,
        trackTotalHits: false,
        ignoreWindow: true,
      });
      for (const hit of result.hits) out.set(hit.id, hit.seqNo);
    }
    return out;
  }
}
