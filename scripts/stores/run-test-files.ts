// Runs test files over another store than their default. Each file is a process with an environment variable
// that names the store; several run at the same time if they do not disturb each other.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const COMPILED = new URL('../compiled.ts', import.meta.url).href;

/** The store and the way to run test files over it. */
interface TestStore {
  /** The name of the store in test names. */
  readonly store: string;
  /** Environment variables with its address. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly skip: string | false;
  /** @default 1 */
  readonly atOnce?: number;
}

/** A test per file: it passes over the store. */
export function filesPass(
  files: readonly string[],
  { store, environment, skip, atOnce = 1 }: TestStore,
): void {
  test(`test files over ${store}`, { skip, concurrency: atOnce, timeout: 3_600_000 }, async (t) => {
    const run = async (file: string): Promise<void> => {
      // Without the variable that marks a child of a test runner.
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
