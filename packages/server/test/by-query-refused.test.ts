// What is told of a change by query that was refused? The status of the worst that happened to a document, as the peer has it.

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
