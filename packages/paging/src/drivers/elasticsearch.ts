// How is an Elasticsearch cluster asked? By the calls of `@elastic/elasticsearch`, whose replies are bare.

import { type SearchList, type SearchSource, searchSource } from './search-engine.ts';

export type { SearchHit, SearchKey, SearchList, SearchSource } from './search-engine.ts';

/** What is used of a `Client`. */
export interface ElasticsearchClient {
  // The parameters are the client's own types, which say more than is needed here.
  search(request: never): Promise<unknown>;
  openPointInTime(request: never): Promise<{ readonly id: string }>;
  closePointInTime(request: never): Promise<unknown>;
}

/** A list in an Elasticsearch index. One search a page or count, and one call for each point in time. */
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
