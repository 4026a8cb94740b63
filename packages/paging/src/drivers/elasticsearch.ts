// Page source over Elasticsearch, by the client `@elastic/elasticsearch`, which returns bare bodies.

import { type SearchList, type SearchSource, searchSource } from './search-engine.ts';

export type { SearchHit, SearchKey, SearchList, SearchSource } from './search-engine.ts';

/** The methods of a `Client` that the source calls. */
export interface ElasticsearchClient {
  // `never`: the client's own parameter types are wider than what the source sends.
  search(request: never): Promise<unknown>;
  openPointInTime(request: never): Promise<{ readonly id: string }>;
  closePointInTime(request: never): Promise<unknown>;
}

/** A list in an Elasticsearch index. A page or a count is one search; a point in time is one more call. */
export function elasticsearchSource<T>(client: ElasticsearchClient, list: SearchList<T>): SearchSource<T> {
  return searchSource(
    {
      search: async (body, index) =>
        await client.search({ ...body, ...(index === undefined ? {} : { index }) } as never),
      openPit: async (index, keepAlive) =>
        (await client.openPointInTime({ index, keep_alive: keepAlive } as never)).id,
      closePit: async (id) => await client.closePointInTime({ id } as never),
    },
    list,
  );
}
