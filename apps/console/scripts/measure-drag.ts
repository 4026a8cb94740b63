// Measures a drag of the scrollbar through a long list, frame by frame, and compares every row that was shown with a naive truth.
//
//   node apps/console/scripts/measure-drag.ts [--documents 1000000 | --demo] [--drags 3] [--data FOLDER] [--profile FILE]
//
// --demo measures the documents of the demo, sorted by their ids. --data keeps the documents for the next measurement. --profile writes a CPU profile of the page (Chromium's .cpuprofile).
// Before the drags it waits until the order of the sort is built, which an index needs once after a start, and prints how long that took.
// A browser draws at most 60 frames per second here; a machine without a graphics card, or with other work, draws fewer. So the same
// drag is first measured over an empty element of the same height, which shows what the machine can draw at all.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { INDEX as DEMO_INDEX, loadSynsets, synsets } from '@octavo/demo';
import { type Engine, open } from '@octavo/engine';
import { createServer } from '@octavo/server';
import { chromium, type Page } from 'playwright-core';
import { COUNT_REQUESTS, type Drag, dragScrollbar } from '../test/drag.ts';

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    demo: { type: 'boolean', default: false },
    drags: { type: 'string', default: '3' },
    data: { type: 'string' },
    profile: { type: 'string' },
  },
});
/** A prime that does not divide the usual numbers of rows: the values are a permutation. */
const FACTOR = 700_001;
const BATCH = 10_000;
/** Steps of the mouse: one in a frame. */
const STEPS = 240;
const JSON_TYPE = { 'content-type': 'application/json' };
/** A page takes less once its order is built, also on a busy machine. */
const QUICK_MS = 30;

/** Requests that may start in a frame. */
const MOST_REQUESTS = 2;

/** A list to drag through. */
interface DraggedList {
  readonly index: string;
  readonly sort: string;
  readonly columns: string;
  readonly rows: number;
  /** The id of the document at a rank, from 0. */
  readonly idAt: (rank: number) => string;
  readonly load: (engine: Engine) => Promise<void>;
}

function demoList(): DraggedList {
  const ids = Array.from(synsets(), ({ id }) => id).sort();
  return {
    ...{ index: DEMO_INDEX, sort: 'id', columns: '_id,words', rows: ids.length },
    idAt: (rank) => ids[rank] ?? '',
    load: async (engine) => void (await loadSynsets(engine)),
  };
}

function numberedList(rows: number): DraggedList {
  const index = 'many';
  const sortValue = (n: number): number => (n * FACTOR) % rows;
  const truth = new Uint32Array(rows);
  for (let n = 0; n < rows; n++) truth[sortValue(n)] = n;
  const load = async (engine: Engine): Promise<void> => {
    const stored = engine.indices.info(index);
    if (stored === undefined)
      await engine.indices.create(index, { mappings: { properties: { v: { type: 'integer' } } } });
    else if ((await engine.count({ indices: [index] })) === rows) return;
    const encoder = new TextEncoder();
    for (let from = 0; from < rows; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => {
        const source = encoder.encode(`{"v":${sortValue(from + at)}}`);
        return { kind: 'index' as const, index, id: `d${from + at}`, source };
      });
      await engine.write(batch);
    }
  };
  return { index, sort: 'v', columns: '_id,v', rows, idAt: (rank) => `d${truth[rank]}`, load };
}

const list = options.demo ? demoList() : numberedList(Number(options.documents));
const { index, sort, rows } = list;

const EMPTY_PAGE = `<!doctype html><style>body { margin: 0 }</style>
<div class="grid" style="height: 100vh; overflow-y: scroll"><div style="height: 2000000px"></div></div>`;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function framesOf({ intervalsMs, milliseconds }: Drag): string {
  const sorted = intervalsMs.toSorted((a, b) => a - b);
  const rank = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  const perSecond = (intervalsMs.length / milliseconds) * 1000;
  return `${perSecond.toFixed(1)} frames per second (between frames: median ${rank(0.5)}, 95th ${rank(0.95)}, longest ${rank(1)} ms)`;
}

/** Waits until a page from the middle comes at once. The order is built in pauses of the searches, so this asks seldom. */
async function orderBuilt(url: string): Promise<void> {
  const began = performance.now();
  const body = JSON.stringify({
    from: rows >> 1,
    size: 64,
    sort: [{ [sort]: { order: 'asc', missing: '_last' } }],
  });
  for (let fast = 0; fast < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const asked = performance.now();
    await (await fetch(`${url}/${index}/_search`, { method: 'POST', headers: JSON_TYPE, body })).text();
    fast = performance.now() - asked < QUICK_MS ? fast + 1 : 0;
  }
  say(`the order was built within ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function measure(url: string, page: Page): Promise<void> {
  await page.addInitScript(COUNT_REQUESTS);
  await page.goto('about:blank');
  await page.setContent(EMPTY_PAGE);
  for (let n = 1; n <= 2; n++) {
    say(`empty element: ${framesOf(await dragScrollbar(page, STEPS))}`);
    await page.evaluate(`document.querySelector('.grid').scrollTop = 0`);
  }
  await page.goto(`${url}/_console/#/list/${index}?sort=${sort}&columns=${list.columns}`);
  await page.waitForSelector('.grid-row[data-missing=false]');
  await orderBuilt(url);
  const cdp = await page.context().newCDPSession(page);
  if (options.profile !== undefined) {
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.start');
  }
  for (let run = 1; run <= Number(options.drags); run++) {
    const drag = await dragScrollbar(page, STEPS);
    for (const [rank, texts] of drag.seen) assert.deepEqual(texts, [list.idAt(rank)], `rank ${rank}`);
    assert.equal(drag.brokenFrames, 0, 'rows were missing, or there twice');
    assert.ok(drag.requestsPerFrame <= MOST_REQUESTS, `${drag.requestsPerFrame} requests in a frame`);
    say(
      `drag ${run} over ${rows} rows: ${framesOf(drag)}; ${drag.requests} requests, at most ${drag.requestsPerFrame} in a frame; ` +
        `${drag.intervalsMs.length} frames, ${drag.blankFrames} of them with rows on their way; ${drag.seen.size} rows seen, all right`,
    );
    await page.focus('.grid');
    await page.keyboard.press('Home');
  }
  if (options.profile !== undefined) {
    const { profile } = await cdp.send('Profiler.stop');
    writeFileSync(options.profile, JSON.stringify(profile));
  }
}

const dir = options.data ?? mkdtempSync(join(tmpdir(), 'octavo-drag-'));
const engine = await open(dir, {});
const began = performance.now();
await list.load(engine);
say(`${rows} documents are there after ${Math.round((performance.now() - began) / 1000)} s`);
const app = await createServer(engine, {});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
const loads = loadavg().map((load) => load.toFixed(1));
say(`load of the machine before: ${loads.join(', ')}`);
await measure(url, await browser.newPage({ viewport: { width: 1280, height: 800 } }));
await browser.close();
await app.close();
await engine.close();
if (options.data === undefined) rmSync(dir, { recursive: true });
