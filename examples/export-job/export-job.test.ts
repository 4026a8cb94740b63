// The job is killed in the middle of its pages, while documents come and go, and started again until it ends. Each document that was
// there all the time is in the file once.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type BulkOperation, OctavoClient } from '@octavo/client';
import { startServer } from '../../packages/client/test/server.ts';

const JOB = fileURLToPath(new URL('export-job.ts', import.meta.url));
const DOCUMENTS = 8_000;
/** Of each run but the last: the page behind which it is killed, and how long after the reply. */
const KILLS = [
  { page: 1, ms: 0 },
  { page: 2, ms: 1 },
  { page: 3, ms: 0 },
  { page: 1, ms: 5 },
] as const;

const idOf = (n: number): string => `d${String(n).padStart(6, '0')}`;

/** Passes requests on to a server, and calls back behind each reply. */
async function proxyTo(url: string, onReply: (page: number) => void): Promise<{ url: string; end(): void }> {
  let page = 0;
  const proxy: Server = createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray());
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${request.url}`, { method: 'POST', headers, body });
    reply.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    onReply(++page);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    end: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** Runs the job, killed behind a page if there is one. Returns its exit code, null if it was killed. */
async function runJob(server: string, file: string, kill?: (typeof KILLS)[number]): Promise<number | null> {
  const proxy = await proxyTo(server, (page) => {
    if (page === kill?.page) void sleep(kill.ms).then(() => job.kill('SIGKILL'));
  });
  const env = { ...process.env, OCTAVO_URL: proxy.url };
  const job = spawn(process.execPath, [JOB, 'docs', file], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(job, 'exit')) as [number | null];
  proxy.end();
  return code;
}

test('an export that is killed again and again misses nothing and repeats nothing', async () => {
  const server = await startServer();
  const documents = new OctavoClient({ url: server }).documents<{ n: number }>('docs');
  const write = async (operations: Iterable<BulkOperation<{ n: number }>>): Promise<void> => {
    for await (const result of documents.bulk(operations))
      assert.ok(result.status < 300, String(result.status));
  };
  await write(
    Array.from({ length: DOCUMENTS }, (_, n) => ({ op: 'index', id: idOf(n), source: { n } }) as const),
  );
  const folder = await mkdtemp(join(tmpdir(), 'octavo-export-job-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'docs.ndjson');
  const isStable = (n: number): boolean => n % 10 < 8;
  for (const [round, kill] of KILLS.entries()) {
    assert.equal(await runJob(server, file, kill), null, 'it was killed');
    // All over the list: documents that change, that go, and that are new.
    await write(
      Array.from({ length: 100 }, (_, at) => at * 80).flatMap((from) => [
        { op: 'index', id: idOf(from + 8), source: { n: -round } } as const,
        { op: 'index', id: `${idOf(from)}-${round}`, source: { n: from } } as const,
        ...(round === 0 ? [{ op: 'delete', id: idOf(from + 9) } as const] : []),
      ]),
    );
  }
  assert.equal(await runJob(server, file), 0);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const exported = lines.map((line) => JSON.parse(line) as { id: string; source: { n: number } });
  const ids = exported.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)].sort(), 'each once, in order');
  const found = new Map(exported.map(({ id, source }) => [id, source.n]));
  for (let n = 0; n < DOCUMENTS; n++) if (isStable(n)) assert.equal(found.get(idOf(n)), n, idOf(n));
});
