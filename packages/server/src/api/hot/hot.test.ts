// Does the short way of a transfer say what the long way says? The same requests over a connection, where the short way is,
// and injected into the framework, where it is not.

import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { after, before, test } from 'node:test';
import { openRecords, verifyJournal } from '@octavo/records';
import fc from 'fast-check';
import { server } from '../../../test/ask.ts';
import { eventually } from '../../../test/eventually.ts';
import { listen } from '../../serve.ts';
import { ACCOUNT_PATTERN } from '../accounts/schema.ts';
import { readTransferQuery } from './query.ts';

interface Said {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: replies are read by tests as they expect them
  readonly body: any;
}

const lines: string[] = [];
const records = await openRecords(':memory:');
const { ask, app } = await server({
  records,
  logLevel: 'info',
  logStream: { write: (line) => void lines.push(line) },
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let address = '';

before(async () => {
  address = await listen(app, { port: 0 });
  await ask('POST /api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true });
  for (const id of ['ada', 'bob']) await ask('POST /api/accounts', { id, currency: 'EUR' });
  await ask('POST /api/accounts', { id: 'yen', currency: 'JPY' });
});
after(async () => {
  agent.destroy();
  await app.close();
  await records.close();
});

const send = (path: string, headers: Record<string, string> = {}, body?: string): Promise<Said> =>
  new Promise((resolve, reject) => {
    const call = request(`${address}${path}`, { agent, method: 'POST', headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      reply.on('end', () =>
        resolve({ status: reply.statusCode!, headers: reply.headers, body: JSON.parse(text) }),
      );
    });
    call.once('error', reject);
    call.end(body);
  });

/** Without what differs from one request to the next, and what only a connection has. */
const plain = ({ status, headers, body }: Omit<Said, 'headers'> & { headers: object }): unknown => {
  const { id, created_at, instance, ...rest } = body;
  const names = Object.keys(headers)
    .filter((name) => !['date', 'connection', 'keep-alive', 'transfer-encoding'].includes(name))
    .sort();
  const { 'content-type': type, 'cache-control': cache } = headers as Record<string, unknown>;
  return { status, rest, given: [typeof id, typeof created_at, typeof instance], names, type, cache };
};

const both = async (path: string, headers: Record<string, string> = {}): Promise<Said> => {
  const short = await send(path, headers);
  const long = await ask(`POST ${path}`, undefined, headers);
  assert.deepEqual(plain(short), plain(long), path);
  return short;
};

test('transfers, refusals and mistakes are answered alike', async () => {
  const made = await both('/api/transaction?from=bank&to=ada&money=5&currency=EUR&reference=a+%C3%A4%22b');
  assert.equal(made.status, 201);
  assert.deepEqual(
    [made.body.reference, made.headers['location']],
    ['a ä"b', `/api/transactions/${made.body.id}`],
  );
  for (const query of [
    'from=bank&to=ada&money=1',
    'from=bank&to=ada&money=',
    'from=bank&to=ada&money=1e3',
    'from=bank&to=bank&money=1',
    'from=bank&to=nobody&money=1',
    'from=ada&to=bob&money=1000',
    'from=bank&to=yen&money=1',
    'from=bank&to=ada&money=1&currency=EURO',
    'from=bank&to=ada&money=1&money=1',
    'from=bank&to=ada&money=1&x=1',
    'from=bank&to=ada&money=1&currency=',
    'from=bank&to=ada&money=1&reference=%00',
    'from=bank&to=ada&money=1&reference=%zz',
    'from=b%20a&to=ada&money=1',
    'from=bank&to=ada',
    'from=bank&to=ada&money=1&dry_run=true',
    'from=bank&to=ada&money=1&dry_run=maybe',
    'from=bank&&to=ada&money=1&',
    '__proto__=1&from=bank&to=ada&money=1',
    '',
  ])
    for (const slash of ['', '/']) await both(`/api/transaction${slash}?${query}`);
});

test('headers decide alike', async () => {
  const path = '/api/transaction?from=bank&to=ada&money=1';
  for (const headers of [
    { accept: 'text/html' },
    { accept: 'application/*;q=0.5' },
    { origin: 'https://evil.example' },
    { host: 'evil.example' },
    { 'x-request-id': 'mine-1' },
    { 'x-request-id': 'not sane' },
    { 'idempotency-key': ' ' },
    { 'idempotency-key': 'ä' },
  ] as Record<string, string>[])
    await both(path, headers);
  assert.equal((await send(path, { 'x-request-id': 'mine-1' })).headers['x-request-id'], 'mine-1');
  const withBody = await send(path, { 'content-type': 'application/json' }, '{"to":"bob"}');
  assert.deepEqual([withBody.status, withBody.body.code], [400, 'conflicting-parameters']);
});

test('a key stands for the same request on both ways', async () => {
  const path = '/api/transaction?from=bank&to=ada&money=7&reference=k';
  const key = { 'idempotency-key': 'k-1' };
  const short = await send(path, key);
  assert.equal(short.headers['idempotent-replayed'], undefined);
  const again = await send(path, key);
  const long = await ask('POST /api/transaction/?money=7&from=bank&to=ada&reference=k', undefined, key);
  for (const replay of [again, long]) {
    assert.equal(replay.headers['idempotent-replayed'], 'true');
    assert.deepEqual(replay.body, short.body);
  }
  await both('/api/transaction?from=bank&to=ada&money=8', key);
  const refused = '/api/transaction?from=bob&to=ada&money=1000';
  await send(refused, { 'idempotency-key': 'k-2' });
  assert.equal((await both(refused, { 'idempotency-key': 'k-2' })).headers['idempotent-replayed'], 'true');
});

test('both ways at once, in the same commits: what was done is told as done', async () => {
  const before = (await ask('GET /api/accounts/bob')).body.balance_minor;
  const replies = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const key = i % 3 === 0 ? { 'idempotency-key': `both-${i}` } : {};
      const path = `/api/transaction?from=bank&to=bob&money=0.01&reference=r${i}`;
      if (i % 2 === 0) return (await fetch(address + path, { method: 'POST', headers: key })).status;
      const said = await ask(
        'POST /api/transaction',
        { from: 'bank', to: 'bob', money: '0.01', reference: `r${i}` },
        key,
      );
      assert.equal(said.body.reference, `r${i}`);
      assert.equal(said.headers['location'], `/api/transactions/${said.body.id}`);
      return said.status;
    }),
  );
  assert.deepEqual(replies, new Array(60).fill(201));
  const after = (await ask('GET /api/accounts/bob')).body.balance_minor;
  assert.equal(BigInt(after) - BigInt(before), 60n);
});

