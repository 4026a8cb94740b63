// What the clients of Elasticsearch ask about licences and features.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

test(
  'elasticsearch mode has a basic licence and no feature of X-Pack',
  onlyEmbedded('its own names'),
  async () => {
    const { ask } = await server({ compat: 'elasticsearch' });
    const { license } = (await ask('GET /_license')).body;
    assert.equal(license.status, 'active');
    assert.equal(license.type, 'basic');
    const { cluster_uuid } = (await ask('GET /')).body;
    assert.equal(license.uid, cluster_uuid);

    const info = (await ask('GET /_xpack')).body;
    assert.deepEqual(info.license, { uid: cluster_uuid, type: 'basic', mode: 'basic', status: 'active' });
    assert.deepEqual(info.features.security, { available: false, enabled: false });
    assert.deepEqual(Object.keys((await ask('GET /_xpack?categories=features')).body), [
      'features',
      'tagline',
    ]);
    const unknown = await ask('GET /_xpack?categories=nothing');
    assert.equal(unknown.status, 400);

    const usage = (await ask('GET /_xpack/usage')).body;
    assert.deepEqual(usage.ml, { available: false, enabled: false });
  },
);

test('an OpenSearch has neither', async () => {
  const { ask } = await server({ compat: 'opensearch' });
  for (const path of ['_license', '_xpack']) {
    const { status, body } = await ask(`GET /${path}`);
    assert.equal(status, 400);
    assert.equal(body.error.reason, `Invalid index name [${path}], must not start with '_'.`);
  }
  const usage = await ask('GET /_xpack/usage');
  assert.equal(usage.status, 400);
  assert.match(usage.text, /no handler found for uri \[\/_xpack\/usage\] and method \[GET\]/);
});

test('_cat/count takes POST, as clients of Elasticsearch 9 send it', async () => {
  const { ask } = await server({ compat: 'elasticsearch' });
  await ask('PUT /a/_doc/1?refresh', {});
  assert.equal((await ask('POST /_cat/count/a?h=count')).text.trim(), '1');
  assert.equal((await ask('POST /_cat/count?h=count', { query: { match_none: {} } })).status, 400);
});
