// How do test files run on another store than the one they start with? Each as a process of its own, with a variable of the
// environment that says where; so many beside each other as do not disturb each other.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const COMPILED = new URL('../compiled.ts', import.meta.url).href;

/** Where and how they run. */
export interface Elsewhere {
  /** The store, as tests are called by it. */
  readonly store: string;
  /** Variables that say where it is. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly skip: string | false;
  /** @default 1 */
  readonly atOnce?: number;
}

/** A test for each file: it passes there. */
export function filesPass(
  files: readonly string[],
  { store, environment, skip, atOnce = 1 }: Elsewhere,
): void {
  test(`test files over ${store}`, { skip, concurrency: atOnce, timeout: 3_600_000 }, async (t) => {
    const run = async (file: string): Promise<void> => {
      // Without what tells a test runner that another one runs it.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const child = spawn(process.execPath, ['--import', COMPILED, '--test', file], {
        env: { ...env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
      const [code] = (await once(child, 'close')) as [number | null];
      assert.equal(code, 0, output);
    };
    await Promise.all(
      files.map((file) => t.test(`${store}: ${file}`, { timeout: 1_800_000 }, () => run(file))),
    );
  });
}
