// Everyday calls of elasticsearch-js.

import { Client } from '@elastic/elasticsearch';
import { call, mappings, products, url } from './calls.js';

const client = new Client({ node: url });
const index = 'products';
const search = (params) => client.search({ index, ...params });
const total = ({ hits }) => hits.total.value;

await call(
  'info',
  () => client.info(),
  ({ version }) => version.number !== undefined,
);
await call(
  'ping',
  () => client.ping(),
  (answer) => answer === true,
);
await call(
  'indices.create',
  () => client.indices.create({ index, mappings }),
  ({ acknowledged }) => acknowledged,
);
await call(
  'indices.exists',
  () => client.indices.exists({ index }),
  (answer) => answer === true,
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
    client.index({
      index,
      id: '7',
      document: { title: 'Green hat', brand: 'Corin', price: 20 },
      refresh: true,
    }),
  ({ result }) => result === 'created',
);
await call(
  'create twice',
  () =>
    client.create({ index, id: '7', document: {} }).then(
      () => 0,
      (error) => error.statusCode,
    ),
  (status) => status === 409,
);
await call(
  'get',
  () => client.get({ index, id: '7' }),
  ({ _source }) => _source.title === 'Green hat',
);
await call(
  'getSource',
  () => client.getSource({ index, id: '7' }),
  ({ price }) => price === 20,
);
await call(
  'exists',
  () => client.exists({ index, id: '9' }),
  (answer) => answer === false,
);
await call(
  'mget',
  () => client.mget({ index, ids: ['1', '9'] }),
  ({ docs }) => docs[0].found && !docs[1].found,
);
await call(
  'update',
  () => client.update({ index, id: '7', doc: { price: 21 } }),
  ({ result }) => result === 'updated',
);
await call(
  'update with script',
  () =>
    client.update({
      index,
      id: '7',
      refresh: true,
      script: { source: 'ctx._source.price += params.more', params: { more: 4 } },
    }),
  ({ result }) => result === 'updated',
);
await call(
  'delete',
  () => client.delete({ index, id: '7', refresh: true }),
  ({ result }) => result === 'deleted',
);
await call(
  'count',
  () => client.count({ index }),
  ({ count }) => count === 6,
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
  ({ hits }) => hits.hits.length === 3 && hits.hits[0].inner_hits.reviews.hits.hits.length === 1,
);
await call(
  'search highlight',
  () => search({ query: { match: { title: 'socks' } }, highlight: { fields: { title: {} } } }),
  ({ hits }) => hits.hits.every(({ highlight }) => highlight.title[0].includes('<em>')),
);
await call(
  'search script_score',
  () =>
    search({
      query: { script_score: { query: { match_all: {} }, script: { source: "doc['price'].value" } } },
    }),
  ({ hits }) => hits.hits[0]._id === '2',
);
await call(
  'search fields',
  () => search({ query: { ids: { values: ['1'] } }, fields: ['added', 'title.*'], _source: false }),
  ({ hits }) => hits.hits[0].fields['title.raw'][0] === 'Red running shoes',
);
await call(
  'search terms',
  () =>
    search({
      size: 0,
      aggs: { brands: { terms: { field: 'brand' }, aggs: { price: { avg: { field: 'price' } } } } },
    }),
  ({ aggregations }) => aggregations.brands.buckets[0].price.value === 100,
);
await call(
  'search date_histogram',
  () =>
    search({ size: 0, aggs: { months: { date_histogram: { field: 'added', calendar_interval: 'month' } } } }),
  ({ aggregations }) => aggregations.months.buckets.length === 3,
);
await call(
  'search percentiles, top_hits',
  () =>
    search({
      size: 0,
      aggs: {
        p: { percentiles: { field: 'price' } },
        top: { top_hits: { size: 1, sort: [{ price: 'desc' }] } },
      },
    }),
  ({ aggregations }) => aggregations.top.hits.hits[0]._id === '2' && '50.0' in aggregations.p.values,
);
await call(
  'search suggest',
  () => search({ suggest: { did: { text: 'runing', term: { field: 'title' } } } }),
  ({ suggest }) => suggest.did[0].options[0].text === 'running',
);
await call(
  'msearch',
  () =>
    client.msearch({
      searches: [{ index }, { query: { match_all: {} } }, { index }, { query: { term: { brand: 'Ardo' } } }],
    }),
  ({ responses }) => responses[1].hits.total.value === 2,
);
await call(
  'helpers.msearch',
  async () => {
    const helper = client.helpers.msearch();
    const { documents } = await helper.search({ index }, { query: { term: { brand: 'Belm' } } });
    helper.stop();
    return documents;
  },
  (documents) => documents.length === 2,
);
await call(
  'helpers.scrollDocuments',
  async () => {
    let count = 0;
    for await (const document of client.helpers.scrollDocuments({ index, size: 2, query: { match_all: {} } }))
      count += document ? 1 : 0;
    return count;
  },
  (count) => count === 6,
);
await call(
  'openPointInTime, closePointInTime',
  async () => {
    const { id } = await client.openPointInTime({ index, keep_alive: '1m' });
    const found = await client.search({ size: 2, pit: { id }, sort: ['price'] });
    const next = await client.search({
      size: 2,
      pit: { id: found.pit_id },
      sort: ['price'],
      search_after: found.hits.hits[1].sort,
    });
    const closed = await client.closePointInTime({ id: next.pit_id });
    return [next.hits.hits.length, closed.succeeded];
  },
  ([hits, closed]) => hits === 2 && closed,
);
await call(
  'explain',
  () => client.explain({ index, id: '1', query: { match: { title: 'red' } } }),
  ({ matched }) => matched,
);
await call(
  'fieldCaps',
  () => client.fieldCaps({ index, fields: '*' }),
  ({ fields }) => fields.price.double.aggregatable,
);
await call(
  'termsEnum',
  () => client.termsEnum({ index, field: 'brand', string: 'A' }),
  ({ terms }) => terms[0] === 'Ardo',
);
await call(
  'termvectors',
  () => client.termvectors({ index, id: '1', fields: ['title'] }),
  ({ term_vectors }) => 'red' in term_vectors.title.terms,
);
await call(
  'rankEval',
  () =>
    client.rankEval({
      index,
      requests: [
        {
          id: 'a',
          request: { query: { match: { title: 'red' } } },
          ratings: [{ _index: index, _id: '1', rating: 1 }],
        },
      ],
      metric: { precision: { k: 1 } },
    }),
  ({ metric_score }) => typeof metric_score === 'number',
);
await call(
  'indices.analyze',
  () => client.indices.analyze({ index, field: 'title', text: 'Two Words' }),
  ({ tokens }) => tokens.length === 2,
);
await call(
  'updateByQuery',
  () =>
    client.updateByQuery({
      index,
      refresh: true,
      query: { term: { brand: 'Belm' } },
      script: { source: 'ctx._source.sale = true' },
    }),
  ({ updated }) => updated === 2,
);
await call(
  'reindex',
  () => client.reindex({ refresh: true, source: { index }, dest: { index: 'copies' } }),
  ({ created }) => created === 6,
);
await call(
  'deleteByQuery',
  () => client.deleteByQuery({ index: 'copies', query: { range: { price: { lt: 50 } } } }),
  ({ deleted }) => deleted === 2,
);
await call(
  'indices.putMapping',
  () => client.indices.putMapping({ index, properties: { color: { type: 'keyword' } } }),
  ({ acknowledged }) => acknowledged,
);
await call(
  'indices.getMapping',
  () => client.indices.getMapping({ index }),
  (answer) => answer[index].mappings.properties.color.type === 'keyword',
);
await call(
  'indices.getSettings',
  () => client.indices.getSettings({ index }),
  (answer) => 'number_of_shards' in answer[index].settings.index,
);
await call(
  'indices.putSettings',
  () => client.indices.putSettings({ index, settings: { index: { refresh_interval: '5s' } } }),
  ({ acknowledged }) => acknowledged,
);
await call(
  'indices.updateAliases',
  () => client.indices.updateAliases({ actions: [{ add: { index, alias: 'shop' } }] }),
  ({ acknowledged }) => acknowledged,
);
await call(
  'indices.getAlias',
  () => client.indices.getAlias({ name: 'shop' }),
  (answer) => index in answer,
);
await call(
  'indices.putIndexTemplate',
  () =>
    client.indices.putIndexTemplate({
      name: 'logs',
      index_patterns: ['logs-*'],
      template: { mappings: { properties: { level: { type: 'keyword' } } } },
    }),
  ({ acknowledged }) => acknowledged,
);
await call(
  'indices.getIndexTemplate',
  () => client.indices.getIndexTemplate({ name: 'logs' }),
  ({ index_templates }) => index_templates.length === 1,
);
await call(
  'indices.stats',
  () => client.indices.stats({ index }),
  ({ _all }) => _all.primaries.docs.count > 0,
);
await call(
  'cat.indices',
  () => client.cat.indices({ format: 'json' }),
  (rows) => rows.some((row) => row.index === index),
);
await call(
  'cat.health',
  () => client.cat.health({ format: 'json' }),
  (rows) => rows[0].status !== 'red',
);
await call(
  'cluster.health',
  () => client.cluster.health(),
  ({ status }) => status !== 'red',
);
await call(
  'cluster.stats',
  () => client.cluster.stats(),
  ({ indices }) => indices.count > 0,
);
await call(
  'nodes.info',
  () => client.nodes.info(),
  ({ nodes }) => Object.keys(nodes).length === 1,
);
await call(
  'license.get',
  () => client.license.get(),
  ({ license }) => license.status === 'active',
);
await call(
  'xpack.info',
  () => client.xpack.info(),
  ({ features }) => features !== undefined,
);
await call(
  'putScript, searchTemplate',
  async () => {
    await client.putScript({
      id: 'by-brand',
      script: { lang: 'mustache', source: '{"query":{"term":{"brand":"{{brand}}"}}}' },
    });
    return client.searchTemplate({ index, id: 'by-brand', params: { brand: 'Ardo' } });
  },
  (r) => total(r) === 2,
);
await call(
  'indices.delete',
  () => client.indices.delete({ index: 'copies' }),
  ({ acknowledged }) => acknowledged,
);
