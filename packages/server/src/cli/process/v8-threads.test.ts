import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const CODE = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { lowerV8Priority } from ${JSON.stringify(new URL('./v8-threads.ts', import.meta.url))};
  const count = lowerV8Priority();
  const tasks = readdirSync('/proc/self/task').map((task) => [
    readFileSync('/proc/self/task/' + task + '/comm', 'utf8').trim(),
    getPriority(Number(task)),
  ]);
  console.log(JSON.stringify({ count, own: getPriority(), tasks }));
`;

const reason = process.platform === 'linux' ? false : 'only Linux tells of the threads of a process';

test('the threads of V8 give way, and no others', { skip: reason }, () => {
  // In a process of its own: what gave way cannot be taken back without rights.
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', CODE], { encoding: 'utf8' });
  const { count, own, tasks } = JSON.parse(told) as {
    readonly count: number;
    readonly own: number;
    readonly tasks: readonly (readonly [string, number])[];
  };
  assert.ok(count > 0, told);
  const [v8, others] = [true, false].map((is) => tasks.filter(([name]) => (name === 'V8Worker') === is));
  assert.equal(v8!.length, count);
  for (const [, nice] of v8!) assert.ok(nice > own, told);
  for (const [name, nice] of others!) assert.equal(nice, own, `${name} of ${told}`);
});
