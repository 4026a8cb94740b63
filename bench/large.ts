// Ten million documents on one machine. Short documents (about 30 words, 0.3 KB of JSON) in one index of one
// server. Reports the load rate, memory and disk, the cost of near and far pages (each compared with the
// expected answer), and the cost of a start.
//
//   node bench/large.ts --docs 10000000

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { randomFrom, sectionName, wordOf } from './corpus/corpus.ts';
import { bytesWritten, cpuBetween, cpuTimes, memoryOf } from './machine/processes.ts';
import { quantile } from './measure/quantile.ts';
import { ask } from './measure/question.ts';
import { startOctavo } from './peers/octavo.ts';

const { values: flags } = parseArgs({
  options: {
    docs: { type: 'string', default: '10000000' },
    words: { type: 'string', default: '30' },
    pages: { type: 'string', default: '200' },
  },
});
const DOCS = Number(flags.docs);
const WORDS = Number(flags.words);
const PAGES = Number(flags.pages);
const WARM = 300;
const BATCH = 5_000;
const CONNECTIONS = 4;
const SIZE = 20;
const INDEX = 'large';
const VOCABULARY = 100_000;
/** Odd, so the products take all 2^32 values before one repeats. */
const STEP = 2_654_435_761;

const idOf = (i: number): string => `d${String(i).padStart(8, '0')}`;
/** Many ties: a thousand documents share a value, and no two of them are adjacent. */
const keyOf = (i: number): number => (Math.imul(i, STEP) >>> 0) % Math.max(1, Math.floor(DOCS / 1_000));

function lineOf(i: number): string {
  const random = randomFrom(Math.imul(i + 1, 0x9e3779b1));
  const word = (): string => wordOf(Math.min(VOCABULARY - 1, Math.floor((VOCABULARY + 1) ** random()) - 1));
  const text = Array.from({ length: Math.max(1, Math.round(WORDS * 2 * random())) }, word).join(' ');
  const doc = { text, section: sectionName(i % 60), k: keyOf(i), at: 1_790_000_000_000 + i };
  return `{"index":{"_id":"${idOf(i)}"}}\n${JSON.stringify(doc)}\n`;
}

/** Documents in list order: by key, then by insertion. */
function inOrder(): Float64Array {
  return Float64Array.from({ length: DOCS }, (_, i) => keyOf(i) * 2 ** 24 + i).sort();
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const gib = (bytes: number | undefined): string =>
  bytes === undefined ? 'unknown' : `${(bytes / 2 ** 30).toFixed(2)} GiB`;

const octavo = await startOctavo();
try {
  await ask(octavo, 'PUT', `/${INDEX}`, {
    mappings: {
      properties: {
        text: { type: 'text' },
        section: { type: 'keyword' },
        k: { type: 'integer' },
        at: { type: 'date' },
      },
    },
  });
  let next = 0;
  let json = 0;
  let reported = 0;
  const began = performance.now();
  const lane = async (): Promise<void> => {
    while (next < DOCS) {
      const from = next;
      next = Math.min(DOCS, next + BATCH);
      let body = '';
      for (let i = from; i < next && i < from + BATCH; i++) body += lineOf(i);
      const bytes = Buffer.from(body);
      json += bytes.length;
      const reply = await fetch(`${octavo.url}/${INDEX}/_bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: bytes,
      });
      const answer = (await reply.json()) as { errors?: boolean };
      assert.equal(answer.errors, false, JSON.stringify(answer).slice(0, 500));
      if (next - reported < DOCS / 20 && next < DOCS) continue;
      reported = next;
      const seconds = (performance.now() - began) / 1_000;
      say(
        `${next.toLocaleString('en-US')} documents, ${Math.round(next / seconds).toLocaleString('en-US')} a second, ` +
          `${gib(memoryOf(octavo.pid)?.now)} resident`,
      );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  await ask(octavo, 'POST', `/${INDEX}/_flush`);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const { count } = await ask<{ count: number }>(octavo, 'GET', `/${INDEX}/_count`);
  assert.equal(count, DOCS);
  const memory = memoryOf(octavo.pid);
  say(
    `JSON ${gib(json)}; resident ${gib(memory?.now)}, at the peak ${gib(memory?.peak)}; written ${gib(bytesWritten(octavo.pid))}`,
  );

  const order = inOrder();
  const page = async (from: number): Promise<number> => {
    const start = performance.now();
    const reply = await fetch(`${octavo.url}/${INDEX}/_search`, {
      method: 'POST',
      // Uncompressed: compressing twenty hits costs more than finding them.
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: JSON.stringify({ sort: ['k', 'at'], from, size: SIZE, track_total_hits: true }),
    });
    const { hits } = (await reply.json()) as {
      hits: { total: { value: number }; hits: { _id: string }[] };
    };
    const took = performance.now() - start;
    const expected = Array.from(order.subarray(from, from + SIZE), (key) => idOf(key % 2 ** 24));
    assert.deepEqual([hits.total.value, hits.hits.map((hit) => hit._id)], [DOCS, expected], `from ${from}`);
    return took;
  };
  say(`first page of a new sort: ${(await page(0)).toFixed(0)} ms`);
  // An order that is used often is merged once; that is not the cost of one page.
  for (let n = 0; n < WARM; n++) await page((Math.imul(n + 1, STEP) >>> 0) % (DOCS - SIZE));
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  for (const [name, fromOf] of [
    ['page 1', () => 0],
    ['any page', (n: number) => (Math.imul(n + 7_001, STEP) >>> 0) % (DOCS - SIZE)],
  ] as const) {
    const before = cpuTimes([octavo.pid]);
    const times: number[] = [];
    for (let n = 0; n < PAGES; n++) times.push(await page(fromOf(n)));
    const cpu = cpuBetween(before, cpuTimes([octavo.pid]));
    say(
      `${name}: ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms, ` +
        `${cpu === undefined ? 'unknown' : Math.round(cpu / PAGES)} µs of CPU`,
    );
  }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const listening = await octavo.restart(signal);
    const took = await page(Math.floor(DOCS / 2));
    say(
      `a start after ${signal}: ${((listening + took) / 1_000).toFixed(1)} s to the first correct answer, ` +
        `${gib(memoryOf(octavo.pid)?.now)} resident`,
    );
  }
} finally {
  await octavo.stop();
}
