// The time of the engine to find a page at any depth: random pages of 20 in an order by date, in process.
// Measured with the orders of all segments merged into one (as for frequent orders) and selected across 24
// unmerged segments. A page is found when its documents are known; nothing is printed. Answers are compared
// with a plain sort first.
//
// The same pages run in five turns, and the turn with the lowest p99 is printed. Garbage and newly prepared
// searches occur in every turn. But if the system takes the core away for 4 ms, one page in a hundred is
// affected and p99 says nothing about the engine.
//
//   node bench/inprocess/pages.ts [--docs 500000] [--pages 20000]
//
// Prints lines of: name | median µs | p99 µs

import { parseArgs } from 'node:util';
import type { SearchRequest } from '../../packages/engine/src/api.ts';
import type { JsonObject } from '../../packages/engine/src/json/value.ts';
import { Deadline, runInSlices } from '../../packages/engine/src/search/deadline.ts';
import { search } from '../../packages/engine/src/search/search.ts';
import { executeSearch } from '../../packages/engine/test/execute-search.ts';
import { draft, isDeleted, randomFrom } from '../corpus/corpus.ts';
import { quantile } from '../measure/quantile.ts';
import {
  type IndexShape,
  type InProcessIndex,
  makeInProcessIndex,
  segmentSizes,
} from './in-process-index.ts';

const SIZE = 20;
const SEGMENTS = 24;
/** The first of 24 segments is about 60 times as long as the last. */
const SHRINK = 0.835;
const COMPARED = 200;
const TURNS = 5;

const { values } = parseArgs({
  options: { docs: { type: 'string', default: '500000' }, pages: { type: 'string', default: '20000' } },
});
const docs = Number(values.docs);
const pages = Number(values.pages);

const shape: IndexShape = {
  name: 'dates-24',
  properties: { id: { type: 'keyword' }, gmt_modified: { type: 'date' } } satisfies JsonObject,
  sourceOf: ({ id, gmt_modified }) => ({ id, gmt_modified }),
  sizes: segmentSizes(docs, SEGMENTS, SHRINK),
};

/** Requests that differ only in `from`. The server gives such requests one shape. */
let form = {};
function request(from: number): SearchRequest {
  const sort = [{ gmt_modified: 'desc' }, { id: 'asc' }] as const;
  return { indices: ['corpus'], sort, size: SIZE, from, shape: form } as unknown as SearchRequest;
}

/** All ids in order, by a plain sort. */
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
  { index, services }: InProcessIndex,
  due: readonly string[],
  froms: Iterable<number>,
): Promise<void> {
  for (const from of froms) {
    const { hits } = await executeSearch([index], request(from), services, 0);
    const found = hits.map(({ id }) => id).join();
    if (found !== due.slice(from, from + SIZE).join()) throw new Error(`the page at ${from} is wrong`);
  }
}

/** Times of random pages, including two readings of the clock. One search in a thousand is prepared anew. */
async function time({ index, services }: InProcessIndex, froms: readonly number[]): Promise<number[]> {
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
const plain = makeInProcessIndex(shape);
for (const isMerged of [false, true]) {
  const world: InProcessIndex = {
    ...plain,
    services: {
      ...plain.services,
      background: (key, steps) => {
        if (isMerged || !key.startsWith('merge|')) for (const _ of steps());
      },
    },
  };
  // The first pages build and merge the orders. The new form object avoids searches prepared for the other kind.
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
