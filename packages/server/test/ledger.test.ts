// The ledger answers over HTTP as documented: every endpoint, its problems, idempotency keys and lists.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { server } from './ask.ts';
import { openStore } from './stores.ts';

const records = await openStore();
const { ask, app } = await server({ records });
after(async () => {
  await app.close();
  await records.close();
});

const code = async (line: string, body?: unknown, headers?: Record<string, string>): Promise<string> => {
  const reply = await ask(line, body, headers);
  return `${reply.status} ${reply.body.code} ${reply.body.field}`;
};

test('accounts are opened, read, listed and closed', async () => {
  const made = await ask('POST /api/accounts/', { id: 'bank', currency: 'EUR', allow_negative: true });
  assert.deepEqual([made.status, made.headers['location']], [201, '/api/accounts/bank']);
  const { created_at, updated_at, ...rest } = made.body;
  assert.equal(created_at, updated_at);
  assert.deepEqual(rest, {
    id: 'bank',
    currency: 'EUR',
    balance: '0.00',
    balance_minor: '0',
    held: '0.00',
    held_minor: '0',
    available: '0.00',
    available_minor: '0',
    allow_negative: true,
    closed: false,
  });
  for (const id of ['ada', 'bob', 'cyn']) {
    assert.equal((await ask('POST /api/accounts', { id, currency: 'EUR' })).status, 201);
  }
  assert.equal((await ask('POST /api/accounts', { id: 'yen', currency: 'JPY' })).status, 201);
  assert.equal(await code('POST /api/accounts', { id: 'ada', currency: 'EUR' }), '409 already-exists id');
  assert.equal(
    await code('POST /api/accounts', { id: 'x', currency: 'EURO' }),
    '400 unknown-currency currency',
  );
  assert.equal(await code('POST /api/accounts', { id: 'a/b', currency: 'EUR' }), '400 invalid-body id');
  assert.equal(await code('GET /api/accounts/nobody'), '404 account-not-found id');
  const first = await ask('GET /api/accounts?limit=2&currency=EUR');
  assert.deepEqual(
    [first.body.items.map(({ id }: { id: string }) => id), first.body.more, first.body.prev],
    [['ada', 'bank'], true, undefined],
  );
  assert.match(String(first.headers['link']), /rel="next"/);
  const next = await ask(`GET /api/accounts?limit=2&currency=EUR&next_token=${first.body.next}`);
  assert.deepEqual(
    [next.body.items.map(({ id }: { id: string }) => id), next.body.more],
    [['bob', 'cyn'], false],
  );
  const back = await ask(`GET /api/accounts?limit=2&currency=EUR&prev_token=${next.body.prev}`);
  assert.deepEqual(back.body.items, first.body.items);
  assert.equal(
    await code(`GET /api/accounts?next_token=${first.body.next}`),
    '400 cursor-mismatch undefined',
  );
  assert.equal(
    await code(`GET /api/accounts?currency=EUR&prev_token=${first.body.next}`),
    '400 cursor-invalid undefined',
  );
  const closed = await ask('PATCH /api/accounts/cyn', { closed: true });
  assert.deepEqual([closed.status, closed.body.closed], [200, true]);
  assert.equal(await code('PATCH /api/accounts/cyn', { currency: 'USD' }), '400 invalid-body currency');
});

test('money moves by query string or body', async () => {
  const done = await ask('POST /api/transaction/?from=bank&to=ada&money=100&reference=pay');
  assert.equal(done.status, 201, done.text);
  const { id, created_at, ...rest } = done.body;
  assert.equal(done.headers['location'], `/api/transactions/${id}`);
  assert.deepEqual(rest, {
    kind: 'transfer',
    from: 'bank',
    to: 'ada',
    currency: 'EUR',
    money: '100.00',
    money_minor: '10000',
    reference: 'pay',
    external_id: null,
    hold: null,
    reverses: null,
  });
  assert.deepEqual((await ask(`GET /api/transactions/${id}`)).body, done.body);
  const byBody = await ask('POST /api/transaction', {
    from: 'ada',
    to: 'bob',
    money: '0.5',
    external_id: 'e1',
  });
  assert.equal(byBody.status, 201);
  assert.equal(
    (await ask('POST /api/transaction?from=ada', { from: 'ada', to: 'bob', money: '1' })).status,
    201,
  );
  assert.equal(
    await code('POST /api/transaction?from=ada', { from: 'bob', to: 'bob', money: '1' }),
    '400 conflicting-parameters from',
  );
  const empty = await ask('POST /api/transaction?from=ada&to=bob&money=1', '', {
    'content-type': 'text/plain',
  });
  assert.equal(empty.status, 201);
  assert.equal(
    await code('POST /api/transaction?from=ada&to=bob&money=1&money=1'),
    '400 repeated-parameter money',
  );
  assert.equal(await code('POST /api/transaction?from=ada&to=bob'), '400 invalid-parameter money');
  assert.equal((await ask('GET /api/accounts/ada')).body.balance, '97.50');
  const past = (await ask(`GET /api/accounts/ada?at=${created_at}`)).body;
  assert.equal(past.held, undefined);
  assert.ok(['100.00', '99.50', '98.50', '97.50'].includes(past.balance));
  assert.equal(await code('GET /api/accounts/ada?at=1969-01-01T00:00:00Z'), '400 invalid-parameter at');
  assert.equal(await code('GET /api/accounts/ada?at=9999-12-31T23:59:59Z'), '400 invalid-parameter at');
  assert.equal(await code('GET /api/accounts/ada?at=2026-02-30T00:00:00Z'), '400 invalid-parameter at');
  assert.equal(await code('GET /api/accounts/ada?at=2026-02-30'), '400 invalid-parameter at');
  assert.equal(await code('GET /api/accounts/ada?at=2026-13-01T00:00:00Z'), '400 invalid-parameter at');
});

