// The list of holds: paging meets each hold once, newest first, forwards and backwards, under all filters. A
// hold whose time is up is expired, marked or not.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { server } from './ask.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });

interface HoldShown {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly reference: string | null;
  readonly status: string;
  readonly created_at: string;
}

for (const id of ['a', 'b', 'c'])
  await ask('POST /api/accounts', { id, currency: 'EUR', allow_negative: true });
for (const id of ['x', 'y']) await ask('POST /api/accounts', { id, currency: 'JPY', allow_negative: true });
const SIDES = [
  ['a', 'b'],
  ['b', 'a'],
  ['b', 'c'],
  ['x', 'y'],
] as const;
const ids: string[] = [];
let over = 0;
for (let i = 0; i < 24; i++) {
  const [from, to] = SIDES[i % SIDES.length]!;
  // Later than it takes to ask for it, on any machine.
  if (i % 5 === 4) over = Date.now() + 2_000;
  const soon = { expires_at: new Date(over).toISOString() };
  const made = await ask('POST /api/holds', {
    ...{ from, to, money: '1', reference: `r${i % 3}` },
    ...(i % 5 === 4 ? soon : {}),
  });
  assert.equal(made.status, 201, made.text);
  ids.unshift(made.body.id);
  if (i % 7 === 1) await ask(`POST /api/holds/${made.body.id}/post`);
  if (i % 7 === 2) await ask(`POST /api/holds/${made.body.id}/void`);
}
while (Date.now() <= over) await new Promise((resolve) => setTimeout(resolve, 50));
const all: HoldShown[] = [];
for (const id of ids) all.push((await ask(`GET /api/holds/${id}`)).body);

/** All pages of a query, then the same backwards. */
async function walk(query: string, limit: number): Promise<string[]> {
  const pages: string[][] = [];
  let reply = await ask(`GET /api/holds?limit=${limit}${query}`);
  for (;;) {
    assert.equal(reply.status, 200, reply.text);
    pages.push(reply.body.items.map(({ id }: HoldShown) => id));
    assert.equal(reply.body.more, reply.body.next !== undefined);
    if (reply.body.next === undefined) break;
    reply = await ask(`GET /api/holds?limit=${limit}${query}&next_token=${reply.body.next}`);
  }
  const back: string[][] = [pages.at(-1)!];
  while (reply.body.prev !== undefined) {
    reply = await ask(`GET /api/holds?limit=${limit}${query}&prev_token=${reply.body.prev}`);
    back.unshift(reply.body.items.map(({ id }: HoldShown) => id));
  }
  assert.deepEqual(back, pages, query);
  return pages.flat();
}

const middle = all[10]!.created_at;
const CASES: readonly [query: string, holds: (hold: HoldShown) => boolean][] = [
  ['', () => true],
  ['&account=a', ({ from, to }) => from === 'a' || to === 'a'],
  ['&account=b&status=pending', ({ from, to, status }) => [from, to].includes('b') && status === 'pending'],
  ['&status=expired', ({ status }) => status === 'expired'],
  ['&status=posted', ({ status }) => status === 'posted'],
  ['&status=voided&currency=EUR', ({ status, currency }) => status === 'voided' && currency === 'EUR'],
  ['&reference=r1', ({ reference }) => reference === 'r1'],
  ['&currency=JPY', ({ currency }) => currency === 'JPY'],
  [`&since=${middle}`, (hold) => hold.created_at >= middle],
  [`&until=${middle}`, (hold) => hold.created_at < middle],
];

for (const [query, wanted] of CASES) {
  test(`holds${query}`, async () => {
    const expected = all.filter(wanted).map(({ id }) => id);
    assert.ok(expected.length > 0);
    for (const limit of [1, 3, 100]) assert.deepEqual(await walk(query, limit), expected);
  });
}

test('what is no filter is refused by name', async () => {
  for (const [query, status, code, field] of [
    ['status=open', 400, 'invalid-parameter', 'status'],
    ['currency=eur', 400, 'unknown-currency', 'currency'],
    ['account=nobody', 404, 'account-not-found', 'account'],
    ['since=yesterday', 400, 'invalid-parameter', 'since'],
    ['limit=0', 400, 'invalid-parameter', 'limit'],
    ['next_token=x', 400, 'cursor-invalid', undefined],
  ] as const) {
    const reply = await ask(`GET /api/holds?${query}`);
    assert.deepEqual([reply.status, reply.body.code, reply.body.field], [status, code, field], query);
  }
  const { next } = (await ask('GET /api/holds?limit=1')).body;
  assert.equal((await ask(`GET /api/holds?status=posted&next_token=${next}`)).body.code, 'cursor-mismatch');
  assert.equal((await ask(`GET /api/transactions?next_token=${next}`)).body.code, 'cursor-mismatch');
});
