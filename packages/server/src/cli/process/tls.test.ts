// The server speaks HTTPS, also with renewed certificates, and closes as it does without TLS.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import type { Server, TLSSocket } from 'node:tls';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { createServer, listen } from '../../serve.ts';
import { readTls, watchTlsFiles } from './tls.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/tls');
const pem = (name: string): Buffer => readFileSync(join(fixtures, name));
const trusted = [pem('a.crt'), pem('b.crt')];

/** Status of a GET, and whose certificate was shown. */
function get(url: string, agent: Agent): Promise<{ status: number; subject: string }> {
  return new Promise((resolve, reject) => {
    request(url, { agent, ca: trusted }, (response) => {
      const subject = (response.socket as TLSSocket).getPeerCertificate().subject.CN as string;
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, subject }));
    })
      .on('error', reject)
      .end();
  });
}

/** What a transfer sent in clear is answered. */
function plainly(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST /api/transaction?from=a&to=b&money=1 HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    );
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

test('both surfaces over HTTPS; a renewed certificate is used without a restart, one that does not fit is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-tls-'));
  const engine = await open(join(folder, 'data'));
  const flags = { tlsCert: join(folder, 'crt'), tlsKey: join(folder, 'key') };
  let changes = 0;
  const put = (cert: string, key: string): void => {
    copyFileSync(join(fixtures, cert), flags.tlsCert);
    copyFileSync(join(fixtures, key), flags.tlsKey);
    const time = ++changes * 1_000;
    for (const file of [flags.tlsCert, flags.tlsKey]) utimesSync(file, time, time);
  };
  put('a.crt', 'a.key');
  const records = await openRecords(':memory:');
  const app = await createServer(engine, { tls: readTls(flags), records });
  const url = await listen(app, { port: 0 });
  assert.match(url, /^https:/);
  mock.timers.enable({ apis: ['setInterval'] });
  const told: string[] = [];
  const stop = watchTlsFiles(app.server as unknown as Server, flags, (line) => told.push(line));
  const kept = new Agent({ keepAlive: true });
  const fresh = new Agent({ maxCachedSessions: 0 });
  assert.deepEqual(await get(url, kept), { status: 200, subject: 'octavo-test-a' });
  assert.equal((await get(`${url}/api/health`, kept)).status, 200);
  assert.equal((await get(`${url}/none/_search`, kept)).status, 404);
  assert.doesNotMatch(await plainly(Number(new URL(url).port)), /account|HTTP\/1.1 20/);

  put('b.crt', 'a.key');
  mock.timers.tick(60_000);
  assert.match(told.at(-1)!, /cannot be used: .* do not match/);
  assert.equal((await get(url, fresh)).subject, 'octavo-test-a');
  put('b.crt', 'b.key');
  mock.timers.tick(60_000);
  assert.match(told.at(-1)!, /is in use/);
  assert.equal((await get(url, fresh)).subject, 'octavo-test-b');
  stop();
  mock.timers.reset();

  // A kept connection that asks nothing must not hold up the end.
  await app.close();
  await records.close();
  kept.destroy();
  await engine.close();
  rmSync(folder, { recursive: true });
});

test('files that are missing, half named or do not fit are told before anything starts', () => {
  const a = { tlsCert: join(fixtures, 'a.crt'), tlsKey: join(fixtures, 'a.key') };
  assert.equal(readTls({}), undefined);
  assert.ok(readTls(a));
  assert.throws(() => readTls({ tlsCert: a.tlsCert }), /must be given together/);
  assert.throws(() => readTls({ ...a, tlsKey: join(fixtures, 'b.key') }), /do not match/);
  assert.throws(
    () => readTls({ ...a, tlsKey: '/nowhere' }),
    /--tls-key \/nowhere cannot be read: it does not exist/,
  );
});
