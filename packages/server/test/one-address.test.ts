// A request is for one host and one path, and every rule sees the same ones, whichever carrier takes it: escapes that mean nothing,
// two hosts, and pages of other sites.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { createServer, listen } from '../src/serve.ts';
import { ownEngine } from './own-engine.ts';

const { engine, end } = await ownEngine();
after(end);

/** Sends bytes and gives the whole reply. */
function talk(url: URL, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = '';
    socket.on('data', (data) => (text += data));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.write(request);
    // The reply has left by then, or the connection is closed earlier.
    socket.setTimeout(300, () => socket.destroy());
  });
}

/** The same request over a lane, and over node:http, to which a TE header leads. */
const CARRIERS = { lane: '', 'node:http': 'te: trailers\r\n' };

async function serving(options: Parameters<typeof createServer>[1] = {}): Promise<URL> {
  const app = await createServer(engine, options);
  after(() => app.close());
  return new URL(await listen(app, { port: 0 }));
}

for (const [carrier, header] of Object.entries(CARRIERS)) {
  test(`over ${carrier}: rules see the path that routes see`, async () => {
    const url = await serving({ rate: { quota: 100, windowSeconds: 100_000 } });
    const ask = async (line: string, more = ''): Promise<string> =>
      await talk(url, `${line} HTTP/1.1\r\nhost: localhost\r\n${header}${more}\r\n`);
    // A heavy request costs ten, however it is spelled.
    const left = async (path: string): Promise<number> =>
      Number(/\r\nratelimit: .*r=(\d+)/i.exec(await ask(`GET ${path}`))?.[1]);
    const first = await left('/%5f%6Dget');
    assert.equal(first - (await left('/_mget')), 10);
    assert.equal(first - 20, await left('/_%6dget'));
    // `/%61pi` is `/api`, and what is escaped for a reason stays escaped.
    assert.match(await ask('GET /%61p%69/health'), /^HTTP\/1\.1 200 .*"status":"live"/s);
    assert.match(await ask('GET /%2561pi/health'), /^HTTP\/1\.1 \d+ (?!.*"live")/s);
    assert.match(await ask('GET /a%2Fpi/_count'), /^HTTP\/1\.1 4\d\d /);
  });

  test(`over ${carrier}: two hosts are refused`, async () => {
    const url = await serving();
    for (const path of ['/', '/api/health', '/_search']) {
      const reply = await talk(
        url,
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${header}host: localhost\r\n\r\n`,
      );
      assert.match(reply, /^HTTP\/1\.1 400 .*more than one Host header/s, path);
    }
  });

  test(`over ${carrier}: without keys, pages of other sites get nothing`, async () => {
    const url = await serving();
    for (const path of ['/_cat/indices', '/api/limits']) {
      for (const [site, status] of [
        ['cross-site', 403],
        ['same-origin', 200],
        ['none', 200],
        ['same-site', 200],
      ] as const) {
        const reply = await talk(
          url,
          `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${header}sec-fetch-site: ${site}\r\n\r\n`,
        );
        assert.match(reply, new RegExp(`^HTTP/1\\.1 ${status} `), `${path} ${site}: ${reply}`);
      }
    }
    const keyed = await serving({ keyless: () => false });
    const reply = await talk(
      keyed,
      `GET / HTTP/1.1\r\nhost: localhost\r\n${header}sec-fetch-site: cross-site\r\n\r\n`,
    );
    assert.match(reply, /^HTTP\/1\.1 200 /);
  });
}