test('amounts that are none, and refusals', async () => {
  const wrong = [
    '1e3',
    ' 1',
    '+1',
    '1,0',
    '0',
    '0.00',
    '-1',
    '1.001',
    '92233720368547758.08',
    '',
    '01',
    '.5',
    '1.',
    'x',
  ];
  for (const money of wrong) {
    const line = `POST /api/transaction?from=bank&to=ada&money=${encodeURIComponent(money)}`;
    assert.equal(await code(line), '400 invalid-money money', money);
    assert.equal(
      await code('POST /api/transaction', { from: 'bank', to: 'ada', money, currency: 'EUR' }),
      '400 invalid-money money',
    );
  }
  assert.equal(await code('POST /api/transaction?from=bank&to=ada&money=+1'), '400 invalid-money money');
  assert.equal(
    await code('POST /api/transaction', { from: 'bank', to: 'ada', money: 1 }),
    '400 invalid-body money',
  );
  const pay = (more: string): Promise<string> => code(`POST /api/transaction?money=1&${more}`);
  assert.equal(await pay('from=ada&to=ada'), '422 same-account to');
  assert.equal(await pay('from=ada&to=no'), '404 account-not-found to');
  assert.equal(await pay('from=ada&to=cyn'), '422 account-closed to');
  assert.equal(await pay('from=ada&to=yen'), '422 currency-mismatch to');
  assert.equal(await pay('from=ada&to=bob&external_id=e1'), '409 external-id-taken external_id');
  assert.equal(
    await code('POST /api/transaction?from=ada&to=bob&money=1000'),
    '422 insufficient-funds money',
  );
  const dry = await ask('POST /api/transaction?from=ada&to=bob&money=1&dry_run=true');
  assert.deepEqual(
    [dry.status, dry.body.dry_run, dry.body.money, dry.body.id],
    [200, true, '1.00', undefined],
  );
  assert.equal((await ask('GET /api/accounts/ada')).body.balance, '97.50');
});

test('a request sent twice happens once', async () => {
  const line = 'POST /api/transaction?from=ada&to=bob&money=1';
  const headers = { 'idempotency-key': 'k1' };
  const first = await ask(line, undefined, headers);
  const again = await ask(line, undefined, headers);
  assert.deepEqual(
    [first.headers['idempotent-replayed'], again.headers['idempotent-replayed']],
    [undefined, 'true'],
  );
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal(
    await code('POST /api/transaction?from=ada&to=bob&money=2', undefined, headers),
    '422 idempotency-key-reused Idempotency-Key',
  );
  // The same amount, but not the same request.
  assert.equal(
    await code('POST /api/transaction?from=ada&to=bob&money=1.00', undefined, headers),
    '422 idempotency-key-reused Idempotency-Key',
  );
  const poor = { 'idempotency-key': 'k2' };
  const tooMuch = 'POST /api/transaction?from=cyn&to=bob&money=1';
  await ask('PATCH /api/accounts/cyn', { closed: false });
  assert.equal(await code(tooMuch, undefined, poor), '422 insufficient-funds money');
  await ask('POST /api/transaction?from=bank&to=cyn&money=1');
  const kept = await ask(tooMuch, undefined, poor);
  assert.deepEqual([kept.status, kept.headers['idempotent-replayed']], [422, 'true']);
  assert.equal((await ask(tooMuch)).status, 201);
  const invalid = { 'idempotency-key': 'k3' };
  assert.equal(
    await code('POST /api/transaction?from=bank&to=cyn&money=x', undefined, invalid),
    '400 invalid-money money',
  );
  assert.equal((await ask('POST /api/transaction?from=bank&to=cyn&money=1', undefined, invalid)).status, 201);
});

