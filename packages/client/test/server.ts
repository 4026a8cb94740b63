// A real server on a free port with its own documents and records, for tests of client and server together.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { createServer, type ServeOptions } from '@octavo/server';

/** Starts the server and returns its address. The server stops at the end of the test file. */
export async function startServer(options: ServeOptions = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-client-'));
  const engine = await open(dir, { ballastBytes: 0 });
  const records = await openRecords(join(dir, 'records'));
  const app = await createServer(engine, { ...options, records });
  after(async () => {
    await app.close();
    await records.close();
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  });
  return await app.listen({ host: '127.0.0.1', port: 0 });
}
