// The client runs in a browser. A page of another origin walks a feed in Chromium, with the sources after
// type stripping. A page of an origin that the server does not allow is refused.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { OctavoClient } from '../src/index.ts';
import { startServer } from './server.ts';

const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`;
const PACKAGES = new URL('../../', import.meta.url);

/** The origin of a page that can import `/client/src/….ts` and `/mention/src/….ts`. */
async function servePage(): Promise<string> {
  const server = createServer(({ url = '/' }, reply) => {
    if (!/^\/(client|mention)\/src\/[a-z/-]+\.ts$/.test(url)) {
      reply.setHeader('content-type', 'text/html').end('<!doctype html><p id="place"></p>');
      return;
    }
    const source = readFileSync(new URL(`.${url}`, PACKAGES), 'utf8');
    reply.setHeader('content-type', 'text/javascript').end(stripTypeScriptTypes(source));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a page of another origin walks a feed and shows it; one that was not named may not', {
  skip,
}, async () => {
  const [named, unnamed] = [await servePage(), await servePage()];
  const url = await startServer({ corsOrigins: [named] });
  const octavo = new OctavoClient({ url });
  for (let n = 0; n < 5; n++) {
    await octavo.feed.post({ author: 'ada', markup: `<user username="bob">Bob ${n}</user> &lt;img src=x>` });
  }
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    timeout: 600_000,
  });
  after(() => browser.close());
  const page = await browser.newPage();
  // Of all that is waited for here: only what never comes takes so long.
  page.setDefaultTimeout(600_000);

  await page.goto(named);
  const shown = await page.evaluate(`(async () => {
    const load = (path) => import(path);
    const { OctavoClient } = await load('/client/src/index.ts');
    const { renderMentions } = await load('/mention/src/dom/index.ts');
    const octavo = new OctavoClient({ url: ${JSON.stringify(url)} });
    await octavo.feed.post({ author: 'page', text: 'from a page' });
    const texts = [];
    for await (const item of octavo.feed.list({ limit: 2 })) texts.push(item.text);
    const items = await octavo.feed.list({ author: 'ada' }).toArray();
    const place = document.getElementById('place');
    renderMentions(place, items[0], { hrefOf: (entity) => 'https://x.example/' + entity.username });
    const code = await octavo.feed.get('nonsense').catch((error) => error.name + ' ' + error.status);
    return { texts, html: place.innerHTML, code };
  })()`);
  assert.deepEqual(shown, {
    texts: ['from a page', ...[4, 3, 2, 1, 0].map((n) => `Bob ${n} <img src=x>`)],
    html: '<a dir="auto" data-kind="user" data-username="bob" href="https://x.example/bob" rel="nofollow noopener noreferrer ugc">Bob 4</a> &lt;img src=x&gt;',
    code: 'OctavoError 400',
  });

  await page.goto(unnamed);
  const refused = await page.evaluate(`(async () => {
    const load = (path) => import(path);
    const { OctavoClient } = await load('/client/src/index.ts');
    const octavo = new OctavoClient({ url: ${JSON.stringify(url)}, retries: 0 });
    const posted = await octavo.feed.post({ author: 'page', text: 'evil' }).then(() => 'posted', (error) => error.code);
    // A simple request is sent without being asked for first: the server itself must refuse it.
    const form = new URLSearchParams({ author: 'page', text: 'evil' });
    const simple = await fetch(${JSON.stringify(`${url}/api/newsfeed/`)}, { method: 'POST', mode: 'no-cors', body: form });
    return { posted, simple: simple.type };
  })()`);
  assert.deepEqual(refused, { posted: 'network', simple: 'opaque' });
  const authors = (await octavo.feed.list().toArray()).map(({ text }) => text);
  assert.ok(!authors.includes('evil'));
});
