// Two processes that post to one feed of one PostgreSQL. Reports items per second, CPU time per item on
// either side, and the wait states of the backends.
//
//   node bench/feed-writers.ts [--processes 2] [--connections 16] [--seconds 4] [--feeds 1]

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openRecords, postItem } from '../packages/records/src/index.ts';
import { startPostgres } from '../scripts/stores/postgres-server.ts';
import { cpuOfTree } from './machine/process-cpu.ts';

const SAMPLE_MS = 10;
const SAMPLES =
  "SELECT coalesce(wait_event_type || ':' || wait_event, 'running') AS state, count(*)::int AS n FROM pg_stat_activity " +
  "WHERE state IN ('active', 'idle in transaction') AND pid <> pg_backend_pid() GROUP BY 1";

/** The load of one run. */
interface Load {
  readonly processes: number;
  /** Concurrent callers per process; each has one post in flight. */
  readonly connections: number;
  readonly seconds: number;
  readonly feeds: number;
}

/** The figures of one run; CPU times are microseconds per item. */
interface WritersFigures {
  readonly perSecond: number;
  readonly clientMicros: number;
  readonly postgresMicros: number;
  /** The share of samples of busy backends in each state. */
  readonly states: Readonly<Record<string, number>>;
}

/** Undefined if PostgreSQL is not installed. */
export async function benchFeedWriters(load: Load): Promise<WritersFigures | undefined> {
  const server = await startPostgres({ durable: true });
  if (server === undefined) return undefined;
  const children: ChildProcess[] = [];
  const watcher = new Client({ host: server.socket, user: 'octavo', database: 'postgres' });
  try {
    await watcher.connect();
    const records = await openRecords(server.url);
    await records.write(postItem, { feed: 'f0', draft: { author: 'ada', text: 'first' } });
    await records.close();
    for (let n = 0; n < load.processes; n++)
      children.push(fork(import.meta.filename, ['--child', JSON.stringify(load), '--url', server.url]));
    await Promise.all(children.map((child) => once(child, 'message')));
    const before = cpuOfTree(server.pid()!);
    const started = performance.now();
    for (const child of children) child.send('go');
    const done = Promise.all(children.map((child) => once(child, 'message')));
    const states = await statesUntil(done, watcher);
    const seconds = (performance.now() - started) / 1_000;
    const said = (await done).map(([each]) => each as { items: number; micros: number });
    const items = said.reduce((sum, each) => sum + each.items, 0);
    return {
      perSecond: items / seconds,
      clientMicros: said.reduce((sum, { micros }) => sum + micros, 0) / items,
      postgresMicros: (cpuOfTree(server.pid()!) - before) / items,
      states,
    };
  } finally {
    for (const child of children) child.kill();
    await watcher.end();
    await server.stop();
  }
}

async function statesUntil(done: Promise<unknown>, watcher: Client): Promise<Record<string, number>> {
  let isDone = false;
  void done.then(() => (isDone = true));
  const counts = new Map<string, number>();
  while (!isDone) {
    const { rows } = await watcher.query<{ state: string; n: number }>(SAMPLES);
    for (const { state, n } of rows) counts.set(state, (counts.get(state) ?? 0) + n);
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).map(([state, n]) => [state, n / all]));
}

/** The child process that posts. */
async function post({ connections, seconds, feeds }: Load, url: string): Promise<void> {
  const records = await openRecords(url);
  process.send!('ready');
  await once(process, 'message');
  const before = process.cpuUsage();
  const end = performance.now() + seconds * 1_000;
  let items = 0;
  const caller = async (n: number): Promise<void> => {
    for (; performance.now() < end; items++) {
      const draft = { author: `user${n}`, markup: `Item ${items} for <user username="bob">Bob</user>` };
      await records.write(postItem, { feed: `f${n % feeds}`, draft });
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => caller(n)));
  const { user, system } = process.cpuUsage(before);
  process.send!({ items, micros: user + system });
  await records.close();
  process.disconnect();
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      processes: { type: 'string', default: '2' },
      connections: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '4' },
      feeds: { type: 'string', default: '1' },
      child: { type: 'string' },
      url: { type: 'string', default: '' },
    },
  });
  if (values.child !== undefined) await post(JSON.parse(values.child) as Load, values.url);
  else {
    const [processes, connections, seconds, feeds] = [
      values.processes,
      values.connections,
      values.seconds,
      values.feeds,
    ].map(Number) as [number, number, number, number];
    const found = await benchFeedWriters({ processes, connections, seconds, feeds });
    if (found === undefined) console.log('PostgreSQL is not installed');
    else {
      console.log(
        `${Math.round(found.perSecond)} items/s; processor time an item: ${Math.round(found.clientMicros)} µs in ` +
          `Octavo, ${Math.round(found.postgresMicros)} µs in PostgreSQL`,
      );
      for (const [state, share] of Object.entries(found.states).slice(0, 8))
        console.log(`  ${(100 * share).toFixed(1).padStart(5)} %  ${state}`);
    }
  }
}
