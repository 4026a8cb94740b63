// Changes by query that are refused change nothing. The status of a reply is the highest of its failures, as
// with the peer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, type WriteOp } from '@octavo/engine';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask, engine } = await server();

const refusals = [
  ['version_conflict_engine_exception', 409],
  ['cluster_block_exception', 507],
] as const;

for (const [type, status] of refusals)
  test(`a change by query that meets a ${type}`, onlyEmbedded('its engine is asked to refuse'), async (t) => {
    await ask(`PUT /${status}/_doc/1`, { a: 1 });
    t.mock.method(engine, 'write', async (ops: readonly WriteOp[]) =>
      ops.map(({ index, id = '' }) => ({
        ...{ index, id, type: '_doc', result: 'error', version: -1, seqNo: -2, source: undefined },
        error: new EngineError(type, 'refused', { status }),
      })),
    );
    const reply = await ask(`POST /${status}/_delete_by_query`, { query: { match_all: {} } });
    assert.equal(reply.status, status);
    assert.equal(reply.body.failures[0].status, status);
  });

const notQueries = [null, 1, 'x', true, [], [{ match_all: {} }]];

for (const endpoint of ['_delete_by_query', '_update_by_query'])
  for (const query of notQueries)
    test(`${endpoint} with the query ${JSON.stringify(query)}: nothing is changed`, async () => {
      await ask('PUT /kept/_doc/1?refresh=true', { a: 1 });
      const before = (await ask('GET /kept/_doc/1')).body;
      const reply = await ask(`POST /kept/${endpoint}`, { query });
      assert.equal(reply.status, 400, reply.text);
      assert.equal(reply.body.error.type, 'parsing_exception');
      assert.match(reply.body.error.reason, /\[query\]/);
      assert.deepEqual((await ask('GET /kept/_doc/1')).body, before);
    });
