// A handwritten list over a table, served by node:http from one process: pages by OFFSET or keyset, filtered
// by section, hits spliced from stored JSON. It supports the part of a search body that the benchmark uses:
// `query` (match_all, a term on section, a match on body if the store has full text), `sort`, `from`,
// `search_after`, `size`. It counts totals only if `track_total_hits` asks for them.

import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isDeleted } from '../corpus/corpus.ts';
import type { PeerName, Target } from '../measure/question.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { type Body, readPageAsk, type Table, type TableRow } from './table.ts';

/** Starts a target process filled with the corpus file; or returns why it is absent. */
export async function startTable(
  name: 'sqlite' | 'postgresql',
  file: string,
  folder: string,
): Promise<{ target: Target; stop(): Promise<void> } | { why: string }> {
  const child = fork(fileURLToPath(import.meta.url), [name, file, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const answer = await new Promise<{ url?: string; why?: string }>((resolve) => {
    child.once('message', (message) => resolve(message as { url?: string; why?: string }));
    child.once('exit', (code) => resolve({ why: `its process ended (${code})` }));
  });
  if (answer.url === undefined) return { why: answer.why ?? 'it did not start' };
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.send('stop');
    });
  const target = { name: name as PeerName, url: answer.url, pid: child.pid ?? 0, data: folder };
  return { target, stop };
}

function* rowsOf(file: string): Iterable<TableRow> {
  const lines = readFileSync(file);
  let [doc, at] = [0, 0];
  while (at < lines.length) {
    const begin = lines.indexOf(10, at) + 1;
    const end = lines.indexOf(10, begin);
    const source = lines.toString('latin1', begin, end);
    if (!isDeleted(doc++)) yield { ...(JSON.parse(source) as Omit<TableRow, 'source'>), source };
    at = end + 1;
  }
}

async function answer(table: Table, body: Body): Promise<string> {
  const ask = readPageAsk(body);
  const rows = await table.page(ask);
  const hits = rows.map((row) => {
    const sort = ask.sort.map(([field]) => row[field]);
    return `{"_id":${JSON.stringify(row.id)},"_source":${row.source},"sort":${JSON.stringify(sort)}}`;
  });
  const total = body.track_total_hits === true ? `"total":{"value":${await table.count(ask)}},` : '';
  return `{"hits":{${total}"hits":[${hits.join(',')}]}}`;
}

async function read(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Body;
}

async function serve(name: string, file: string, folder: string): Promise<void> {
  const table = name === 'sqlite' ? openSqlite(folder) : await openPostgres();
  if (table === undefined) {
    process.send?.({ why: 'it is not installed' });
    return process.disconnect();
  }
  await table.fill(rowsOf(file));
  const server = createServer((request, response) => {
    read(request)
      .then((body) => answer(table, body))
      .then((text) => {
        const length = Buffer.byteLength(text);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(text);
      })
      .catch((error: Error) => response.writeHead(500).end(error.message));
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  const stop = (): void => {
    process.off('disconnect', stop);
    server.close();
    server.closeAllConnections();
    void table.close().then(() => process.connected && process.disconnect());
  };
  process.once('message', stop);
  process.once('disconnect', stop);
}

if (import.meta.main) {
  const [name = '', file = '', folder = ''] = process.argv.slice(2);
  serve(name, file, folder).catch((error: Error) => {
    process.send?.({ why: error.message });
    process.disconnect();
  });
}
