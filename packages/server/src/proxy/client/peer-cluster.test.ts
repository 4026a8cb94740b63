// Requests over several nodes with dead, slow and broken ones. A write that may have arrived is never sent
// twice.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { fakeNode } from '../../../test/fake-cluster.ts';
import { limitsWith } from '../../limits.ts';
import { parseClusterAddress } from './address.ts';
import { ClusterNodes } from './nodes.ts';
import { PeerCluster } from './peer-cluster.ts';

function clusterOf(urls: readonly string[], limits: Parameters<typeof limitsWith>[0] = {}): PeerCluster {
  const cluster = new PeerCluster(parseClusterAddress(urls.join()), limitsWith(limits));
  after(() => cluster.close());
  return cluster;
}

/** Suspended nodes stay suspended, however long the test takes. */
const stopClock = (t: TestContext): void => void t.mock.method(Date, 'now', () => 1.8e12);

const read = { method: 'POST', path: '/a/_count', body: Buffer.from('{}'), repeatable: true };
const write = { ...read, path: '/a/_doc', repeatable: false };
const search = { ...read, path: '/a/_search?size=1' };

test('nodes take turns; one that failed rests for growing whiles, and answers end that', () => {
  let now = 0;
  const urls = ['http://a', 'http://b', 'http://c'].map((url) => new URL(url));
  const nodes = new ClusterNodes(urls, () => now);
  const hosts = (): string =>
    nodes
      .order()
      .map((node) => node.url.host)
      .join('');
  assert.deepEqual([hosts(), hosts(), hosts(), hosts()], ['abc', 'bca', 'cab', 'abc']);
  const bad = nodes.order()[0]!;
  const name = bad.url.host;
  nodes.markFailed(bad);
  for (let i = 0; i < 3; i++) assert.equal(hosts()[2], name);
  assert.equal(nodes.available, 2);
  now = 1_001;
  assert.equal(nodes.available, 3);
  nodes.markFailed(bad);
  now += 1_500;
  assert.equal(nodes.available, 2);
  now += 501;
  assert.equal(nodes.available, 3);
  for (let i = 0; i < 30; i++) nodes.markFailed(bad);
  now += 60_001;
  assert.equal(nodes.available, 3);
  nodes.markFailed(bad);
  nodes.markAnswered(bad);
  assert.equal(nodes.available, 3);
});

test('a node that refuses connections is passed over, for writes too: nobody has seen them', async (t) => {
  stopClock(t);
  const [dead, alive] = [await fakeNode(() => ({})), await fakeNode(() => ({ ok: 1 }))];
  await dead.stop();
  const cluster = clusterOf([dead.url, alive.url]);
  for (let i = 0; i < 4; i++) assert.equal((await cluster.request(write)).status, 200);
  assert.equal(alive.heard.length, 4);
  assert.equal(cluster.figures.retries, 1);
  assert.equal(cluster.figures.available, 1);
});

test('with no node there, the error says that nothing was done', async () => {
  const dead = await fakeNode(() => ({}));
  await dead.stop();
  const cluster = clusterOf([dead.url]);
  await assert.rejects(
    cluster.request(write),
    (error: { type?: string; status?: number; message: string }) => {
      assert.equal(error.type, 'no_node_available_exception');
      assert.equal(error.status, 503);
      assert.match(error.message, /the request was not performed/);
      return true;
    },
  );
});

test('a connection that is cut: a read goes to the next node, a write is not sent twice', async () => {
  const cut = await fakeNode((_, __, request) => void request.socket.destroy());
  const alive = await fakeNode(() => ({ ok: 1 }));
  const cluster = clusterOf([cut.url, alive.url]);
  assert.equal((await cluster.request(read)).status, 200);
  assert.deepEqual([cut.heard.length, alive.heard.length], [1, 1]);
  const other = clusterOf([cut.url, alive.url]);
  await assert.rejects(other.request(write), (error: { type?: string; message: string }) => {
    assert.equal(error.type, 'node_disconnected_exception');
    assert.match(error.message, /may or may not have been performed/);
    return true;
  });
  assert.equal(alive.heard.length, 1);
});

