// The rows of limits for documents in a cluster.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { type LimitName, limitsWith } from '../../src/limits.ts';
import { parseClusterAddress } from '../../src/proxy/client/address.ts';
import { PeerCluster } from '../../src/proxy/client/peer-cluster.ts';
import { type FakeNode, fakeNode, type Say } from '../fake-cluster.ts';
import type { Row, Rows } from './row.ts';

type Names =
  | 'clusterConnectMs'
  | 'clusterAnswerMs'
  | 'clusterAnswerBytes'
  | 'clusterAnswersBytes'
  | 'clusterSockets'
  | 'clusterWaiting'
  | 'clusterEventsWaiting'
  | 'clusterIntentMs';

const READ = { method: 'POST', path: '/a/_count', body: Buffer.from('{}'), repeatable: true };

async function over(
  t: TestContext,
  say: Say,
  limits: Partial<Record<LimitName, number>>,
): Promise<{ cluster: PeerCluster; node: FakeNode }> {
  const node = await fakeNode(say);
  const cluster = new PeerCluster(parseClusterAddress(node.url), limitsWith(limits));
  t.after(() => cluster.close());
  return { cluster, node };
}

/** A limit whose effect takes a cluster and records of its own to see: a test file that says it with a number. */
function shownIn(file: string, name: LimitName): Row {
  return async () => {
    const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8');
    assert.match(text, new RegExp(`\\b${name}: [\\d_]+`));
  };
}

export const CLUSTER_ROWS: Rows<Names> = {
  async clusterConnectMs(t) {
    const timers: (number | undefined)[] = [];
    const real = setTimeout;
    t.mock.method(globalThis, 'setTimeout', (call: () => void, ms?: number) => {
      timers.push(ms);
      return real(call, ms);
    });
    const { cluster } = await over(t, () => ({}), { clusterConnectMs: 54_321 });
    await cluster.request(READ);
    assert.ok(timers.includes(54_321), 'the time that a connection is given');
  },
  async clusterAnswerMs(t) {
    const { cluster } = await over(t, () => {}, { clusterAnswerMs: 50 });
    await assert.rejects(cluster.request(READ), { type: 'timeout_exception', status: 503 });
  },
  async clusterAnswerBytes(t) {
    const { cluster } = await over(t, () => ({ t: 'x'.repeat(100) }), { clusterAnswerBytes: 100 });
    await assert.rejects(cluster.request(READ), { type: 'content_too_long_exception', status: 400 });
  },
  async clusterAnswersBytes(t) {
    const { cluster } = await over(t, () => ({ t: 'x'.repeat(100) }), { clusterAnswersBytes: 100 });
    await assert.rejects(cluster.request(READ), { type: 'rejected_execution_exception', status: 429 });
  },
  async clusterSockets(t) {
    let open = 0;
    let most = 0;
    const { cluster } = await over(
      t,
      (_, response) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          response.end('{}');
        }, 20);
      },
      { clusterSockets: 2 },
    );
    await Promise.all(Array.from({ length: 6 }, () => cluster.request(READ)));
    assert.equal(most, 2);
  },
  async clusterWaiting(t) {
    const { cluster } = await over(t, () => ({}), { clusterWaiting: 2 });
    const asked = await Promise.allSettled(Array.from({ length: 3 }, () => cluster.request(READ)));
    assert.deepEqual(
      asked.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
  },
  clusterEventsWaiting: shownIn('cluster-events.test.ts', 'clusterEventsWaiting'),
  clusterIntentMs: shownIn('cluster-followed.test.ts', 'clusterIntentMs'),
};
