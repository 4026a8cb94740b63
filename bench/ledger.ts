// The cost of a transfer on the server. Single transfers over HTTP keep-alive from 64 connections, then
// batches, durable when acknowledged. The CPU time of the server process is read from /proc (Linux). For
// comparison: the same number of requests to a bare node:http server and a bare socket, the same work on
// PostgreSQL if it is installed, and the cost of a sync. Targets: 20,000 single transfers per second of server
// CPU, 100,000 in batches; drift 0.
//
//   node bench/ledger.ts [--transfers 50000] [--connections 64] [--batch 1000] [--postgres 5000] [--json FILE]

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel, KeepAliveClient } from './ledger/keep-alive-client.ts';
import { benchPostgres, type PostgresFigures } from './ledger/postgres-ledger.ts';
import { cpuOf, cpuSince, type ProcessCpu } from './machine/process-cpu.ts';

const ACCOUNTS = 10;
const NAMES: readonly string[] = [...Array.from({ length: ACCOUNTS }, (_, at) => `a${at}`), 'bank'];
const OCTAVO = new URL('../packages/server/bin/octavo.js', import.meta.url).pathname;
const FLOOR = new URL('./ledger/http-floor.ts', import.meta.url).pathname;
/** Warm-up requests before the measurement. */
const WARM = 20_000;

/** Transfers per second of wall time and of server CPU; microseconds of CPU per transfer by thread. */
interface Speed {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly micros: ProcessCpu;
}

interface LedgerFigures {
  readonly single: Speed;
  readonly batched: Speed;
  /** Microseconds of CPU per request of a server that does nothing else. */
  readonly bare: { readonly http: number; readonly socket: number };
  readonly postgres: PostgresFigures | undefined;
  /** Median microseconds of a synced write of 4 KiB on the same disk. */
  readonly syncMicros: number;
  /** The sum of all balances in minor units; anything but zero is an error of the ledger. */
  readonly drift: bigint;
}

/** Runs a server on an empty directory. `onPostgres` is the number of transfers there; 0 leaves PostgreSQL out. */
export async function benchLedger(
  transfers: number,
  connections: number,
  batch: number,
  onPostgres = 0,
): Promise<LedgerFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-ledger-'));
  const server = await start([OCTAVO, 'serve', '--quiet', '--port', '0', '--data', join(dir, 'data')]);
  const lanes = await KeepAliveClient.open(server.address, connections);
  try {
    await openAccounts(server.address);
    const one = async (n: number): Promise<void> => {
      const [from, to] = pair(n);
      await lanes.post(`/api/transaction?from=${from}&to=${to}&money=0.01`);
    };
    const many = async (n: number): Promise<void> => {
      const rows = Array.from({ length: batch }, (_, i) => {
        const [from, to] = pair(n * batch + i);
        return { from, to, money: '0.01' };
      });
      await lanes.post('/api/transactions/batch', JSON.stringify({ transfers: rows }));
    };
    const batches = Math.max(1, Math.floor((transfers * 4) / batch));
    // Measures a warm server, not the JIT compiler.
    await inParallel(Math.min(transfers, WARM), connections, one);
    const http = await bareCost('http', transfers, connections);
    const single = await timed(server.process, transfers, () => inParallel(transfers, connections, one));
    const socket = await bareCost('socket', transfers, connections);
    await inParallel(Math.min(batches, 20), 4, many);
    const batched = await timed(server.process, batches * batch, () => inParallel(batches, 4, many));
    const drift = await driftOf(server.address);
    const postgres = onPostgres === 0 ? undefined : await benchPostgres(onPostgres, connections, NAMES, pair);
    return { single, batched, bare: { http, socket }, postgres, syncMicros: syncCost(dir), drift };
  } finally {
    lanes.close();
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Uses a separate connection: the measured ones send only transfers. */
async function openAccounts(address: string): Promise<void> {
  const lanes = await KeepAliveClient.open(address, 1);
  try {
    await lanes.post('/api/accounts', JSON.stringify({ id: 'bank', currency: 'EUR', allow_negative: true }));
    for (const id of NAMES) {
      if (id === 'bank') continue;
      await lanes.post('/api/accounts', JSON.stringify({ id, currency: 'EUR' }));
      await lanes.post(`/api/transaction?from=bank&to=${id}&money=1000000`);
    }
  } finally {
    lanes.close();
  }
}

/** The accounts of the n-th transfer. */
function pair(n: number): readonly [from: string, to: string] {
  const from = NAMES[n % ACCOUNTS]!;
  const to = NAMES[(n * 7 + 1 + (n % 3)) % ACCOUNTS]!;
  return [from, to === from ? 'bank' : to];
}

async function bareCost(kind: 'http' | 'socket', requests: number, connections: number): Promise<number> {
  const server = await start([FLOOR, kind]);
  const lanes = await KeepAliveClient.open(server.address, connections);
  try {
    const one = (): Promise<void> => lanes.post('/api/transaction?from=a1&to=a2&money=0.01');
    await inParallel(Math.min(requests, WARM), connections, one);
    const { micros } = await timed(server.process, requests, () => inParallel(requests, connections, one));
    return micros.all;
  } finally {
    lanes.close();
    await server.stop();
  }
}

interface Running {
  readonly process: ChildProcess;
  readonly address: string;
  stop(): Promise<void>;
}

async function start(args: string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
  };
  for await (const chunk of child.stdout) {
    const address = /listens on (\S+)/.exec(String(chunk))?.[1];
    if (address !== undefined) return { process: child, address, stop };
  }
  throw new Error('the server did not start');
}

