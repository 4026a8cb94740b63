// Drags the scrollbar over a list of a million documents (or as many as are named), compares every row that was shown with a naive truth,
// and prints frames and requests.
//
//   node apps/console/scripts/measure-drag.ts [DOCUMENTS]

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '@octavo/engine';
import { createServer } from '@octavo/server';
import { chromium } from 'playwright-core';
import { COUNT_REQUESTS, dragScrollbar } from '../test/drag.ts';
import { writeDocuments } from '../test/server.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
/** A prime that does not divide the usual numbers of rows: the values are a permutation. */
const FACTOR = 700_001;
const sortValue = (n: number): number => (n * FACTOR) % rows;

const dir = mkdtempSync(join(tmpdir(), 'octavo-drag-'));
const engine = await open(dir, {});
const app = await createServer(engine, {});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const headers = { 'content-type': 'application/json' };
const properties = { v: { type: 'integer' } };
await fetch(`${url}/many`, { method: 'PUT', headers, body: JSON.stringify({ mappings: { properties } }) });
function* documents(): Generator<readonly [string, object]> {
  for (let n = 0; n < rows; n++) yield [`d${n}`, { v: sortValue(n) }];
}
await writeDocuments(url, 'many', documents());
const truth = new Uint32Array(rows);
for (let n = 0; n < rows; n++) truth[sortValue(n)] = n;

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.addInitScript(COUNT_REQUESTS);
await page.goto(`${url}/_console/#/list/many?sort=v&columns=_id,v`);
await page.waitForSelector('.grid-row[data-missing=false]');
// What the machine draws of the same page while nothing is done: a drag cannot have more.
const atRest = (await page.evaluate(`new Promise((done) => {
  let frames = 0;
  const began = performance.now();
  const next = (now) => (now - began > 3000 ? done(frames / 3) : (frames++, requestAnimationFrame(next)));
  requestAnimationFrame(next);
})`)) as number;
process.stdout.write(`at rest: ${atRest.toFixed(1)} frames per second\n`);
for (const run of [1, 2, 3]) {
  const drag = await dragScrollbar(page, 240);
  for (const [rank, texts] of drag.seen) assert.deepEqual(texts, [`d${truth[rank]}`], `rank ${rank}`);
  const perSecond = (drag.frames / drag.milliseconds) * 1000;
  process.stdout.write(
    `drag ${run} over ${rows} rows: ${drag.frames} frames in ${Math.round(drag.milliseconds)} ms ` +
      `(${perSecond.toFixed(1)} per second, longest ${Math.round(drag.longestMs)} ms), ` +
      `${drag.requests} requests, at most ${drag.requestsPerFrame} in a frame, ${drag.seen.size} rows seen, all right\n`,
  );
  await page.focus('.grid');
  await page.keyboard.press('Home');
}
await browser.close();
await app.close();
await engine.close();
rmSync(dir, { recursive: true });
