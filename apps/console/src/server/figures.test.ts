import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText, pointBetween, readMetrics } from './figures.ts';

const TEXT = `# HELP octavo_commit The number
octavo_commit 12
octavo_http_requests_total{route="/",status="200"} 3
octavo_http_requests_total{route="/a",status="404"} 4
nodejs_eventloop_lag_seconds{quantile="0.5"} 0.001
nodejs_eventloop_lag_seconds{quantile="0.99"} 0.002
`;

test('metrics are summed over their labels', () => {
  const reading = readMetrics(TEXT, 10);
  assert.equal(reading.requests, 7);
  assert.equal(reading.commit, 12);
  assert.equal(reading.lag, 0.002);
  assert.equal(reading.memory, undefined);
});

test('rates are per second, and never negative after a restart', () => {
  const before = readMetrics(TEXT, 10);
  const now = { ...before, time: 12, requests: 17, commit: 3 };
  assert.deepEqual(pointBetween(before, now), { time: 12, requestRate: 5, commitRate: 0, cpu: 0 });
});

test('bytes have a unit', () => {
  assert.deepEqual([0, 1_023, 1_536, 5 * 2 ** 30].map(bytesText), ['0 B', '1023 B', '1.5 KB', '5.0 GB']);
});
