// Do those that run out of time hear of it, each once, and none of those that ended?

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { type Deadline, Deadlines } from './deadlines.ts';

test('who has ended hears nothing; the others do, in the order in which they began', () => {
  let now = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  const clock = mock.method(performance, 'now', () => now);
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };
  try {
    const deadlines = new Deadlines(100);
    const late: string[] = [];
    const start = (name: string): ReturnType<Deadlines['start']> =>
      deadlines.start({ late: () => void late.push(name) });
    const [a, b, c] = [start('a'), start('b'), start('c')];
    assert.equal(b.end(), true);
    assert.equal(b.end(), false);
    pass(60);
    const d = start('d');
    pass(40);
    assert.deepEqual(late, ['a', 'c']);
    assert.deepEqual([a.end(), c.end()], [false, false]);
    pass(59);
    assert.deepEqual(late, ['a', 'c']);
    pass(1);
    assert.deepEqual(late, ['a', 'c', 'd']);
    assert.equal(d.end(), false);
    // All have gone: the next one begins anew.
    const e: Deadline = deadlines.start({ late: () => void late.push(`e ${String(e.end())}`) });
    pass(100);
    assert.equal(late.at(-1), 'e true');
  } finally {
    clock.mock.restore();
    mock.timers.reset();
  }
});
