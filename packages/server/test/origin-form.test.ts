// A request target with scheme and host, as proxies send it, is answered like one without.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';

for (const basePath of ['', '/octavo']) {
  test(`below [${basePath}]`, async () => {
    const { app, ask } = await server({ basePath });
    await listen(app, { port: 0 });
    after(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    await ask(`PUT ${basePath}/books/_doc/1?refresh=true`, { a: 'x' });
    const asked = (path: string, host: string): Promise<[number, string]> =>
      new Promise((resolve, reject) => {
        const sent = request({ port, path, headers: { host } }, (response) => {
          let text = '';
          response.on('data', (part) => (text += part));
          response.on('end', () => resolve([response.statusCode ?? 0, text]));
        });
        sent.on('error', reject).end();
      });
    const here = `127.0.0.1:${port}`;
    for (let i = 0; i < 2; i++) {
      const [status, text] = await asked(`http://${here}${basePath}/books/_search?q=a:x`, here);
      assert.equal(status, 200, text);
      assert.equal(JSON.parse(text).hits.total.value, 1);
    }
    assert.equal((await asked(`HTTP://${here}${basePath}/api/health`, here))[0], 200);
    // Two hosts are none, whichever of them is this machine.
    for (const path of [`${basePath}/books/_count`, `${basePath}/api/health`]) {
      assert.equal((await asked(`http://${here}${path}`, 'evil.example'))[0], 400);
      assert.equal((await asked(`http://evil.example${path}`, here))[0], 400);
    }
    assert.equal((await asked(`http://evil.example${basePath}/books/_count`, 'evil.example'))[0], 403);
    assert.equal((await asked(`http://LOCALHOST:80${basePath}/books/_count`, 'localhost'))[0], 200);
    if (basePath === '') assert.equal((await asked(`http://${here}?human`, here))[0], 200);
    assert.equal((await asked('ftp://x/books/_count', here))[0], basePath === '' ? 400 : 404);
  });
}
