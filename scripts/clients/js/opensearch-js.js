// Everyday calls of opensearch-js.

import { Client } from '@opensearch-project/opensearch';
import { call, mappings, products, url } from './calls.js';

const client = new Client({ node: url });
const index = 'products';
const search = (body, params = {}) => client.search({ index, body, ...params });
const total = ({ body }) => body.hits.total.value;

await call(
  'info',
  () => client.info(),
  ({ body }) => body.version.distribution === 'opensearch',
);
await call(
  'ping',
  () => client.ping(),
  ({ body }) => body === true,
);
await call(
  'indices.create',
  () => client.indices.create({ index, body: { mappings } }),
  ({ body }) => body.acknowledged,
);
await call(
  'indices.exists',
  () => client.indices.exists({ index }),
  ({ body }) => body === true,
);
await call(
  'helpers.bulk',
  () =>
    client.helpers.bulk({
      datasource: products,
      onDocument: (doc) => ({ index: { _index: index, _id: String(products.indexOf(doc) + 1) } }),
      refreshOnCompletion: true,
    }),
  ({ successful }) => successful === 6,
);
await call(
  'index',
  () =>
    client.index({ index, id: '7', body: { title: 'Green hat', brand: 'Corin', price: 20 }, refresh: true }),
  ({ body }) => body.result === 'created',
);
await call(
  'create twice',
  () =>
    client.create({ index, id: '7', body: {} }).then(
      () => 0,
      (error) => error.statusCode,
    ),
  (status) => status === 409,
);
await call(
  'get',
  () => client.get({ index, id: '7' }),
  ({ body }) => body._source.title === 'Green hat',
);
await call(
  'getSource',
  () => client.getSource({ index, id: '7' }),
  ({ body }) => body.price === 20,
);
await call(
  'exists',
  () => client.exists({ index, id: '9' }),
  ({ body }) => body === false,
);
await call(
  'mget',
  () => client.mget({ index, body: { ids: ['1', '9'] } }),
  ({ body }) => body.docs[0].found && !body.docs[1].found,
);
await call(
  'update',
  () => client.update({ index, id: '7', body: { doc: { price: 21 } } }),
  ({ body }) => body.result === 'updated',
);
await call(
  'update with script',
  () =>
    client.update({
      index,
      id: '7',
      refresh: true,
      body: { script: { source: 'ctx._source.price += params.more', params: { more: 4 } } },
    }),
  ({ body }) => body.result === 'updated',
);
await call(
  'delete',
  () => client.delete({ index, id: '7', refresh: true }),
  ({ body }) => body.result === 'deleted',
);
await call(
  'count',
  () => client.count({ index }),
  ({ body }) => body.count === 6,
);
await call(
  'search match',
  () => search({ query: { match: { title: 'running' } } }),
  (r) => total(r) === 3,
);
await call(
  'search bool',
  () =>
    search({
      query: {
        bool: { must: [{ match: { title: 'jacket' } }], filter: [{ range: { price: { gte: 100 } } }] },
      },
    }),
  (r) => total(r) === 1,
);
await call(
  'search nested',
  () =>
    search({
      query: { nested: { path: 'reviews', query: { match: { 'reviews.text': 'small' } }, inner_hits: {} } },
    }),
  ({ body }) => body.hits.hits.length === 3 && body.hits.hits[0].inner_hits.reviews.hits.hits.length === 1,
);
await call(
  'search geo_distance',
  () =>
    search({
      query: { geo_distance: { distance: '50km', place: { lat: 48.1, lon: 11.5 } } },
    }),
  (r) => total(r) === 2,
);
await call(
  'search highlight',
  () => search({ query: { match: { title: 'socks' } }, highlight: { fields: { title: {} } } }),
  ({ body }) => body.hits.hits.every(({ highlight }) => highlight.title[0].includes('<em>')),
);
await call(
  'search function_score',
  () =>
    search({
      query: {
        function_score: {
          query: { match_all: {} },
          field_value_factor: { field: 'price' },
          boost_mode: 'replace',
        },
      },
    }),
  ({ body }) => body.hits.hits[0]._id === '2',
);
await call(
  'search script_fields',
  () =>
    search({
      query: { ids: { values: ['1'] } },
      script_fields: { double: { script: "doc['price'].value * 2" } },
    }),
  ({ body }) => body.hits.hits[0].fields.double[0] === 160,
);
await call(
  'search collapse',
  () => search({ collapse: { field: 'brand' } }),
  ({ body }) => body.hits.hits.length === 3,
);
await call(
  'search terms',
  () =>
    search({
      size: 0,
      aggs: { brands: { terms: { field: 'brand' }, aggs: { price: { avg: { field: 'price' } } } } },
    }),
  ({ body }) => body.aggregations.brands.buckets[0].price.value === 100,
);
await call(
  'search date_histogram',
  () =>
    search({ size: 0, aggs: { months: { date_histogram: { field: 'added', calendar_interval: 'month' } } } }),
  ({ body }) => body.aggregations.months.buckets.length === 3,
);
await call(
  'search composite',
  () =>
    search({
      size: 0,
      aggs: { pages: { composite: { size: 2, sources: [{ brand: { terms: { field: 'brand' } } }] } } },
    }),
  ({ body }) => body.aggregations.pages.after_key.brand === 'Belm',
);
await call(
  'search suggest',
  () => search({ suggest: { did: { text: 'runing', term: { field: 'title' } } } }),
  ({ body }) => body.suggest.did[0].options[0].text === 'running',
);
await call(
  'search completion',
  () => search({ suggest: { c: { prefix: 'red', completion: { field: 'names' } } } }),
  ({ body }) => body.suggest.c[0].options.length === 2,
);
await call(
  'search search_after',
  () => search({ size: 2, sort: [{ price: 'asc' }], search_after: [15] }),
  ({ body }) => body.hits.hits[0]._id === '1',
);
await call(
  'msearch',
  () =>
    client.msearch({
      body: [{ index }, { query: { match_all: {} } }, { index }, { query: { term: { brand: 'Ardo' } } }],
    }),
  ({ body }) => body.responses[1].hits.total.value === 2,
);
await call(
  'helpers.scrollDocuments',
  async () => {
    let count = 0;
    for await (const document of client.helpers.scrollDocuments({
      index,
      size: 2,
      body: { query: { match_all: {} } },
    }))
      count += document ? 1 : 0;
    return count;
  },
  (count) => count === 6,
);
await call(
  'createPit, deletePit',
  async () => {
    const {
      body: { pit_id },
    } = await client.createPit({ index, keep_alive: '1m' });
    const found = await client.search({ body: { size: 2, pit: { id: pit_id }, sort: ['price'] } });
    const closed = await client.deletePit({ body: { pit_id: [pit_id] } });
    return [found.body.hits.total.value, closed.body.pits[0].successful];
  },
  ([hits, closed]) => hits === 6 && closed,
);
await call(
  'explain',
  () => client.explain({ index, id: '1', body: { query: { match: { title: 'red' } } } }),
  ({ body }) => body.matched,
);
await call(
  'fieldCaps',
  () => client.fieldCaps({ index, fields: '*' }),
  ({ body }) => body.fields.price.double.aggregatable,
);
await call(
  'termvectors',
  () => client.termvectors({ index, id: '1', fields: 'title' }),
  ({ body }) => 'red' in body.term_vectors.title.terms,
);
await call(
  'indices.analyze',
  () => client.indices.analyze({ index, body: { field: 'title', text: 'Two Words' } }),
  ({ body }) => body.tokens.length === 2,
);
await call(
  'indices.validateQuery',
  () => client.indices.validateQuery({ index, body: { query: { match_all: {} } } }),
  ({ body }) => body.valid,
);
await call(
  'updateByQuery',
  () =>
    client.updateByQuery({
      index,
      refresh: true,
      body: { query: { term: { brand: 'Belm' } }, script: { source: 'ctx._source.sale = true' } },
    }),
  ({ body }) => body.updated === 2,
);
await call(
  'reindex',
  () => client.reindex({ refresh: true, body: { source: { index }, dest: { index: 'copies' } } }),
  ({ body }) => body.created === 6,
);
await call(
  'deleteByQuery',
  () => client.deleteByQuery({ index: 'copies', body: { query: { range: { price: { lt: 50 } } } } }),
  ({ body }) => body.deleted === 2,
);
await call(
  'indices.putMapping',
  () => client.indices.putMapping({ index, body: { properties: { color: { type: 'keyword' } } } }),
  ({ body }) => body.acknowledged,
);
await call(
  'indices.getMapping',
  () => client.indices.getMapping({ index }),
  ({ body }) => body[index].mappings.properties.color.type === 'keyword',
);
await call(
  'indices.getSettings',
  () => client.indices.getSettings({ index }),
  ({ body }) => 'number_of_shards' in body[index].settings.index,
);
await call(
  'indices.putSettings',
  () => client.indices.putSettings({ index, body: { index: { refresh_interval: '5s' } } }),
  ({ body }) => body.acknowledged,
);
await call(
  'indices.updateAliases',
  () => client.indices.updateAliases({ body: { actions: [{ add: { index, alias: 'shop' } }] } }),
  ({ body }) => body.acknowledged,
);
await call(
  'indices.getAlias',
  () => client.indices.getAlias({ name: 'shop' }),
  ({ body }) => index in body,
);
await call(
  'indices.putIndexTemplate',
  () =>
    client.indices.putIndexTemplate({
      name: 'logs',
      body: {
        index_patterns: ['logs-*'],
        template: { mappings: { properties: { level: { type: 'keyword' } } } },
      },
    }),
  ({ body }) => body.acknowledged,
);
await call(
  'indices.getIndexTemplate',
  () => client.indices.getIndexTemplate({ name: 'logs' }),
  ({ body }) => body.index_templates.length === 1,
);
await call(
  'indices.stats',
  () => client.indices.stats({ index }),
  ({ body }) => body._all.primaries.docs.count > 0,
);
await call(
  'indices.refresh, flush, forcemerge',
  async () => [
    await client.indices.refresh({ index }),
    await client.indices.flush({ index }),
    await client.indices.forcemerge({ index }),
  ],
  (answers) => answers.every(({ statusCode }) => statusCode === 200),
);
await call(
  'cat.indices',
  () => client.cat.indices({ format: 'json' }),
  ({ body }) => body.some((row) => row.index === index),
);
await call(
  'cat.health',
  () => client.cat.health({ format: 'json' }),
  ({ body }) => body[0].status !== 'red',
);
await call(
  'cat.count',
  () => client.cat.count({ index, format: 'json' }),
  ({ body }) => body[0].count === '6',
);
await call(
  'cat.aliases',
  () => client.cat.aliases({ format: 'json' }),
  ({ body }) => body[0].alias === 'shop',
);
await call(
  'cluster.health',
  () => client.cluster.health(),
  ({ body }) => body.status !== 'red',
);
await call(
  'cluster.stats',
  () => client.cluster.stats(),
  ({ body }) => body.indices.count > 0,
);
await call(
  'nodes.info',
  () => client.nodes.info(),
  ({ body }) => Object.keys(body.nodes).length === 1,
);
await call(
  'tasks.list',
  () => client.tasks.list(),
  ({ body }) => 'nodes' in body,
);
await call(
  'putScript, searchTemplate',
  async () => {
    await client.putScript({
      id: 'by-brand',
      body: { script: { lang: 'mustache', source: { query: { term: { brand: '{{brand}}' } } } } },
    });
    return client.searchTemplate({ index, body: { id: 'by-brand', params: { brand: 'Ardo' } } });
  },
  (r) => total(r) === 2,
);
await call(
  'indices.delete',
  () => client.indices.delete({ index: 'copies' }),
  ({ body }) => body.acknowledged,
);
