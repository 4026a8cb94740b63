// Page source over an Octavo server, by fetch. The tokens are built here: the server accepts the open form
// unless it is configured not to, and breaks ties by document id itself.

import type { Anchor, Direction } from '../order.ts';
import type { PageSource } from '../source.ts';
import { searchFingerprint } from '../tokens/fingerprint.ts';
import { openToken } from '../tokens/token.ts';

/** One key of the order: a field that can be sorted by. */
export interface OctavoKey extends Direction {
  readonly field: string;
}

/** One hit, as the server sends it. */
export interface OctavoHit {
  readonly _id: string;
  readonly _source?: unknown;
  readonly sort?: readonly unknown[];
}

/** The server, index and keys that make a list. */
export interface OctavoList<T> {
  /** Base address of the server. */
  readonly url: string;
  /** The name of an index, not of an alias: tokens name the index behind an alias. */
  readonly index: string;
  /** The filter. @default all documents */
  readonly query?: object;
  readonly keys: readonly OctavoKey[];
  /** Headers of every request, for instance `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the runtime's */
  readonly fetch?: typeof fetch;
  item(hit: OctavoHit): T;
  anchor(item: T): Anchor;
}

/** A list in an index of Octavo. A page is one request. Rejects with an Error that quotes the server's refusal. */
export function octavoSource<T>(list: OctavoList<T>): PageSource<T> {
  const { url, index, query = { match_all: {} }, headers = {}, fetch: send = fetch } = list;
  const sort = list.keys.map(({ field, descending = false, nulls = 'last' }) => ({
    [field]: { order: descending ? 'desc' : 'asc', missing: `_${nulls}` },
  }));

  const ask = async (body: object): Promise<{ hits: readonly OctavoHit[]; next: boolean; prev: boolean }> => {
    const reply = await send(`${url}/${encodeURIComponent(index)}/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`Octavo answered ${reply.status}: ${text.slice(0, 500)}`);
    const read = JSON.parse(text) as {
      hits: { hits: readonly OctavoHit[] };
      next_token?: string;
      prev_token?: string;
    };
    return { hits: read.hits.hits, next: read.next_token !== undefined, prev: read.prev_token !== undefined };
  };

  return {
    anchor: (item) => list.anchor(item),
    async page({ at, backwards = false, size }) {
      const body = { query, sort, size };
      if (at !== undefined) {
        const token = openToken({
          mode: 'sort',
          tuple: list.keys.map((_, i) => at.tuple[i] ?? null),
          id: at.id,
          backwards,
          fingerprint: searchFingerprint({ index, query, sort }),
        });
        const { hits, next, prev } = await ask({ ...body, [backwards ? 'prev_token' : 'next_token']: token });
        return { items: hits.map((hit) => list.item(hit)), more: backwards ? prev : next };
      }
      if (!backwards) {
        const { hits, next } = await ask({ ...body, tokens: true });
        return { items: hits.map((hit) => list.item(hit)), more: next };
      }
      return await lastPage(size);
    },
  };

  /** The last page, by offset: ids break ties ascending in every order, so a reversed sort would order ties differently. */
  async function lastPage(size: number): Promise<{ items: readonly T[]; more: boolean }> {
    const { total } = await totalOf();
    if (total === 0) return { items: [], more: false };
    const from = Math.max(0, total - size);
    const { hits } = await ask({ query, sort, size, from });
    return { items: hits.map((hit) => list.item(hit)), more: from > 0 };
  }

  async function totalOf(): Promise<{ total: number }> {
    const reply = await send(`${url}/${encodeURIComponent(index)}/_count`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    if (!reply.ok) throw new Error(`Octavo answered ${reply.status}: ${(await reply.text()).slice(0, 500)}`);
    return { total: ((await reply.json()) as { count: number }).count };
  }
}
