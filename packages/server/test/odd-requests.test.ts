// Requests without sense that the peer refuses, and that this server once accepted.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();
const { skip } = onlyEmbedded('the cluster answers');

const refused = async (line: string, body: unknown, reason: RegExp, status = 400): Promise<void> => {
  const answer = await ask(line, body);
  assert.equal(answer.status, status, `${line} ${JSON.stringify(body)}: ${answer.text}`);
  assert.match(answer.body.error.reason, reason, line);
};

before(async () => {
  await ask('PUT /odd/_doc/1?refresh=true', { n: 1 });
});

test('an alias whose filter is no query is not made, nor a template with one', { skip }, async () => {
  const filter = { foo: {} };
  const reason = /failed to parse filter for alias \[al\]/;
  await refused('PUT /odd2', { aliases: { al: { filter } } }, reason);
  await refused('PUT /odd/_alias/al', { filter }, reason);
  await refused('POST /_aliases', { actions: [{ add: { index: 'odd', alias: 'al', filter } }] }, reason);
  const template = { index_patterns: ['odd-*'], template: { aliases: { al: { filter } } } };
  await refused('PUT /_index_template/odd', template, reason);
  assert.equal((await ask('HEAD /odd2')).status, 404);
  assert.equal((await ask('HEAD /_alias/al')).status, 404);
  assert.equal((await ask('PUT /odd/_alias/good', { filter: { term: { n: 1 } } })).status, 200);
  // Every search of it would be refused: values are looked up for the queries of a search alone.
  const lookup = { terms: { n: { index: 'odd', id: '1', path: 'n' } } };
  await refused('PUT /odd/_alias/al', { filter: lookup }, reason);
});

test('a template of which no index can be made is refused', { skip }, async () => {
  const mappings = { properties: { a: { type: 'nonsense' } } };
  const patterns = { index_patterns: ['odd-*'] };
  await refused(
    'PUT /_index_template/odd',
    { ...patterns, template: { mappings } },
    /composable template \[odd\] template after composition is invalid/,
  );
  await refused('PUT /_template/odd', { ...patterns, mappings }, /failed to parse mapping of template/);
  // A field of one part with an analyzer of another.
  const analyzed = { properties: { t: { type: 'text', analyzer: 'own' } } };
  const settings = { analysis: { analyzer: { own: { type: 'custom', tokenizer: 'keyword' } } } };
  assert.equal((await ask('PUT /_component_template/odd-a', { template: { settings } })).status, 200);
  await refused(
    'PUT /_index_template/odd',
    { ...patterns, template: { mappings: analyzed } },
    /after composition is invalid/,
  );
  const whole = { ...patterns, template: { mappings: analyzed }, composed_of: ['odd-a'] };
  assert.equal((await ask('PUT /_index_template/odd', whole)).status, 200);
  assert.equal((await ask('PUT /odd-1/_doc/1', { t: 'x' })).status, 201);
});

test('walks that write: sizes, slices and rates that are none', { skip }, async () => {
  const body = { query: { term: { n: -1 } } };
  for (const path of ['/odd/_delete_by_query', '/odd/_update_by_query']) {
    await refused(`POST ${path}?scroll_size=0`, body, /\[size\] cannot be \[0\] in a scroll context/);
    await refused(`POST ${path}?scroll_size=-5`, body, /\[size\] parameter cannot be negative, found \[-5\]/);
    for (const slices of ['0', '-1', 'x'])
      await refused(`POST ${path}?slices=${slices}`, body, /\[slices\] must be a positive integer/);
    for (const rate of ['0', '-2'])
      await refused(
        `POST ${path}?requests_per_second=${rate}`,
        body,
        /\[requests_per_second\] must be a float/,
      );
    for (const good of ['slices=auto', 'slices=3', 'requests_per_second=-1', 'scroll_size=1'])
      assert.equal((await ask(`POST ${path}?${good}`, body)).status, 200, good);
  }
});

test('a document is fetched in the version that was asked for, or not at all', { skip }, async () => {
  const { body } = await ask('POST /odd/_mget', {
    docs: [
      { _id: '1', version: 1 },
      { _id: '1', version: 7 },
      { _id: 'none', version: 7 },
    ],
  });
  const [right, wrong, none] = body.docs;
  assert.equal(right.found, true);
  assert.equal(wrong.error.type, 'version_conflict_engine_exception');
  assert.equal(none.found, false);
});

test('external versions have two names; searches at once are one at least', { skip }, async () => {
  assert.equal((await ask('PUT /odd/_doc/v?version=5&version_type=external_gt', {})).status, 201);
  await refused('PUT /odd/_doc/v?version=5&version_type=external_gt', {}, /version conflict/, 409);
  await refused('POST /_msearch?max_concurrent_searches=0', '{}\n{}\n', /must be positive/);
});

test('a range has a relation that there is', { skip }, async () => {
  const search = (relation: string) => ({ query: { range: { n: { gte: 1, relation } } } });
  await refused('POST /odd/_search', search('foo'), /^foo is not a valid relation/);
  await refused('POST /odd/_search', search('disjoint'), /does not support relation \[disjoint\]/);
  assert.equal((await ask('POST /odd/_search', search('Within'))).body.hits.total.value, 1);
});
