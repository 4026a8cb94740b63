// Property tests draw the same numbers in every run with the same seed, and different ones otherwise.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from './tidy.ts';

/** The numbers that a property test draws in a new process. */
function drawn(seed?: string): string {
  const { OCTAVO_SEED: _, ...env } = process.env;
  const code = `
    import fc, { integer, sample } from 'fast-check';
    const drawn = sample(integer(), 5);
    fc.assert(fc.property(fc.integer(), (n) => void drawn.push(n)), { numRuns: 5 });
    console.log(drawn.join());`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './scripts/compiled.ts', '--input-type=module', '-e', code],
    { cwd: ROOT, encoding: 'utf8', env: { ...env, ...(seed === undefined ? {} : { OCTAVO_SEED: seed }) } },
  );
  assert.match(stdout, /^-?\d+(,-?\d+){9}\n$/, stderr);
  return stdout;
}

test('numbers repeat with the same seed and differ with another one or none', () => {
  assert.equal(drawn(), drawn());
  assert.equal(drawn('7'), drawn('7'));
  assert.equal(new Set([drawn(), drawn('7'), drawn('random'), drawn('random')]).size, 4);
});