test('a server can be set to need a key for what moves money', async () => {
  const strict = await server({ records, requireIdempotencyKeys: true });
  const line = 'POST /api/transaction?from=bank&to=ada&money=1';
  for (const path of [line, 'POST /api/transactions/x/reversal', 'POST /api/holds/x/void']) {
    const reply = await strict.ask(path);
    assert.deepEqual([reply.status, reply.body.code], [400, 'idempotency-key-required'], path);
  }
  const dry = await strict.ask(`${line}&dry_run=true`);
  assert.equal(dry.status, 200);
  const bad = await strict.ask(line, undefined, { 'idempotency-key': 'ä'.repeat(3) });
  assert.deepEqual([bad.status, bad.body.code], [400, 'idempotency-key-invalid']);
});

test('batches, reversals and holds', async () => {
  const transfers = [
    { from: 'bank', to: 'cyn', money: '2' },
    { from: 'cyn', to: 'bob', money: '2' },
  ];
  const dry = await ask('POST /api/transactions/batch', { transfers, dry_run: true });
  assert.deepEqual([dry.status, dry.body.items.length], [200, 2]);
  const batch = await ask('POST /api/transactions/batch', { transfers });
  assert.equal(batch.status, 201, batch.text);
  assert.equal(
    await code('POST /api/transactions/batch', {
      transfers: [transfers[0], { ...transfers[1], money: '9999' }],
    }),
    '422 insufficient-funds transfers[1].money',
  );
  const { id } = batch.body.items[1];
  const back = await ask(`POST /api/transactions/${id}/reversal`, { reference: 'sorry' });
  assert.deepEqual([back.status, back.body.reverses, back.body.kind], [201, id, 'reversal']);
  assert.equal(await code(`POST /api/transactions/${id}/reversal`), '422 already-reversed undefined');
  assert.equal(await code('POST /api/transactions/nope/reversal'), '404 transfer-not-found id');
  const hold = await ask('POST /api/holds', {
    from: 'ada',
    to: 'bob',
    money: '10',
    expires_at: '2999-01-01T00:00:00Z',
  });
  assert.deepEqual([hold.status, hold.body.status, hold.body.transaction], [201, 'pending', null]);
  const held = (await ask('GET /api/accounts/ada')).body;
  assert.deepEqual([held.balance, held.held, held.available], ['96.50', '10.00', '86.50']);
  const posted = await ask(`POST /api/holds/${hold.body.id}/post`, { money: '4' });
  assert.equal(posted.status, 201, posted.text);
  assert.deepEqual(
    [posted.body.hold.status, posted.body.transaction.money, posted.body.transaction.hold],
    ['posted', '4.00', hold.body.id],
  );
  assert.equal((await ask(`GET /api/holds/${hold.body.id}`)).body.transaction, posted.body.transaction.id);
  assert.equal(await code(`POST /api/holds/${hold.body.id}/void`), '422 hold-not-pending id');
  assert.equal(
    await code('POST /api/holds', { from: 'ada', to: 'bob', money: '1', expires_at: '2001-01-01T00:00:00Z' }),
    '400 invalid-parameter expires_at',
  );
  const other = await ask('POST /api/holds', { from: 'ada', to: 'bob', money: '1' });
  assert.equal((await ask(`POST /api/holds/${other.body.id}/void`)).body.status, 'voided');
});

test('the list walks both ways', async () => {
  const all = (await ask('GET /api/transactions?limit=100&account=ada')).body.items;
  assert.ok(all.length > 3);
  const seen: unknown[] = [];
  let page = (await ask('GET /api/transactions?limit=2&account=ada')).body;
  for (;;) {
    seen.push(...page.items);
    if (page.next === undefined) break;
    page = (await ask(`GET /api/transactions?limit=2&account=ada&next_token=${page.next}`)).body;
  }
  assert.deepEqual(seen, all);
  const prev = (await ask(`GET /api/transactions?limit=2&account=ada&prev_token=${page.prev}`)).body;
  assert.deepEqual(prev.items, all.slice(-page.items.length - 2, -page.items.length));
  assert.equal((await ask('GET /api/transactions?external_id=e1')).body.items.length, 1);
  assert.equal(await code('GET /api/transactions?account=no'), '404 account-not-found account');
});

test('the chain is verified, and its head names the newest transaction', async () => {
  const { items } = (await ask('GET /api/transactions?limit=100')).body;
  const before = (await ask('GET /api/ledger/verification')).body;
  assert.deepEqual([before.findings, before.transfers], [[], items.length]);
  assert.match(before.head, /^[0-9a-f]{64}$/);
  await ask('POST /api/transaction?from=ada&to=bob&money=1');
  const after = (await ask('GET /api/ledger/verification')).body;
  assert.deepEqual([after.findings, after.transfers], [[], items.length + 1]);
  assert.notEqual(after.head, before.head);
});
