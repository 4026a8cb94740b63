// Chromium with the console open, and what tests look at in it.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Of all that is waited for here, only what never comes takes so long. */
const LONGEST_MS = 30_000;
const CHROMIUM = '/usr/bin/chromium';
/** A name of this machine that the browser does not trust, as it does not trust an address in a network without TLS. */
export const INSECURE_HOST = 'console.test';
const BUILT = fileURLToPath(new URL('../../../packages/server/assets/console/index.html', import.meta.url));

/** Why the tests of this machine cannot run, as an option of `test`. */
export const browserOption: { readonly skip?: string } = !existsSync(CHROMIUM)
  ? { skip: `there is no ${CHROMIUM}` }
  : existsSync(BUILT)
    ? {}
    : { skip: 'the console is not built: npm run console' };

// At the top of the file: within a test, `after` would close it at the end of that test.
const running = browserOption.skip === undefined ? await launch() : undefined;

/** A page in the browser of this test file. It fails the test for errors in the page and for requests to other servers. */
export async function openPage(
  url: string,
  { scheme = 'light', width = 1280, height = 800 }: PageOptions = {},
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  if (running === undefined) throw new Error(browserOption.skip);
  const context = await running.newContext({ colorScheme: scheme, viewport: { width, height } });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const foreign = !request.url().startsWith(url) && !/^(?:data|blob):/.test(request.url());
    if (foreign) complaints.push(`a request to ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints };
}

interface PageOptions {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`],
    // The scrollbar of the list is dragged.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    timeout: 60_000,
  });
  after(() => browser.close());
  return browser;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The serious and critical findings of axe in a page, as text. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 4).map(({ html, any }) => html.slice(0, 160) + ' ' + (any[0]?.message ?? '')).join(' | ')))`);
}

/** A row as the page shows it. */
interface SeenRow {
  /** From 0. */
  readonly rank: number;
  /** Undefined while its page is on its way. */
  readonly cells: readonly string[] | undefined;
}

/** The rows that the list shows now. */
export async function rowsOf(page: Page): Promise<SeenRow[]> {
  return await page.evaluate(`[...document.querySelectorAll('.grid-row')].map((row) => ({
    rank: Number(row.getAttribute('aria-rowindex')) - 2,
    cells: row.dataset.missing === 'true' ? undefined : [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent),
  })).sort((a, b) => a.rank - b.rank)`);
}

/** Waits until the list has drawn what was done to it, and every row that it shows is there. */
export async function settled(page: Page): Promise<SeenRow[]> {
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
  await waitFor(
    page,
    `document.querySelector('.grid-row') !== null && document.querySelector('.grid-row[data-missing=true]') === null`,
  );
  return await rowsOf(page);
}

/** Waits until an expression is true in the page. The policy of the page forbids `waitForFunction`, which evaluates text in it. */
export async function waitFor(page: Page, expression: string): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (!(await page.evaluate(`Boolean(${expression})`))) {
    if (performance.now() > end) throw new Error(`not true within ${LONGEST_MS} ms: ${expression}`);
    await page.waitForTimeout(20);
  }
}
