// Octavo's in-process search compared with Tantivy: the same documents in the same ten segments, a tenth
// deleted, one thread each, in turns. Answers are compared first: equal ids and totals, and scores equal to a
// hundred-thousandth. (Tantivy multiplies every score by k1 + 1 = 2.2, Lucene does not.)
//
//   node bench/inprocess/topk.ts [--docs 100000] [--rounds 10] [--classes rare,AND]
//
// - Octavo is timed from the parsed JSON of a query to documents and scores: parsing, analysis, plan,
//   statistics, term lookup, kernels or their TypeScript twins.
// - Tantivy is timed with a prepared query: term lookup and collector.
// - `fetch` includes the documents of the page and exact totals: Octavo's whole search, and Tantivy with its
//   document store.
// - `new` is a query without a cached plan for these leaves, with exact totals, compared with Tantivy's exact
//   totals.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../packages/engine/src/json/value.ts';
import { switchKernels } from '../../packages/engine/src/score/kernel/kernel-records.ts';
import { Deadline, runInSlices } from '../../packages/engine/src/search/deadline.ts';
import { search } from '../../packages/engine/src/search/search.ts';
import { executeSearch } from '../../packages/engine/test/execute-search.ts';
import { queryClasses, type TextQuery, toWire } from '../corpus/queries.ts';
import { bodiesOf, type InProcessIndex, makeInProcessIndex, segmentSizes } from './in-process-index.ts';
import { buildTantivy, indexTantivy, Tantivy, type TantivyHits, type TantivyMode } from './tantivy.ts';

const FACTOR = 2.2;
const REPEAT = 4;

const { values } = parseArgs({
  options: {
    docs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '10' },
    classes: { type: 'string', default: '' },
  },
});
const docs = Number(values.docs);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The hits that Octavo finds. */
async function answerOf(world: InProcessIndex, query: TextQuery): Promise<TantivyHits> {
  const { hits, total } = await executeSearch([world.index], request(query, true), world.services, 0);
  return { ids: hits.map((h) => h.id), scores: hits.map((h) => h.score), total: total?.value ?? -1 };
}

function request(query: TextQuery, trackTotalHits: boolean) {
  return { indices: ['corpus'], query: toWire(query) as JsonObject, trackTotalHits };
}

/** Ends the run if answers differ. Ties may be in another order, and ties with the last hit may be other documents. */
function compare(query: TextQuery, ours: TantivyHits, theirs: TantivyHits): void {
  const fail = (what: string): never => {
    throw new Error(
      `${JSON.stringify(toWire(query))}: ${what}: ${JSON.stringify(ours)} / ${JSON.stringify(theirs)}`,
    );
  };
  if (ours.total !== theirs.total) fail('totals differ');
  if (ours.ids.length !== theirs.ids.length) fail('one found more');
  const near = (a: number, b: number): boolean => Math.abs(a / b - 1) < 1e-5;
  for (const [i, score] of ours.scores.entries()) {
    if (!near(score * FACTOR, theirs.scores[i]!)) fail(`score ${i} differs`);
    const at = theirs.ids.indexOf(ours.ids[i]!);
    const tiesWithLast = near(score, ours.scores.at(-1)!);
    if (at < 0 ? !tiesWithLast : !near(theirs.scores[at]!, theirs.scores[i]!)) fail(`id ${i} differs`);
  }
}

type Times = Map<string, number[][]>;

function put(times: Times, way: string, query: number, micros: readonly number[]): void {
  let lists = times.get(way);
  if (lists === undefined) times.set(way, (lists = []));
  (lists[query] ??= []).push(...micros);
}

async function timeOctavo(
  world: InProcessIndex,
  query: TextQuery,
  mode: TantivyMode | 'new',
): Promise<number[]> {
  const asked = request(query, mode !== 'top');
  const micros: number[] = [];
  for (let i = 0; i < REPEAT; i++) {
    // Plans are cached per list of leaves, so another list with the same leaves needs new plans.
    const index = mode === 'new' ? { ...world.index, leaves: [...world.index.leaves] } : world.index;
    const start = process.hrtime.bigint();
    if (mode === 'fetch') await executeSearch([index], asked, world.services, 0);
    else {
      const deadline = new Deadline();
      const page = runInSlices(search([index], asked, world.services, 0, deadline), deadline);
      if (page instanceof Promise) await page;
    }
    micros.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  return micros;
}

function quantile(list: readonly number[], q: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * q)] ?? Number.NaN;
}