async function timed({ pid }: ChildProcess, count: number, run: () => Promise<void>): Promise<Speed> {
  const before = cpuOf(pid!);
  const began = performance.now();
  await run();
  const seconds = (performance.now() - began) / 1_000;
  const used = cpuSince(before, cpuOf(pid!));
  const micros = {
    all: used.all / count,
    serving: used.serving / count,
    workers: used.workers / count,
    helpers: used.helpers / count,
  };
  return { perSecond: count / seconds, perCpuSecond: (1e6 * count) / Math.max(10_000, used.all), micros };
}

function syncCost(dir: string): number {
  const fd = openSync(join(dir, 'sync'), 'w');
  const page = Buffer.alloc(4_096);
  const times = Array.from({ length: 101 }, () => {
    const started = performance.now();
    writeSync(fd, page);
    fsyncSync(fd);
    return (performance.now() - started) * 1_000;
  }).sort((a, b) => a - b);
  closeSync(fd);
  return times[50]!;
}

async function driftOf(address: string): Promise<bigint> {
  const reply = await fetch(`${address}/api/accounts?limit=100`);
  const { items } = (await reply.json()) as { items: { balance_minor: string }[] };
  if (items.length !== ACCOUNTS + 1) throw new Error(`there are ${items.length} accounts`);
  return items.reduce((sum, { balance_minor }) => sum + BigInt(balance_minor), 0n);
}

function printed(figures: LedgerFigures): string {
  const whole = (n: number): string => Math.round(n).toLocaleString('en-US').padStart(10);
  const micros = (n: number): string => `${n.toFixed(1)} µs`;
  const { single, batched, bare, postgres } = figures;
  const parts = ({ micros: { serving, workers, helpers } }: Speed): string =>
    `${micros(serving)} serving, ${micros(workers)} records, ${micros(helpers)} compiling and collecting`;
  const lines = [
    '                    a second   a second of server CPU',
    `single transfers  ${whole(single.perSecond)}   ${whole(single.perCpuSecond)}   ${parts(single)}`,
    `in batches        ${whole(batched.perSecond)}   ${whole(batched.perCpuSecond)}   ${parts(batched)}`,
    `a request that does nothing: ${micros(bare.http)} over node:http, ${micros(bare.socket)} over a socket; ` +
      `a transfer is ${(single.micros.all / bare.http).toFixed(2)} of the former`,
  ];
  if (postgres !== undefined)
    lines.push(
      `the same work on PostgreSQL: ${whole(postgres.perSecond).trim()} a second, ` +
        `${whole(postgres.perCpuSecond).trim()} a second of its CPU, ` +
        `${whole(postgres.perCpuSecondWithClient).trim()} with that of its client; drift ${postgres.drift}`,
    );
  lines.push(`a sync of 4 KiB takes ${Math.round(figures.syncMicros)} µs; drift ${figures.drift}`);
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      transfers: { type: 'string', default: '50000' },
      connections: { type: 'string', default: '64' },
      batch: { type: 'string', default: '1000' },
      postgres: { type: 'string', default: '5000' },
      json: { type: 'string' },
    },
  });
  const { transfers, connections, batch, postgres, json } = values;
  const figures = await benchLedger(Number(transfers), Number(connections), Number(batch), Number(postgres));
  process.stdout.write(printed(figures));
  if (json !== undefined) {
    const text = (_key: string, value: unknown): unknown =>
      typeof value === 'bigint' ? String(value) : value;
    writeFileSync(json, JSON.stringify(figures, text, 2));
  }
}