test('an answer that ends in the middle is none: a read is asked elsewhere', async () => {
  const half = await fakeNode((_, response) => {
    response.writeHead(200, { 'content-length': '1000', 'content-type': 'application/json' });
    response.write('{"half":');
    setTimeout(() => response.destroy(), 5);
  });
  const alive = await fakeNode(() => ({ whole: 1 }));
  const answer = await clusterOf([half.url, alive.url]).request(read);
  assert.equal(answer.body.toString(), '{"whole":1}');
});

test('what no node would say is no answer: a read is asked elsewhere, a write is not', async () => {
  const json = 'application/json';
  const said: [number, string, string][] = [
    [200, 'text/html', '<html>welcome</html>'],
    [200, json, '<html>welcome</html>'],
    [200, json, '{"took":1,'],
    [200, json, '{"took":1}'],
    [200, json, '{"hits":1}'],
    [200, json, '{"hits":{"hits":[1}'],
    [200, json, ''],
    [200, 'text/plain', 'ok'],
    [302, json, '{"hits":{}}'],
    [404, 'text/html', '<html>nothing here</html>'],
  ];
  const alive = await fakeNode(() => ({ hits: { hits: [] } }));
  for (const [status, type, text] of said) {
    const strange = await fakeNode(
      (_, response) =>
        void response.writeHead(status, { 'content-type': type, location: 'http://elsewhere/' }).end(text),
    );
    const wanted = { type: 'node_answer_exception', status: 502 };
    await assert.rejects(clusterOf([strange.url]).request(search), wanted, text);
    assert.equal((await clusterOf([strange.url, alive.url]).request(search)).status, 200);
    const before = alive.heard.length;
    if (type === 'text/html')
      await assert.rejects(
        clusterOf([strange.url, alive.url]).request(write),
        /may or may not have been performed/,
      );
    assert.equal(alive.heard.length, before);
  }
});

test('a node that hangs, or drips, is given up in time and set aside, and the next is not made to hang', async (t) => {
  stopClock(t);
  const hung = await fakeNode(() => {});
  const drip = await fakeNode((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 10);
    response.once('close', () => clearInterval(timer));
  });
  for (const slow of [hung, drip]) {
    const alive = await fakeNode(() => ({}));
    const cluster = clusterOf([slow.url, alive.url], { clusterAnswerMs: 1_000 });
    await assert.rejects(cluster.request(read), { type: 'timeout_exception', status: 503 });
    assert.equal(alive.heard.length, 0);
    for (let i = 0; i < 3; i++) assert.equal((await cluster.request(read)).status, 200);
    assert.equal(slow.heard.length, 1);
  }
});

test('429 comes back as it is and is not sent on; 503 of one node is another question for the next', async () => {
  const full = await fakeNode((_, response) => {
    response.writeHead(429, { 'retry-after': '7' });
    response.end();
  });
  const busy = await fakeNode((_, response) => void response.writeHead(503).end());
  const alive = await fakeNode(() => ({}));
  const answer = await clusterOf([full.url, alive.url]).request(read);
  assert.deepEqual([answer.status, answer.headers['retry-after']], [429, '7']);
  assert.equal((await clusterOf([busy.url, alive.url]).request(read)).status, 200);
  assert.equal((await clusterOf([busy.url, alive.url]).request(write)).status, 503);
  assert.equal((await clusterOf([busy.url]).request(read)).status, 503);
  assert.equal(alive.heard.length, 1);
});

test('no more requests wait than the limit says, and no answer is longer', async () => {
  const held: (() => void)[] = [];
  const slow = await fakeNode((_, response) => void held.push(() => void response.end('{}')));
  const cluster = clusterOf([slow.url], { clusterWaiting: 2 });
  const both = [cluster.request(read), cluster.request(read)];
  await assert.rejects(cluster.request(read), { type: 'rejected_execution_exception', status: 429 });
  while (held.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const end of held) end();
  assert.deepEqual(
    (await Promise.all(both)).map(({ status }) => status),
    [200, 200],
  );
  const long = await fakeNode(() => ({ text: 'x'.repeat(5_000) }));
  await assert.rejects(clusterOf([long.url], { clusterAnswerBytes: 1_000 }).request(read), { status: 400 });
});

