import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveDateMathName } from './date-math.ts';

const NOW = Date.UTC(2024, 2, 22, 13, 5, 7);

test('dates in names', () => {
  const cases: [string, string][] = [
    ['plain', 'plain'],
    ['<logs-{now/d}>', 'logs-2024.03.22'],
    ['<logs-{now/M}>', 'logs-2024.03.01'],
    ['<logs-{now/M{yyyy.MM}}>', 'logs-2024.03'],
    ['<logs-{now/M-1M{yyyy.MM}}>', 'logs-2024.02'],
    ['<logs-{now/d{yyyy.MM.dd|+12:00}}>', 'logs-2024.03.22'],
    ['<a-{now-1d/d}-b>', 'a-2024.03.21-b'],
    ['<w-{now/w}>', 'w-2024.03.18'],
  ];
  for (const [name, expected] of cases) assert.equal(resolveDateMathName(name, NOW), expected);
  for (const bad of ['<a-{now>', '<a-{then}>', '<a-{now+}>', '<a-{now/q}>']) {
    assert.throws(() => resolveDateMathName(bad, NOW), /invalid dynamic name expression/);
  }
});