test('random query strings are answered alike', async () => {
  const part = fc.oneof(
    fc.constantFrom(
      'from=bank',
      'to=ada',
      'money=1',
      'money=0.10',
      'currency=EUR',
      'reference=x',
      'dry_run=true',
    ),
    fc.constantFrom(
      'from=ada',
      'to=%62ob',
      'external_id=',
      '=',
      'from',
      '%',
      'money=%2B1',
      'reference=a%0a',
      '',
    ),
  );
  const query = fc.oneof(
    fc.array(part, { maxLength: 5 }),
    fc.shuffledSubarray(['from=bank', 'to=ada', 'money=1', 'currency=EUR', 'reference=x'], { minLength: 3 }),
  );
  await fc.assert(
    fc.asyncProperty(query, async (parts) => void (await both(`/api/transaction?${parts.join('&')}`))),
    { numRuns: 60 },
  );
});

test('the short reader takes only accounts that the schema takes', () => {
  const schema = new RegExp(ACCOUNT_PATTERN);
  const sign = fc.constantFrom(...'aZ09._~:@-');
  // Of the signs that names have, nearly all are names; of any, nearly none.
  const names = fc.oneof(fc.string({ maxLength: 140 }), fc.string({ unit: sign, maxLength: 140 }));
  const taken = { yes: 0, no: 0 };
  fc.assert(
    fc.property(names, (id) => {
      const read = readTransferQuery(`from=${encodeURIComponent(id)}&to=b&money=1`);
      assert.equal(read !== undefined, schema.test(id));
      if (read !== undefined) assert.equal(read.from, id);
      taken[read === undefined ? 'no' : 'yes']++;
    }),
    { numRuns: 400 },
  );
  assert.ok(taken.yes > 50 && taken.no > 50, JSON.stringify(taken));
});

test('many at once on one connection each come once; lines say nothing of money; figures count', async () => {
  lines.length = 0;
  const path = '/api/transaction?from=bank&to=bob&money=0.01&reference=secret';
  const made = await Promise.all(Array.from({ length: 50 }, () => send(path)));
  assert.equal(new Set(made.map(({ body }) => body.id)).size, 50);
  // The line comes behind the answer.
  await eventually(() => assert.ok(lines.length >= 50));
  for (const line of lines) {
    assert.doesNotMatch(line, /secret[^\]]|bank/);
    const { method, path: shown, status, caller } = JSON.parse(line);
    assert.deepEqual(
      [method, shown, status, caller],
      ['POST', '/api/transaction?[secret]', 201, 'anonymous'],
    );
  }
  const { text } = await ask('GET /api/metrics');
  const count = /route="\/api\/transaction",method="POST",status="201"\} (\d+)/.exec(text)?.[1];
  assert.ok(Number(count) > 50, count);
  assert.deepEqual((await records.read(verifyJournal, undefined)).findings, []);
});
