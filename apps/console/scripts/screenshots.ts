// Takes the pictures of docs/images from a running server with the demo (octavo serve --demo).
//
//   node apps/console/scripts/screenshots.ts http://127.0.0.1:9200

import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const OUT = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const MOST_BYTES = 200_000;

interface Picture {
  readonly name: string;
  readonly hash: string;
  readonly scheme: 'light' | 'dark';
  readonly size: readonly [width: number, height: number];
  /** Until charts have a curve. */
  readonly waitMs?: number;
  /** What the query editor has run. */
  readonly request?: { readonly method: string; readonly path: string; readonly body: string };
}

const EXPLAINED = {
  method: 'POST',
  path: '/wordnet/_search',
  body: JSON.stringify(
    {
      query: {
        bool: {
          must: [{ match: { definition: 'domesticated animal' } }],
          filter: [{ term: { pos: 'noun' } }],
        },
      },
      size: 2,
      explain: true,
    },
    undefined,
    2,
  ),
};

const DESKTOP = [1280, 760] as const;
const PHONE = [390, 780] as const;
const LIST = '#/list/wordnet?sort=-gmt_modified&at=58896';

const PICTURES: readonly Picture[] = [
  { name: 'list-light', hash: LIST, scheme: 'light', size: DESKTOP },
  {
    name: 'list-dark',
    hash: '#/list/wordnet?sort=-score&if=pos~is~verb&at=4001',
    scheme: 'dark',
    size: DESKTOP,
  },
  { name: 'list-phone', hash: LIST, scheme: 'light', size: PHONE },
  { name: 'document-light', hash: `${LIST}&doc=n02086723`, scheme: 'light', size: DESKTOP },
  { name: 'feed-light', hash: '#/feed', scheme: 'light', size: DESKTOP },
  { name: 'feed-phone', hash: '#/feed', scheme: 'dark', size: PHONE },
  { name: 'accounts-light', hash: '#/accounts', scheme: 'light', size: DESKTOP },
  { name: 'server-dark', hash: '#/server', scheme: 'dark', size: DESKTOP, waitMs: 20_000 },
  { name: 'query-light', hash: '#/query', scheme: 'light', size: DESKTOP, request: EXPLAINED },
];

const [address] = process.argv.slice(2);
if (address === undefined) {
  process.stderr.write('node apps/console/scripts/screenshots.ts ADDRESS: name a server with the demo\n');
  process.exit(2);
}
mkdirSync(OUT, { recursive: true });
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox'],
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
for (const { name, hash, scheme, size, waitMs = 600, request } of PICTURES) {
  const [width, height] = size;
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height } });
  await page.goto(`${address}/_console/${hash}`);
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  if (request !== undefined) {
    await page.evaluate(([text]) => localStorage.setItem('octavo.history', text), [
      JSON.stringify([request]),
    ] as const);
    await page.reload();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.explained summary').first().click();
  }
  await page.waitForTimeout(waitMs);
  const path = `${OUT}console-${name}.png`;
  await page.screenshot({ path });
  const { size: bytes } = statSync(path);
  process.stdout.write(`${name}: ${Math.round(bytes / 1000)} kB\n`);
  if (bytes > MOST_BYTES) throw new Error(`${name} is larger than ${MOST_BYTES} bytes`);
  await page.close();
}
await browser.close();
