// What does the engine take to find a page anywhere, by itself? Random pages of 20 in an order by date, in process: with the
// orders of all segments merged into one, as they are when an order is asked for often, and selected across 24 segments
// that are not. A page is found when its documents are known; they are not printed. Answers are compared with those of a plain
// sort before times count. The same pages are asked in five turns, and the turn with the least p99 is printed, whole: garbage
// that pages make and searches that are prepared anew are in every turn; a core that the system gives to another program for
// 4 ms is not ours, and where one page in a hundred meets that, p99 says nothing about the other ninety-nine.
//
//   node bench/inprocess/pages.ts [--docs 500000] [--pages 20000]
//
// Prints lines of: name | median µs | p99 µs

import { parseArgs } from 'node:util';
import type { SearchRequest } from '../../packages/engine/src/api.ts';
import type { JsonObject } from '../../packages/engine/src/json/value.ts';
import { Deadline, runInSlices } from '../../packages/engine/src/search/deadline.ts';
import { executeSearch, search } from '../../packages/engine/src/search/search.ts';
import { draft, isDeleted, randomFrom } from '../corpus.ts';
import { quantile } from '../quantile.ts';
import { makeWorld, segmentSizes, type World, type WorldShape } from './world.ts';

const SIZE = 20;
const SEGMENTS = 24;
/** The first of 24 segments is some 60 times as long as the last. */
const SHRINK = 0.835;
const COMPARED = 200;
const TURNS = 5;

const { values } = parseArgs({
  options: { docs: { type: 'string', default: '500000' }, pages: { type: 'string', default: '20000' } },
});
const docs = Number(values.docs);
const pages = Number(values.pages);

const shape: WorldShape = {
  name: 'dates-24',
  properties: { id: { type: 'keyword' }, gmt_modified: { type: 'date' } } satisfies JsonObject,
  sourceOf: ({ id, gmt_modified }) => ({ id, gmt_modified }),
  sizes: segmentSizes(docs, SEGMENTS, SHRINK),
};

/** Requests of one shape, as the server makes them of one path and body but for `from`. */
let form = {};
function request(from: number): SearchRequest {
  const sort = [{ gmt_modified: 'desc' }, { id: 'asc' }] as const;
  return { indices: ['corpus'], sort, size: SIZE, from, shape: form } as unknown as SearchRequest;
}

/** Ids in their order, by sorting. */
function sorted(): string[] {
  const all: { id: string; date: number }[] = [];
  for (let i = 0; i < docs; i++) {
    if (isDeleted(i)) continue;
    const { id, gmtModified } = draft(i);
    all.push({ id, date: gmtModified });
  }
  return all.sort((a, b) => b.date - a.date || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

async function compare(
  { index, services }: World,
  due: readonly string[],
  froms: Iterable<number>,
): Promise<void> {
  for (const from of froms) {
    const { hits } = await executeSearch([index], request(from), services, 0);
    const found = hits.map(({ id }) => id).join();
    if (found !== due.slice(from, from + SIZE).join()) throw new Error(`the page at ${from} is another one`);
  }
}

/** Times of random pages. Two readings of the clock are in each, and one search in a thousand is prepared anew. */
async function time({ index, services }: World, froms: readonly number[]): Promise<number[]> {
  const micros: number[] = [];
  const views = [index];
  for (const asked of froms.map(request)) {
    const start = performance.now();
    const deadline = new Deadline(asked);
    const found = runInSlices(search(views, asked, services, 0, deadline), deadline);
    if (found instanceof Promise) await found;
    micros.push((performance.now() - start) * 1000);
  }
  return micros;
}

const due = sorted();
const random = randomFrom(7);
const somewhere = (): number => Math.floor((random() * (due.length - SIZE)) / SIZE) * SIZE;
const froms = Array.from({ length: pages }, somewhere);
const plain = makeWorld(shape);
for (const isMerged of [false, true]) {
  const world: World = {
    ...plain,
    services: {
      ...plain.services,
      background: (key, steps) => {
        if (isMerged || !key.startsWith('merge|')) for (const _ of steps());
      },
    },
  };
  // Orders are built, and merged, by the first ones; nothing that was prepared for the other kind is used.
  form = {};
  await compare(world, due, Array.from({ length: COMPARED }, somewhere));
  await time(world, froms);
  let best = { median: Number.NaN, p99: Number.POSITIVE_INFINITY };
  for (let turn = 0; turn < TURNS; turn++) {
    const micros = await time(world, froms);
    const p99 = quantile(micros, 0.99);
    if (p99 < best.p99) best = { median: quantile(micros, 0.5), p99 };
  }
  const name = isMerged ? 'merged' : `${SEGMENTS} segments`;
  process.stdout.write(`${name} | ${best.median.toFixed(2)} | ${best.p99.toFixed(2)}\n`);
}
