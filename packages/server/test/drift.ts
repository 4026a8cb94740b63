// No money is lost or made when everything fails at once: 64 clients move money at random among 10 accounts,
// each request with a key and repeated until any server answers, while the servers are killed.

import assert from 'node:assert/strict';
import type { Served } from './process.ts';

const CLIENTS = 64;
const ACCOUNTS = 10;
const FUNDS = 2_000n;
/** Transfers of each client; more of them with OCTAVO_DRIFT_TRANSFERS. */
const TRANSFERS = Number(process.env['OCTAVO_DRIFT_TRANSFERS'] ?? 16);
/** One of them, in turn, is killed when this part of all transfers is answered. */
const KILLS = [0.25, 0.6];
const SEED = Number(process.env['OCTAVO_DRIFT_SEED'] ?? 4);

/** Numbers that look random and can be had again (Mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** What a client was told in the end. */
interface Told {
  readonly status: number;
  readonly id: unknown;
}

/** Starts the n-th server, again after it was killed. */
type StartServer = (n: number) => Promise<Served>;

/** What is under test. */
interface DriftOptions {
  readonly start: StartServer;
  readonly servers: number;
  /** Transfers of each client. */
  readonly transfers?: number;
}

/** Moves money under kills and compares what clients were told with the journal. Ends the servers. */
export async function drift({ start, servers: count, transfers = TRANSFERS }: DriftOptions): Promise<void> {
  const servers = Array.from({ length: count }, (_, n) => start(n));
  try {
    await run(start, servers, transfers);
  } finally {
    for (const server of servers) await (await server.catch(() => undefined))?.end();
  }
}

async function run(start: StartServer, servers: Promise<Served>[], transfers: number): Promise<void> {
  await open((await servers[0]!).ask);
  const told = new Map<string, Told>();
  const kills = KILLS.map((part) => Math.floor(part * CLIENTS * transfers));
  const killWhenDue = (): void => {
    if (kills[0] === undefined || told.size < kills[0]) return;
    const n = kills.length % servers.length;
    kills.shift();
    servers[n] = servers[n]!.then(async (old) => {
      await old.end('SIGKILL');
      return await start(n);
    });
  };

  /** Sends until there is an answer; sometimes once more after that, which must give the same. */
  const send = async (key: string, query: string, first: number): Promise<Told> => {
    for (let n = first; ; n++) {
      const { url } = await servers[n % servers.length]!;
      try {
        const reply = await fetch(`${url}/api/transaction/?${query}&reference=${key}`, {
          method: 'POST',
          headers: { 'idempotency-key': key },
        });
        const body = (await reply.json()) as { id?: unknown; code?: unknown };
        if (reply.status === 409 && body.code === 'idempotency-key-in-use') continue;
        if (reply.status === 503) continue;
        return { status: reply.status, id: body.id };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };

  const client = async (n: number): Promise<void> => {
    const random = randomOf(SEED * 1_000 + n);
    for (let i = 0; i < transfers; i++) {
      const key = `c${n}-${i}`;
      const from = random(ACCOUNTS);
      const to = (from + 1 + random(ACCOUNTS - 1)) % ACCOUNTS;
      const query = `from=a${from}&to=a${to}&money=${random(9) + 1}.${String(random(100)).padStart(2, '0')}`;
      const answer = await send(key, query, n + i);
      told.set(key, answer);
      killWhenDue();
      if (random(4) === 0) assert.deepEqual(await send(key, query, n), answer, key);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));

  const { ask } = await servers[0]!;
  const journal = await walk(ask);
  const byReference = new Map<unknown, string[]>();
  for (const { reference, id } of journal) {
    if (reference === null) continue;
    byReference.set(reference, [...(byReference.get(reference) ?? []), id]);
  }
  for (const [key, { status, id }] of told) {
    assert.ok(status === 201 || status === 422, `${key}: ${status}`);
    assert.deepEqual(byReference.get(key) ?? [], status === 201 ? [id] : [], key);
  }
  assert.equal(told.size, CLIENTS * transfers);
  assert.ok([...told.values()].some(({ status }) => status === 201));
  assert.deepEqual(kills, []);

  const balances = new Map<string, bigint>();
  for (const { from, to, money_minor: minor } of journal) {
    balances.set(from, (balances.get(from) ?? 0n) - BigInt(minor));
    balances.set(to, (balances.get(to) ?? 0n) + BigInt(minor));
  }
  let sum = 0n;
  const { items } = (await ask('GET /api/accounts?limit=100')).body as { items: AccountReply[] };
  for (const { id, balance_minor: minor, allow_negative: negative } of items) {
    assert.equal(BigInt(minor), balances.get(id), id);
    assert.ok(negative || BigInt(minor) >= 0n);
    if (!negative) sum += BigInt(minor);
  }
  assert.equal(sum, FUNDS * BigInt(ACCOUNTS) * 100n);
}

interface AccountReply {
  readonly id: string;
  readonly balance_minor: string;
  readonly allow_negative: boolean;
}

interface TransactionReply {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly money_minor: string;
  readonly reference: string | null;
}

async function open(ask: Served['ask']): Promise<void> {
  await ask('POST /api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true });
  for (let n = 0; n < ACCOUNTS; n++) {
    await ask('POST /api/accounts', { id: `a${n}`, currency: 'EUR' });
    await ask('POST /api/transaction', { from: 'bank', to: `a${n}`, money: String(FUNDS) });
  }
}

async function walk(ask: Served['ask']): Promise<TransactionReply[]> {
  const all: TransactionReply[] = [];
  for (let token = ''; ; ) {
    const { body } = await ask(`GET /api/transactions?limit=100${token}`);
    all.push(...(body['items'] as TransactionReply[]));
    if (body['next'] === undefined) return all;
    token = `&next_token=${String(body['next'])}`;
  }
}