/** Median and p99 of all runs, and the median over queries of their best times, which noise affects least. */
function summarize(lists: readonly number[][]): { median: number; p99: number; best: number } {
  const all = lists.flat();
  return {
    median: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    best: quantile(
      lists.map((list) => Math.min(...list)),
      0.5,
    ),
  };
}

const OURS = ['wasm', 'ts'] as const;
const MODES = ['top', 'exact', 'new', 'fetch'] as const;

async function timeClass(
  world: InProcessIndex,
  tantivy: Tantivy,
  from: number,
  queries: readonly TextQuery[],
) {
  const times: Times = new Map();
  for (let round = -3; round < Number(values.rounds); round++) {
    for (const [q, query] of queries.entries()) {
      for (const mode of ['top', 'exact', 'two', 'fetch'] as const) {
        const micros = await tantivy.time(mode, REPEAT, from + q, from + q + 1);
        if (round >= 0) put(times, `tantivy ${mode}`, q, micros);
      }
      for (const way of OURS) {
        switchKernels(way === 'wasm');
        for (const mode of MODES) {
          const own = await timeOctavo(world, query, mode);
          if (round >= 0) put(times, `${way} ${mode}`, q, own);
        }
      }
    }
  }
  return times;
}

function report(name: string, times: Times): void {
  for (const mode of MODES) {
    const counts = mode === 'exact' || mode === 'new';
    let peer = times.get(`tantivy ${counts ? 'exact' : mode}`)!;
    const two = times.get('tantivy two')!;
    if (counts && summarize(two).median < summarize(peer).median) peer = two;
    const base = summarize(peer);
    const cells = [`${fixed(base.median)} / ${fixed(base.p99)} (${fixed(base.best)})`];
    for (const way of OURS) {
      const own = times.get(`${way} ${mode}`)!;
      const { median, p99, best } = summarize(own);
      const worst = Math.max(...own.map((list, q) => Math.min(...list) / Math.min(...peer[q]!)));
      const ratios = `× ${(median / base.median).toFixed(2)}, of best ${(best / base.best).toFixed(2)}, worst query ${worst.toFixed(2)}`;
      cells.push(`${way} ${fixed(median)} / ${fixed(p99)} (${fixed(best)}) ${ratios}`);
    }
    say(`${name.padEnd(15)} ${mode.padEnd(5)} | ${cells.join(' | ')}`);
  }
}

const fixed = (micros: number): string => micros.toFixed(micros < 100 ? 1 : 0);

const program = buildTantivy();
if (program === undefined) throw new Error('cargo is needed to build the peer');
const world = makeInProcessIndex(bodiesOf(docs));
const folder = join(tmpdir(), `octavo-tantivy-150-${docs}`);
await indexTantivy(program, folder, segmentSizes(docs));
const tantivy = new Tantivy(program, folder);
try {
  const classes = queryClasses(docs).filter(({ name }) =>
    values.classes.split(',').some((part) => name.startsWith(part)),
  );
  const all = classes.flatMap(({ queries }) => queries);
  const loaded = await tantivy.load(all);
  say(`${docs} documents; octavo: 10 segments, ${world.bytes} bytes; tantivy: ${JSON.stringify(loaded)}`);
  const answers = await tantivy.answers();
  for (const way of OURS) {
    switchKernels(way === 'wasm');
    for (const [q, query] of all.entries()) compare(query, await answerOf(world, query), answers[q]!);
  }
  say(`${all.length} answers agree. µs: median / p99 (median over queries of their best)`);
  let from = 0;
  for (const { name, queries } of classes) {
    report(name, await timeClass(world, tantivy, from, queries));
    from += queries.length;
  }
} finally {
  tantivy.close();
}
