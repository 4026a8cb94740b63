// How is an OpenSearch cluster asked? By the calls of `@opensearch-project/opensearch`, whose replies are in `body`.

import { type SearchList, type SearchSource, searchSource } from './search-engine.ts';

export type { SearchHit, SearchKey, SearchList, SearchSource } from './search-engine.ts';

interface Reply {
  readonly body: unknown;
}

/** What is used of a `Client`. */
export interface OpenSearchClient {
  // The parameters are the client's own types, which say more than is needed here.
  search(request: never): PromiseLike<Reply>;
  createPit(request: never): PromiseLike<Reply>;
  deletePit(request: never): PromiseLike<Reply>;
}

/** A list in an OpenSearch index. One search a page or count, and one call for each point in time. */
export function opensearchSource<T>(client: OpenSearchClient, list: SearchList<T>): SearchSource<T> {
  return searchSource(
    {
      search: async (body, index) =>
        (await client.search({ body, ...(index === undefined ? {} : { index }) } as never)).body,
      openPit: async (index, keepAlive) => {
        const { body } = await client.createPit({ index, keep_alive: keepAlive } as never);
        return (body as { readonly pit_id: string }).pit_id;
      },
      closePit: async (id) => await client.deletePit({ body: { pit_id: [id] } } as never),
    },
    list,
  );
}
