// Drags the scrollbar of a list through the whole of it, and records every frame: how many requests it started, and the rows it showed.

import type { Page } from 'playwright-core';

export interface Drag {
  readonly milliseconds: number;
  /** The time between each frame and the one before it. */
  readonly intervalsMs: readonly number[];
  /** The most searches that started in one frame. */
  readonly requestsPerFrame: number;
  readonly requests: number;
  /** Frames in which a row was still without contents. */
  readonly blankFrames: number;
  /** Frames in which the rows did not fill the view, or were not consecutive: one was missing, or there twice. */
  readonly brokenFrames: number;
  /** The first cell of each row that was shown with contents, by rank; every different text of a rank. */
  readonly seen: ReadonlyMap<number, readonly string[]>;
}

/** To be run before the page loads: counts the searches of each frame. */
export const COUNT_REQUESTS = `(() => {
  const counts = (window.searches = { total: 0, frame: 0, most: 0 });
  const { fetch } = window;
  window.fetch = (url, init) => {
    if (String(url).endsWith('/_search') && JSON.parse(init?.body ?? '{}').size > 0) {
      counts.total++;
      counts.most = Math.max(counts.most, ++counts.frame);
    }
    return fetch(url, init);
  };
  const next = () => { counts.frame = 0; requestAnimationFrame(next); };
  requestAnimationFrame(next);
})()`;

const WATCH = `(() => {
  const watch = (window.watch = { began: performance.now(), last: performance.now(), intervals: [], blank: 0, broken: 0, seen: {}, on: true });
  Object.assign(window.searches, { total: 0, most: 0 });
  const heightOf = (selector) => document.querySelector(selector)?.clientHeight ?? 0;
  const least = Math.floor(heightOf('.grid-view') / heightOf('.grid-row'));
  const look = (now) => {
    if (!watch.on) return;
    watch.intervals.push(now - watch.last);
    watch.last = now;
    const ranks = new Set();
    let [lowest, highest, rows, blank] = [Infinity, -Infinity, 0, false];
    for (const row of document.querySelectorAll('.grid-row')) {
      const rank = Number(row.getAttribute('aria-rowindex')) - 2;
      ranks.add(rank);
      rows++;
      [lowest, highest] = [Math.min(lowest, rank), Math.max(highest, rank)];
      if (row.dataset.missing !== 'false') { blank = true; continue; }
      const text = row.querySelector('[role=gridcell]').textContent;
      const texts = (watch.seen[rank] ??= []);
      if (!texts.includes(text)) texts.push(text);
    }
    if (blank) watch.blank++;
    if (rows > 0 && (rows < least || ranks.size !== rows || highest - lowest + 1 !== rows)) watch.broken++;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** Width of the scrollbar, and height of its arrows, in pixels. */
const SCROLLBAR = 15;

/** Drags from the top to the end in so many steps. */
export async function dragScrollbar(page: Page, steps: number): Promise<Drag> {
  const box = await page.locator('.grid').boundingBox();
  if (box === null) throw new Error('there is no list');
  const x = box.x + box.width - SCROLLBAR / 2;
  const [from, to] = [box.y + SCROLLBAR + 8, box.y + box.height - 4];
  await page.mouse.move(x, from);
  await page.evaluate(WATCH);
  await page.mouse.down();
  for (let step = 1; step <= steps; step++) await page.mouse.move(x, from + ((to - from) * step) / steps);
  await page.mouse.up();
  const result = (await page.evaluate(`(() => {
    watch.on = false;
    return { ...watch, milliseconds: performance.now() - watch.began, searches };
  })()`)) as {
    readonly milliseconds: number;
    readonly intervals: readonly number[];
    readonly blank: number;
    readonly broken: number;
    readonly seen: Readonly<Record<string, string[]>>;
    readonly searches: { readonly total: number; readonly most: number };
  };
  return {
    milliseconds: result.milliseconds,
    intervalsMs: result.intervals,
    blankFrames: result.blank,
    brokenFrames: result.broken,
    requests: result.searches.total,
    requestsPerFrame: result.searches.most,
    seen: new Map(Object.entries(result.seen).map(([rank, texts]) => [Number(rank), texts])),
  };
}
