// Every limit acts: one row for each of the table, with a small value and a request beyond it. A limit
// without a row fails the test.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ENGINE_LIMITS } from '@octavo/engine';
import { LIMITS, type LimitName } from '../src/limits.ts';
import { API_ROWS } from './limits/api.ts';
import { CLUSTER_ROWS } from './limits/cluster.ts';
import { CONNECTION_ROWS } from './limits/connections.ts';
import { ENGINE_ROWS } from './limits/engine.ts';
import type { Rows } from './limits/row.ts';
import { WIRE_ROWS } from './limits/wire.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { serveProcess } from './process.ts';

const ROWS: Rows<LimitName> = {
  ...CONNECTION_ROWS,
  ...WIRE_ROWS,
  ...ENGINE_ROWS,
  ...API_ROWS,
  ...CLUSTER_ROWS,
};

test('every limit has a row, and those of the engine are the same here as there', () => {
  assert.deepEqual(Object.keys(ROWS).sort(), Object.keys(LIMITS).sort());
  const here = Object.keys(ENGINE_LIMITS).map((name) => [name, LIMITS[name as LimitName].value]);
  assert.deepEqual(Object.fromEntries(here), ENGINE_LIMITS);
});

for (const [name, acts] of Object.entries(ROWS))
  test(name, onlyEmbedded('it has limits of its own'), async (t) => await acts(t as TestContext));

/** Asks on a connection of its own, which one of the threads gets. */
function askAlone(url: string, body: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const agent = new Agent({ keepAlive: true });
    const sent = request(`${url}/a/_search`, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part));
      answer.on('error', reject);
      answer.on('end', () => {
        agent.destroy();
        resolve({ status: answer.statusCode!, text });
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

const skip = process.platform === 'linux' ? false : 'connections are spread over threads on Linux only';

test('every thread of a server has them', { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-limits-'));
  const limits = ['clauses=5', 'automatonStates=4', 'tokenBytes=100', 'pageSize=50000', 'nesting=9'];
  const flags = ['--threads', '3', '--log-level', 'info', '--limit', limits.join()];
  const served = await serveProcess(folder, flags);
  try {
    await served.ask('PUT /a/_doc/1', { t: 'abbabaabbb' });
    const should = Array.from({ length: 6 }, (_, i) => ({ term: { t: `${i}` } }));
    const checks: [object, number, RegExp][] = [
      [{ query: { bool: { should } } }, 400, /too_many_clauses/],
      [{ query: { bool: { should: should.slice(1) } } }, 200, /"hits"/],
      [{ query: { regexp: { 't.keyword': '(a|b)*a(a|b){12}' } } }, 400, /more than 4 states/],
      [{ size: 11_000 }, 200, /"hits"/],
      [{ sort: ['t.keyword'], next_token: 'v0.'.padEnd(101, 'A') }, 400, /cursor_invalid/],
      [{ ext: [[[[[[[[[]]]]]]]]] }, 400, /nesting depth \(10\)/],
    ];
    const threads = (): Set<string> =>
      new Set(served.stderr().match(/(?<="reqId":")[^"]+(?=-[^-"]+")/g) ?? []);
    for (let round = 0; round < 50 && (round < 8 || threads().size < 3); round++) {
      for (const [body, status, says] of checks) {
        const answer = await askAlone(served.url, body);
        assert.equal(answer.status, status, answer.text);
        assert.match(answer.text, says);
      }
    }
    assert.equal(threads().size, 3);
  } finally {
    await served.end();
    await rm(folder, { recursive: true, force: true });
  }
});
