// Searchkit: what a page with InstantSearch sends, with facets, filters, highlights and pages.

import searchkit from '@searchkit/api';
import { call, mappings, products, url } from './calls.js';

const send = async (method, path, body) => {
  const reply = await fetch(`${url}${path}`, {
    method,
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  if (!reply.ok) throw new Error(await reply.text());
};
await send('PUT', '/products', JSON.stringify({ mappings }));
await send(
  'POST',
  '/products/_bulk?refresh=true',
  products.map((product, n) => `{"index":{"_id":"${n + 1}"}}\n${JSON.stringify(product)}\n`).join(''),
);

const Client = searchkit.default ?? searchkit;
const api = Client({
  connection: { host: url },
  search_settings: {
    search_attributes: [{ field: 'title', weight: 3 }, 'brand'],
    result_attributes: ['title', 'brand', 'price'],
    highlight_attributes: ['title'],
    snippet_attributes: ['title'],
    facet_attributes: [
      { attribute: 'brand', field: 'brand', type: 'string' },
      { attribute: 'price', field: 'price', type: 'numeric' },
      { attribute: 'stars', field: 'stars', type: 'numeric', nestedPath: 'reviews' },
      { attribute: 'added', field: 'added', type: 'date' },
    ],
    sorting: { default: { field: '_score', order: 'desc' }, _price_asc: { field: 'price', order: 'asc' } },
  },
});
const search = async (params, indexName = 'products') => {
  const { results } = await api.handleRequest([
    { indexName, params: { hitsPerPage: 10, page: 0, ...params } },
  ]);
  return results[0];
};

await call(
  'search',
  () => search({ query: 'running' }),
  ({ nbHits }) => nbHits === 3,
);
await call(
  'empty search',
  () => search({ query: '' }),
  ({ nbHits }) => nbHits === 6,
);
await call(
  'highlights',
  () => search({ query: 'socks', attributesToHighlight: ['title'] }),
  ({ hits }) => hits[0]._highlightResult.title.value.includes('>socks<'),
);
await call(
  'snippets',
  () => search({ query: 'socks', attributesToSnippet: ['title'] }),
  ({ hits }) => hits[0]._snippetResult.title.value.length > 0,
);
await call(
  'facet of words',
  () => search({ query: '', facets: ['brand'] }),
  ({ facets }) => facets.brand.Ardo === 2,
);
await call(
  'facets of numbers',
  () => search({ query: '', facets: ['price'] }),
  ({ facets_stats }) => facets_stats.price.max === 120,
);
await call(
  'facet of nested documents',
  () => search({ query: '', facets: ['stars'] }),
  ({ facets_stats }) => facets_stats.stars.max === 5,
);
await call(
  'all facets',
  () => search({ query: '', facets: ['*'] }),
  ({ facets }) => facets.brand.Belm === 2,
);
await call(
  'filter by a facet',
  () => search({ query: '', facets: ['brand'], facetFilters: [['brand:Ardo', 'brand:Belm']] }),
  ({ nbHits }) => nbHits === 4,
);
await call(
  'filter by a number',
  () => search({ query: '', numericFilters: ['price>=100'] }),
  ({ nbHits }) => nbHits === 2,
);
await call(
  'filter by words',
  () => search({ query: '', filters: 'brand:"Ardo" AND price:[* TO 100]' }),
  ({ nbHits }) => nbHits === 1,
);
await call(
  'sort',
  () => search({ query: '' }, 'products_price_asc'),
  ({ hits }) => hits[0].objectID === '5',
);
await call(
  'second page',
  () => search({ query: '', hitsPerPage: 4, page: 1 }),
  ({ hits, nbPages }) => hits.length === 2 && nbPages === 2,
);
await call(
  'search for values of a facet',
  async () => {
    const { results } = await api.handleRequest([
      {
        indexName: 'products',
        type: 'facet',
        params: { facetName: 'brand', facetQuery: 'Ar', maxFacetHits: 5 },
      },
    ]);
    return results[0];
  },
  ({ facetHits }) => facetHits[0].value === 'Ardo',
);
