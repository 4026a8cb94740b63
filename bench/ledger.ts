// What does a transfer cost the server? Single transfers over HTTP keep-alive from 64 connections, then batches, durable
// when answered; the CPU time of the server process is read from /proc (Linux). The cost of a sync stands beside, as a
// commit waits for one. Targets: 20,000 single transfers per second of server CPU, 100,000 in batches; drift 0.
//
//   node bench/ledger.ts [--transfers 50000] [--connections 64] [--batch 1000] [--json FILE]

import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ACCOUNTS = 10;
const OCTAVO = new URL('../packages/server/bin/octavo.js', import.meta.url).pathname;

export interface LedgerFigures {
  /** Transfers per second of wall time, and of CPU time of the server. */
  readonly single: { readonly perSecond: number; readonly perCpuSecond: number };
  readonly batched: { readonly perSecond: number; readonly perCpuSecond: number };
  /** Median microseconds of writing 4 KiB and syncing, on the same disk. */
  readonly syncMicros: number;
  /** The sum of all balances, in minor units: zero, or the ledger is wrong. */
  readonly drift: bigint;
}

/** Runs a server of its own on an empty directory. */
export async function benchLedger(
  transfers: number,
  connections: number,
  batch: number,
): Promise<LedgerFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-ledger-'));
  const server = await startServer(join(dir, 'data'));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const post = (path: string, body?: object): Promise<void> => send(agent, server.address, path, body);
  try {
    await post('/api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true });
    for (let at = 0; at < ACCOUNTS; at++) {
      await post('/api/accounts', { id: `a${at}`, currency: 'EUR' });
      await post(`/api/transaction?from=bank&to=a${at}&money=1000000`);
    }
    const pair = (n: number): [string, string] => [
      `a${n % ACCOUNTS}`,
      `a${(n * 7 + 1 + (n % 3)) % ACCOUNTS}`,
    ];
    const one = async (n: number): Promise<void> => {
      const [from, to] = pair(n);
      await post(`/api/transaction?from=${from}&to=${from === to ? 'bank' : to}&money=0.01`);
    };
    await inParallel(Math.min(transfers, 2_000), connections, one);
    const single = await timed(server.process, transfers, () => inParallel(transfers, connections, one));
    const many = async (n: number): Promise<void> => {
      const rows = Array.from({ length: batch }, (_, i) => {
        const [from, to] = pair(n * batch + i);
        return { from, to: from === to ? 'bank' : to, money: '0.01' };
      });
      await post('/api/transactions/batch', { transfers: rows });
    };
    const batches = Math.max(1, Math.floor((transfers * 4) / batch));
    const batched = await timed(server.process, batches * batch, () => inParallel(batches, 4, many));
    return { single, batched, syncMicros: syncCost(dir), drift: await driftOf(server.address) };
  } finally {
    agent.destroy();
    server.process.kill('SIGTERM');
    await new Promise((resolve) => server.process.once('close', resolve));
    rmSync(dir, { recursive: true, force: true });
  }
}

async function startServer(data: string): Promise<{ process: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [OCTAVO, 'serve', '--quiet', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) {
    const address = /listens on (\S+)/.exec(String(chunk))?.[1];
    if (address !== undefined) return { process: child, address };
  }
  throw new Error('the server did not start');
}

async function send(agent: Agent, address: string, path: string, body?: object): Promise<void> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  await new Promise<void>((resolve, reject) => {
    const headers = text === undefined ? {} : { 'content-type': 'application/json' };
    const call = request(`${address}${path}`, { agent, method: 'POST', headers }, (reply) => {
      reply.resume();
      reply.once('end', () => {
        if (reply.statusCode === 201) resolve();
        else reject(new Error(`${path}: ${reply.statusCode}`));
      });
    });
    call.once('error', reject);
    call.end(text);
  });
}

async function inParallel(count: number, width: number, run: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}

async function timed(
  server: ChildProcess,
  count: number,
  run: () => Promise<void>,
): Promise<{ perSecond: number; perCpuSecond: number }> {
  const cpu = cpuSeconds(server);
  const started = performance.now();
  await run();
  const seconds = (performance.now() - started) / 1_000;
  return { perSecond: count / seconds, perCpuSecond: count / Math.max(0.01, cpuSeconds(server) - cpu) };
}

/** User and system time of all threads of a process; proc(5), in ticks of 1/100 s. */
function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
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

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      transfers: { type: 'string', default: '50000' },
      connections: { type: 'string', default: '64' },
      batch: { type: 'string', default: '1000' },
      json: { type: 'string' },
    },
  });
  const figures = await benchLedger(
    Number(values.transfers),
    Number(values.connections),
    Number(values.batch),
  );
  const whole = (n: number): string => Math.round(n).toLocaleString('en-US').padStart(10);
  process.stdout.write(
    `                    a second   a second of server CPU\n` +
      `single transfers  ${whole(figures.single.perSecond)}   ${whole(figures.single.perCpuSecond)}\n` +
      `in batches        ${whole(figures.batched.perSecond)}   ${whole(figures.batched.perCpuSecond)}\n` +
      `a sync of 4 KiB takes ${Math.round(figures.syncMicros)} µs; drift ${figures.drift}\n`,
  );
  if (values.json !== undefined) {
    writeFileSync(values.json, JSON.stringify({ ...figures, drift: String(figures.drift) }, null, 2));
  }
}
