// A server with the console, on a free port, over its own documents and records.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { createServer, type ServeOptions } from '@octavo/server';

/** Starts the server and returns its address, with the base path. It stops at the end of the test file. `fill` writes its first documents. */
export async function startServer(
  options: ServeOptions = {},
  fill?: (engine: Engine) => Promise<unknown>,
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-console-'));
  const engine = await open(dir, { ballastBytes: 0 });
  await fill?.(engine);
  const records = await openRecords(join(dir, 'records'));
  const app = await createServer(engine, { ...options, records });
  after(async () => {
    await app.close();
    await records.close();
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  });
  return (await app.listen({ host: '127.0.0.1', port: 0 })) + (options.basePath ?? '');
}

/** Writes documents by id, in their order. */
export async function writeDocuments(
  url: string,
  index: string,
  documents: Iterable<readonly [id: string, source: object]>,
): Promise<void> {
  let lines: string[] = [];
  const send = async (): Promise<void> => {
    const body = `${lines.join('\n')}\n`;
    lines = [];
    const headers = { 'content-type': 'application/x-ndjson' };
    const reply = await fetch(`${url}/${index}/_bulk`, { method: 'POST', headers, body });
    if (!(await reply.text()).includes('"errors":false')) throw new Error(`_bulk of ${index} failed`);
  };
  for (const [id, source] of documents) {
    lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(source));
    if (lines.length >= 20_000) await send();
  }
  if (lines.length > 0) await send();
}