test('all answers that are being taken have a bound as well, which is free again when they are gone', async () => {
  const parts: (() => void)[] = [];
  const long = await fakeNode((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.write(`{"text":"${'x'.repeat(3_000)}`);
    parts.push(() => response.end('"}'));
  });
  const cluster = clusterOf([long.url], { clusterAnswersBytes: 7_000 });
  const two = [cluster.request(read), cluster.request(read)];
  while (parts.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  // The data has arrived.
  await eventually(() => assert.ok(cluster.figures.bufferedBytes > 6_000));
  await assert.rejects(cluster.request(read), { type: 'rejected_execution_exception', status: 429 });
  assert.equal(cluster.figures.available, 1, 'which is no fault of the node');
  for (const end of parts) end();
  await Promise.all(two);
  for (let i = 0; i < 5; i++) {
    const again = cluster.request(read);
    while (parts.length < 4 + i) await new Promise((resolve) => setTimeout(resolve, 5));
    parts.at(-1)!();
    assert.equal((await again).status, 200);
  }
});

test('waiting for a connection is no fault of the node, but has an end', async () => {
  const slow = await fakeNode((_, response) => void setTimeout(() => response.end('{}'), 700));
  const cluster = clusterOf([slow.url], { clusterSockets: 1, clusterConnectMs: 600 });
  const both = await Promise.all([cluster.request(write), cluster.request(write)]);
  assert.deepEqual([both.length, cluster.figures.available], [2, 1]);
  const hung = await fakeNode(() => {});
  const full = clusterOf([hung.url], { clusterSockets: 1, clusterAnswerMs: 80 });
  const [first, second] = [full.request(write), full.request(write)];
  await Promise.all([
    assert.rejects(first, { type: 'timeout_exception' }),
    assert.rejects(second, (error: { type: string }) => /timeout|rejected/.test(error.type)),
  ]);
});

test('a caller that goes away ends the request at the node', async () => {
  let closed = 0;
  const slow = await fakeNode((_, response) => void response.once('close', () => closed++));
  const controller = new AbortController();
  const asked = clusterOf([slow.url]).request({ ...read, signal: controller.signal });
  while (slow.heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  await assert.rejects(asked, { type: 'node_disconnected_exception' });
  while (closed === 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('over TLS the authority that is named is trusted, and no other', async () => {
  const pem = (name: string): Buffer =>
    readFileSync(join(import.meta.dirname, '../../../test/fixtures/tls', name));
  const server = createServer({ cert: pem('a.crt'), key: pem('a.key') }, (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const known = new PeerCluster(
    parseClusterAddress(url, { user: 'u', password: 'p' }, pem('a.crt')),
    limitsWith(),
  );
  const unknown = new PeerCluster(
    parseClusterAddress(url, { user: 'u', password: 'p' }, pem('b.crt')),
    limitsWith(),
  );
  after(() => {
    known.close();
    unknown.close();
  });
  assert.equal((await known.request(read)).status, 200);
  // Not even the password has been sent.
  await assert.rejects(unknown.request(write), { type: 'no_node_available_exception' });
});

test('addresses: one list, one user, one protocol; errors hold no password', () => {
  const one = parseClusterAddress('https://a:9200, https://b/base/', { apiKey: 'id:key' });
  assert.deepEqual(
    one.nodes.map((node) => node.href),
    ['https://a:9200/', 'https://b/base/'],
  );
  assert.equal(one.authorization, `ApiKey ${Buffer.from('id:key').toString('base64')}`);
  const inside = parseClusterAddress('http://u%40x:p%3A@a:1,http://b:2');
  assert.equal(inside.authorization, `Basic ${Buffer.from('u@x:p:').toString('base64')}`);
  assert.equal(inside.nodes[0]!.href, 'http://a:1/');
  const twice = parseClusterAddress('http://A:9200,http://a:9200/,http://b:80,http://b');
  assert.deepEqual(
    twice.nodes.map((node) => node.href),
    ['http://a:9200/', 'http://b/'],
  );
  for (const list of ['', ',', 'a:9200', 'ftp://a', 'http://a,https://b', 'http://u:secret@a/?q=1']) {
    assert.throws(
      () => parseClusterAddress(list),
      (error: Error) => error instanceof RangeError && !error.message.includes('secret'),
    );
  }
  assert.throws(() => parseClusterAddress('http://u:p@a', { user: 'x' }), RangeError);
  assert.throws(() => parseClusterAddress('http://a', { user: 'x', apiKey: 'k' }), RangeError);
});
