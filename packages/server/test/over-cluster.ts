// The same tests over a cluster: OCTAVO_TEST_DOCUMENTS is the address of an OpenSearch of its own, or
// `octavo` for an Octavo that plays one. `onlyEmbedded` skips what only the embedded store has.

import { after } from 'node:test';
import type { Engine } from '@octavo/engine';
import { openRecords, type Records, recordFollower } from '@octavo/records';
import { parseClusterAddress } from '../src/proxy/client/address.ts';
import type { PeerCluster } from '../src/proxy/client/peer-cluster.ts';
import { createServer, openCluster } from '../src/serve.ts';

/** Where the documents of tests are; undefined for the embedded store. */
export const TEST_DOCUMENTS: string | undefined = process.env['OCTAVO_TEST_DOCUMENTS'];

/** `{skip}` for a test of what a cluster does not have: says why. */
export function onlyEmbedded(why: string): { skip: string | false } {
  return { skip: TEST_DOCUMENTS !== undefined && `on a cluster: ${why}` };
}

/**
 * Records of somebody who follows events of documents, for servers over a cluster that have none of their own: where
 * OCTAVO_TEST_FOLLOWED is set, each write is noted before it is sent, and nobody should see a difference.
 */
export async function followedRecords(): Promise<Records | undefined> {
  if (process.env['OCTAVO_TEST_FOLLOWED'] === undefined) return undefined;
  const records = await openRecords(':memory:');
  await records.write(recordFollower, {});
  after(() => records.close());
  return records;
}

let isEmptied = false;

/**
 * The cluster that tests run over, emptied for the first server of a file; an Octavo plays it with the engine
 * that the test has.
 */
export async function testCluster(engine: Engine): Promise<PeerCluster | undefined> {
  if (TEST_DOCUMENTS === undefined) return undefined;
  if (TEST_DOCUMENTS !== 'octavo') {
    if (!isEmptied) await emptied(TEST_DOCUMENTS);
    isEmptied = true;
    return await openCluster(parseClusterAddress(TEST_DOCUMENTS));
  }
  const inner = await createServer(engine, { logLevel: 'silent' });
  const url = await inner.listen({ port: 0, host: '127.0.0.1' });
  after(() => inner.close());
  return await openCluster(parseClusterAddress(url));
}

async function emptied(url: string): Promise<void> {
  for (const path of [
    '*?expand_wildcards=all',
    '_index_template/*',
    '_template/*',
    '_search/point_in_time/_all',
  ]) {
    await fetch(`${url}/${path}`, { method: 'DELETE' });
  }
  const body = JSON.stringify({ persistent: { '*': null }, transient: { '*': null } });
  await fetch(`${url}/_cluster/settings`, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json' },
  });
}

/** True for what changes documents, and does not ask for its own refresh. */
export function isWrite(method: string, url: string): boolean {
  const reads = /_(search|count|mget|msearch|refresh|pit|validate|explain|field_caps|analyze)\b/;
  return (
    method !== 'GET' &&
    method !== 'HEAD' &&
    !url.startsWith('/api') &&
    !reads.test(url) &&
    !/refresh=/.test(url)
  );
}

/** Makes a cluster show what was written. */
export async function refreshed(cluster: PeerCluster): Promise<void> {
  await cluster.request({ method: 'POST', path: '/_refresh', repeatable: true });
}
