// A server over a real engine in a folder of its own, asked in one line: for what the wire and the engine do together.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { open } from '@octavo/engine';
import { type Ask, askOver } from './ask.ts';

/** A server for one test file; its folder goes with it. */
export async function realServer(): Promise<Ask> {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-wire-'));
  const engine = await open(dir, { ballastBytes: 0 });
  const { ask } = await askOver(engine);
  after(async () => {
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  });
  return ask;
}
