// The engine of server tests: the real one, in a temporary directory. A test that needs a fault replaces one
// method of it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, open } from '@octavo/engine';
import { indexDefaults } from '../src/wire/templates/index-defaults.ts';

/** An engine over an empty folder, which asks for templates as that of `octavo serve` does; `end` removes both. */
export async function ownEngine(): Promise<{ engine: Engine; end(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-server-'));
  const engine: Engine = await open(dir, {
    ballastBytes: 0,
    indexDefaults: (name) => indexDefaults(engine)(name),
  });
  const end = async (): Promise<void> => {
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  };
  return { engine, end };
}
