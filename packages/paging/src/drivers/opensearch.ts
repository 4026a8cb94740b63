// Page source over OpenSearch, by the client `@opensearch-project/opensearch`, which returns bodies in
// `body`.

import { type SearchList, type SearchSource, searchSource } from './search-engine.ts';

export type { SearchHit, SearchKey, SearchList, SearchSource } from './search-engine.ts';

interface Reply {
  readonly body: unknown;
}

/** The methods of a `Client` that the source calls. */
export interface OpenSearchClient {
  // `never`: the client's own parameter types are wider than what the source sends.
  search(request: never): PromiseLike<Reply>;
  createPit(request: never): PromiseLike<Reply>;
  deletePit(request: never): PromiseLike<Reply>;
}

/** A list in an OpenSearch index. A page or a count is one search; a point in time is one more call. */
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
