// Pages of a feed at any depth. Pages of 20 of a feed of 1,000,000 items in the embedded store, by number and
// by max_id, requested in turns while items are posted and deleted. The target for each is at most 1.5 times
// page 1.
//
//   node bench/feed.ts [--items 1000000] [--rounds 1000] [--json FILE]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  deleteItem,
  type EntryPage,
  openRecords,
  type PagePlace,
  type Pin,
  pageOfFeed,
  postItem,
  postItems,
  type Records,
} from '../packages/records/src/index.ts';

const LIMIT = 20;
const FEED = 'bench';
const BATCH = 1_000;
const WARM_UP = 50;

/** One kind of page request. */
interface Case {
  readonly name: string;
  /** The page of the n-th request. Consecutive requests differ, as those of users do. */
  readonly place: (n: number) => PagePlace;
}

/** Microseconds, and their ratio to page 1. */
interface FeedFigure {
  readonly name: string;
  readonly median: number;
  readonly p99: number;
  readonly ratio: number;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Loads a feed, requests pages in turns while the feed changes, and compares their times. */
export async function benchFeed(items: number, rounds: number): Promise<FeedFigure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-feed-'));
  const records = await openRecords(dir);
  try {
    const ids = await load(records, items);
    const cases = casesOf(ids, await pinOf(records));
    const writing = new AbortController();
    const written = change(records, ids, writing.signal);
    const times = await askInTurns(records, cases, rounds);
    writing.abort();
    const changes = await written;
    say(`${changes.toLocaleString('en-US')} items were posted or deleted meanwhile`);
    return figuresOf(cases, times);
  } finally {
    await records.close();
    rmSync(dir, { recursive: true });
  }
}

async function load(records: Records, items: number): Promise<string[]> {
  const ids: string[] = [];
  const started = performance.now();
  while (ids.length < items) {
    const drafts = Array.from({ length: Math.min(BATCH, items - ids.length) }, (_, i) =>
      draft(ids.length + i),
    );
    ids.push(...(await records.write(postItems, { feed: FEED, drafts })));
    if (ids.length % 100_000 === 0) say(`${ids.length.toLocaleString('en-US')} items`);
  }
  const seconds = (performance.now() - started) / 1_000;
  say(`loaded ${Math.round(items / seconds).toLocaleString('en-US')} items/s`);
  return ids;
}

function draft(n: number): { author: string; markup: string } {
  const who = `user${(n * 7919) % 10_000}`;
  return {
    author: who,
    markup: `Item ${n} for <user username="${who}">${who}</user>, and some words beside.`,
  };
}

async function pinOf(records: Records): Promise<Pin> {
  const { paged } = await ask(records, { by: 'page', page: 1 });
  if (paged === undefined) throw new Error('the page has no pin');
  return paged.pin;
}

function casesOf(ids: readonly string[], pin: Pin): Case[] {
  const pages = Math.floor(ids.length / LIMIT);
  const anywhere = (n: number): number => 1 + ((n * 7919) % pages);
  const deep = (n: number): number => Math.max(1, pages - (n % 100));
  return [
    { name: 'page 1', place: () => ({ by: 'page', page: 1 }) },
    { name: `pages around ${pages.toLocaleString('en-US')}`, place: (n) => ({ by: 'page', page: deep(n) }) },
    { name: 'any page', place: (n) => ({ by: 'page', page: anywhere(n) }) },
    { name: 'page 1, as of the start', place: () => ({ by: 'page', page: 1, pin }) },
    { name: 'any page, as of the start', place: (n) => ({ by: 'page', page: anywhere(n), pin }) },
    { name: 'first page by cursor', place: () => ({ by: 'id' }) },
    {
      name: 'max_id anywhere',
      place: (n) => ({ by: 'id', maxId: ids[(n * 104_729) % ids.length] }),
    },
  ];
}

async function ask(records: Records, place: PagePlace): Promise<EntryPage> {
  return await records.read(pageOfFeed, { feed: FEED, filter: {}, order: 'desc', limit: LIMIT, place });
}

/** Posts and deletes one item at a time, with pauses, until stopped, like a busy feed. */
async function change(records: Records, ids: readonly string[], signal: AbortSignal): Promise<number> {
  let changes = 0;
  for (; !signal.aborted; changes++) {
    if (changes % 2 === 0) await records.write(postItem, { feed: FEED, draft: draft(changes) });
    else {
      const id = ids[(changes * 15_485_863) % ids.length]!;
      await records.write(deleteItem, { feed: FEED, id }).catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return changes;
}

/** Every case once per round, so that other load on the machine affects all cases alike. */
async function askInTurns(records: Records, cases: readonly Case[], rounds: number): Promise<number[][]> {
  const times: number[][] = cases.map(() => []);
  for (let round = 0; round < rounds + WARM_UP; round++) {
    for (const [at, { place }] of cases.entries()) {
      const started = performance.now();
      const { entries, paged } = await ask(records, place(round));
      if (round >= WARM_UP) times[at]!.push((performance.now() - started) * 1_000);
      if (entries.length + (paged?.deleted.length ?? 0) === 0) throw new Error('a page is empty');
    }
  }
  return times;
}

function figuresOf(cases: readonly Case[], times: readonly number[][]): FeedFigure[] {
  const medians = times.map((all) => quantile(all, 0.5));
  return cases.map(({ name }, at) => ({
    name,
    median: medians[at]!,
    p99: quantile(times[at]!, 0.99),
    ratio: medians[at]! / medians[0]!,
  }));
}

function quantile(all: readonly number[], q: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '1000' },
      json: { type: 'string' },
    },
  });
  const items = Number(values.items);
  const figures = await benchFeed(items, Number(values.rounds));
  for (const { name, median, p99, ratio } of figures) {
    const cells = [`${median.toFixed(0)} µs`, `p99 ${p99.toFixed(0)} µs`, `${ratio.toFixed(2)} × page 1`];
    process.stdout.write(`${name.padEnd(28)}${cells.map((cell) => cell.padStart(16)).join('')}\n`);
  }
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ items, figures }, null, 1)}\n`);
}
