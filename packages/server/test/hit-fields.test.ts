// What hits show beside their source: `fields`, `docvalue_fields`, and the value of a collapse. The expected values are
// those of OpenSearch 3.1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();
await ask('PUT /a', {
  settings: { analysis: { normalizer: { lower: { type: 'custom', filter: ['lowercase'] } } } },
  mappings: {
    properties: {
      n: { type: 'long' },
      sf: { type: 'scaled_float', scaling_factor: 10 },
      low: { type: 'keyword', normalizer: 'lower' },
      kn: { type: 'keyword', null_value: 'NULL' },
      nn: { type: 'long', null_value: 7 },
      dn: { type: 'date', null_value: '2020-01-01' },
      bn: { type: 'boolean', null_value: true },
      short: { type: 'keyword', ignore_above: 3 },
      hf: { type: 'half_float' },
      f: { type: 'float' },
      ip: { type: 'ip', null_value: '1.1.1.1' },
      by: { type: 'byte' },
      ul: { type: 'unsigned_long' },
      off: { type: 'object', enabled: false },
      al: { type: 'alias', path: 'kn' },
      t: { type: 'text', fields: { low: { type: 'keyword', normalizer: 'lower' } } },
    },
  },
});
await ask('PUT /a/_doc/1?refresh=true', {
  ...{ n: 1, sf: 1.26, low: 'ABC', kn: null, nn: null, dn: null, bn: null, short: 'toolong', hf: 0.1 },
  ...{ f: 0.1, ip: null, by: '3', ul: '12', off: { z: 1 }, t: 'Foo Bar' },
});
await ask('PUT /a/_doc/2?refresh=true', {
  ...{ n: [3, 1, 2, 1], sf: ['3.14159', 2], low: ['X', 'y'], kn: ['a', null, 'b'], nn: [null, 2] },
  ...{ dn: ['2021-01-01', null], short: ['ab', 'toolong'], f: '1e3', ip: ['10.0.0.1', '::1'], by: 2.9 },
});
await ask('PUT /a/_doc/3?refresh=true', { n: [], kn: [], low: null });

const DATE = '2020-01-01T00:00:00.000Z';

async function shown(path: string, body: object): Promise<object[]> {
  const reply = await ask(`POST /a/_search?${path}`, { _source: false, sort: ['n'], ...body });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.hits.hits.map((hit: { fields?: object }) => hit.fields ?? {});
}

test('fields show values as the mapping indexes them, in the order of the source', async () => {
  const [one, two, three] = await shown('', { fields: ['*'] });
  assert.deepEqual(one, {
    ...{ n: [1], sf: [1.3], low: ['abc'], kn: ['NULL'], nn: [7], dn: [DATE], bn: [true], hf: [0.1] },
    ...{ f: [0.1], ip: ['1.1.1.1'], by: [3], ul: [12], al: ['NULL'], t: ['Foo Bar'], 't.low': ['foo bar'] },
  });
  assert.deepEqual(two, {
    ...{ n: [3, 1, 2, 1], sf: [3.1, 2], low: ['x', 'y'], kn: ['a', 'NULL', 'b'], nn: [7, 2] },
    ...{ dn: ['2021-01-01T00:00:00.000Z', DATE], short: ['ab'], f: [1000], ip: ['10.0.0.1', '::1'], by: [2] },
    ...{ al: ['a', 'NULL', 'b'] },
  });
  assert.deepEqual(three, {});
});

test('fields take a format, and none of an object', async () => {
  const fields = [{ field: 'dn', format: 'epoch_millis' }, 'off', 'nope'];
  assert.deepEqual((await shown('', { fields }))[1], { dn: ['1609459200000', '1577836800000'] });
});

test('docvalue_fields of the parameter continue those of the body', async () => {
  const [one, two] = await shown('docvalue_fields=low,n', { docvalue_fields: ['n'] });
  assert.deepEqual(one, { n: [1, 1], low: ['abc'] });
  assert.deepEqual(two, { n: [1, 1, 2, 3, 1, 1, 2, 3], low: ['x', 'y'] });
});

test('sort of the parameter continues that of the body', async () => {
  const reply = await ask('POST /a/_search?sort=n:desc', { sort: [{ by: 'desc' }] });
  const sorts = reply.body.hits.hits.map((hit: { sort: unknown[] }) => hit.sort.slice(0, 2));
  assert.deepEqual(sorts.slice(0, 2), [
    [3, 1],
    [2, 3],
  ]);
});

test('a collapse shows the value of each group, and nothing where there is none', async () => {
  assert.deepEqual(await shown('', { collapse: { field: 'by' } }), [{ by: [3] }, { by: [2] }, {}]);
  const refused = await ask('POST /a/_search', { collapse: { field: 'sf' } });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.root_cause[0].reason, /^unknown type for collapse field `sf`/);
});

test('inner hits score by the query only', async () => {
  const collapse = { field: 'by', inner_hits: { name: 'x', _source: false } };
  const score = async (query: object): Promise<unknown> => {
    const { hits } = (await ask('POST /a/_search', { collapse, ...query })).body.hits;
    return hits[0].inner_hits.x.hits.max_score;
  };
  assert.equal(await score({}), 0);
  assert.equal(await score({ query: { exists: { field: 'by', boost: 3 } } }), 3);
});
