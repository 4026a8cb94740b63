// Servers that write while their records move: several at once, each noting what was acknowledged, until all of them are told
// that the records are gone. Then nothing of it may be missing at the target, and nothing twice.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAccount,
  listTransfers,
  type MovePhase,
  moveRecords,
  openRecords,
  pageOfFeed,
  postItem,
  postItems,
  type Records,
  RecordsError,
  type RecordsMove,
  transfer,
  verifyJournal,
} from '../src/index.ts';
import { Inhabitant, moveIn, seen } from './lived-in.ts';

const PAYERS = 4;
/** Writers of a kind for each server: commits are shared by those who wait together. */
const ALIKE = 3;
/** Between two writes of one, in ms. */
const REST_MS = 5;
let runs = 0;

/** What writers were told. */
interface Told {
  /** No other move has had this name. */
  readonly run: string;
  readonly transfers: string[];
  readonly items: string[];
  /** Refusals by their code. */
  readonly refused: Map<string, number>;
}

/** Fills a place, so that there is something to copy. */
export async function settle(place: string, steps: number): Promise<void> {
  const records = await openRecords(place);
  await moveIn(records);
  for (let i = 0; i < PAYERS; i++)
    await records.write(createAccount, { id: `payer${i}`, currency: 'EUR', allowNegative: i === 0 });
  const draft = { author: 'ada', text: 'one of #many by @bob' };
  for (let i = 0; i < 5; i++)
    await records.write(postItems, { feed: 'many', drafts: Array(400).fill(draft) });
  await new Inhabitant(records, 21).live(steps);
  await records.close();
}

/** Moves from one place to another under writers of all `openers`, which must be open, and checks what came of it. */
export async function moveUnderWriters(
  places: { readonly from: string; readonly to: string; readonly mayHold?: boolean },
  openers: readonly Records[],
  onPhase?: (phase: MovePhase) => void,
): Promise<{ readonly move: RecordsMove; readonly acknowledged: number }> {
  const told: Told = { run: `run${++runs}`, transfers: [], items: [], refused: new Map() };
  const stop = { now: false };
  const writers = openers.flatMap((records, at) =>
    Array.from({ length: ALIKE }, (_, i) => [
      pay(records, at * ALIKE + i, told, stop),
      post(records, at * ALIKE + i, told, stop),
    ]).flat(),
  );
  const others = openers.map((records, at) => live(records, at, stop));
  let move: RecordsMove;
  try {
    move = await moveRecords({
      mayHold: false,
      ...places,
      cutover: true,
      ...(onPhase === undefined ? {} : { onPhase }),
    });
    // They have all been told: each goes on until then.
    await Promise.all(writers);
  } finally {
    stop.now = true;
    await Promise.allSettled(writers);
    await Promise.all(others);
  }
  assert.equal(told.refused.get('records-moved'), writers.length);
  assert.deepEqual(
    [...told.refused.keys()].filter(
      (code) => !['records-moved', 'store-busy', 'insufficient-funds'].includes(code),
    ),
    [],
  );
  // Reading goes on where they were, and shows the same as at the target.
  const left = await seen(openers[0]!);
  const there = await openRecords(places.to);
  try {
    assert.deepEqual(await seen(there), left);
    const { findings } = await there.read(verifyJournal, undefined);
    assert.deepEqual(findings, []);
    const ids = await transfersOf(there);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      told.transfers.filter((id) => !new Set(ids).has(id)),
      [],
    );
    const items = await itemsOf(there, told.run);
    assert.equal(new Set(items).size, items.length);
    assert.deepEqual(told.items.toSorted(), items.toSorted());
    await new Inhabitant(there, 77).live(40);
    assert.deepEqual((await there.read(verifyJournal, undefined)).findings, []);
  } finally {
    await there.close();
  }
  return { move, acknowledged: told.transfers.length + told.items.length };
}

/** True where it goes on after an error. */
function goesOn(error: unknown, told: Told): boolean {
  if (!(error instanceof RecordsError)) throw error;
  told.refused.set(error.code, (told.refused.get(error.code) ?? 0) + 1);
  if (error.code === 'records-moved') assert.equal(error.status, 503);
  return error.code !== 'records-moved';
}

async function pay(records: Records, seed: number, told: Told, stop: { now: boolean }): Promise<void> {
  for (let i = seed; !stop.now; i++) {
    const [from, to] = [`payer${i % PAYERS}`, `payer${(i + 1 + (seed % 2)) % PAYERS}`];
    const idempotency = { principal: `${told.run}.${seed}`, key: `k${i}`, fingerprint: 'f' };
    try {
      const made = await records.write(
        transfer,
        { from, to, money: '0.50' },
        i % 3 === 0 ? { idempotency } : undefined,
      );
      told.transfers.push(made.id);
    } catch (error) {
      if (!goesOn(error, told)) return;
    }
    await sleep(REST_MS);
  }
}

async function post(records: Records, seed: number, told: Told, stop: { now: boolean }): Promise<void> {
  for (let i = 0; !stop.now; i++) {
    try {
      const draft = { author: 'ada', text: `${seed}.${i} @bob #busy` };
      told.items.push((await records.write(postItem, { feed: told.run, draft })).id);
    } catch (error) {
      if (!goesOn(error, told)) return;
    }
    await sleep(REST_MS);
  }
}

/** All else that people do; its refusals are its own. */
async function live(records: Records, seed: number, stop: { now: boolean }): Promise<void> {
  const somebody = new Inhabitant(records, 1_000 + seed);
  for (; !stop.now; await sleep(REST_MS)) await somebody.live(1);
}

async function transfersOf(records: Records): Promise<string[]> {
  const ids: string[] = [];
  for (let after: bigint | undefined; ; ) {
    const page = await records.read(listTransfers, {
      limit: 1_000,
      ...(after === undefined ? {} : { after }),
    });
    ids.push(...page.rows.map(({ id }) => id));
    if (!page.hasNext) return ids;
    after = page.rows.at(-1)!.position;
  }
}

async function itemsOf(records: Records, feed: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const place = { by: 'page', page } as const;
    const { entries } = await records.read(pageOfFeed, { feed, filter: {}, order: 'asc', limit: 500, place });
    ids.push(...entries.map(({ id }) => id));
    if (entries.length < 500) return ids;
  }
}
