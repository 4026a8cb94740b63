// A web page of another origin, in a real browser: its POSTs must not move money, whichever way it sends
// them; a page that was named may, and may read the answer.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer as createPage } from 'node:http';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import type { Resource } from '../src/api/resource.ts';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';
import { fakeRecords } from './fake-records.ts';

const CHROMIUM = '/usr/bin/chromium';
const browser = existsSync(CHROMIUM) ? {} : { skip: `there is no ${CHROMIUM}` };

let moved = 0;
const ledger: Resource = async (app) => {
  const querystring = { type: 'object', properties: { money: { type: 'string' } } } as const;
  app.post('/transaction', { schema: { querystring } }, async () => ({ moved: ++moved }));
};

test('a foreign page is refused, a named one is answered', browser, async () => {
  const page = createPage((_request, reply) => {
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>a page</title>');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  after(() => page.close());
  const origin = `http://127.0.0.1:${(page.address() as { port: number }).port}`;
  const given = { records: fakeRecords(), resources: [ledger] };
  const closed = await listen((await server(given)).app, { port: 0 });
  const open = await listen((await server({ ...given, corsOrigins: [origin] })).app, { port: 0 });

  const chrome = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    timeout: 600_000,
  });
  after(() => chrome.close());
  const tab = await chrome.newPage();
  // Of all that is waited for here: only what never comes takes so long.
  tab.setDefaultTimeout(600_000);
  await tab.goto(origin);
  const post = (
    url: string,
    init: { mode?: 'no-cors'; body?: string; headers?: Record<string, string> },
  ): Promise<string> =>
    tab.evaluate(
      async ([to, how]) => {
        try {
          const reply = await fetch(to, { method: 'POST', ...how });
          return reply.type === 'opaque' ? 'opaque' : await reply.text();
        } catch {
          return 'refused';
        }
      },
      [url, init] as const,
    );
  const url = `${closed}/api/transaction?money=5`;
  assert.equal(await post(url, {}), 'refused');
  assert.equal(await post(url, { mode: 'no-cors' }), 'opaque');
  assert.equal(await post(url, { mode: 'no-cors', body: 'x' }), 'opaque');
  assert.equal(await post(url, { headers: { 'content-type': 'application/json' }, body: '{}' }), 'refused');
  assert.equal(moved, 0);

  await tab.setContent(`<form method="post" action="${url}"><button>go</button></form>`);
  await Promise.all([tab.waitForNavigation(), tab.click('button')]);
  assert.match((await tab.textContent('body')) ?? '', /"code":"forbidden"/);
  assert.equal(moved, 0);

  await tab.goto(origin);
  const named = { headers: { 'content-type': 'application/json' }, body: '{}' };
  assert.equal(await post(`${open}/api/transaction?money=5`, named), '{"moved":1}');
});
