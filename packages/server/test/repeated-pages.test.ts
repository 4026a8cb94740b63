// A list is the same when it is requested again and again: pages all over lists, many times, printed from
// memory, beside the same pages as trees (`pretty=false`).

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { server } from './ask.ts';

const DOCS = 4_000;
const SIZE = 30;
const TIMES = 12;
/** Whole numbers, few digits, many, large and small ones: each is printed in its own way. */
const REALS = [3, 0.1, 1 / 3, 12_345_678, 1e-5, -2.5, 1e21];

const { ask: request, engine } = await server();

before(async () => {
  const properties = {
    n: { type: 'integer' },
    tag: { type: 'keyword' },
    real: { type: 'double' },
    float: { type: 'float' },
    day: { type: 'date' },
    large: { type: 'unsigned_long' },
  };
  for (const index of ['many', 'others']) {
    await engine.indices.create(index, { mappings: { properties } });
    await engine.write(
      Array.from({ length: DOCS }, (_, n) => {
        const source = {
          n: n % 700,
          ...(n % 9 === 0 ? {} : { tag: `${index} "${n % 90}" ü\n` }),
          ...(n % 5 === 0 ? {} : { real: REALS[n % 7]! * (1 + (n % 20)) }),
          float: n / 7,
          day: 1_700_000_000_000 + n * 86_400_000,
        };
        const text = JSON.stringify(source).replace(
          '{',
          `{"large":${18_446_744_073_709_551_615n - BigInt(n)},`,
        );
        return { kind: 'index', index, id: `${index}-${n}`, source: Buffer.from(text) };
      }),
    );
    await engine.indices.flush([index]);
  }
});

async function ask(target: string, body: string): Promise<string> {
  const { text } = await request(`POST ${target}`, body);
  return text.replace(/"took":\d+/, '');
}

const SORTS: readonly object[][] = [
  [{ day: 'desc' }, { real: 'desc' }, { tag: 'asc' }],
  [{ day: { order: 'desc', format: 'yyyy-MM-dd' } }, { real: 'desc' }, { tag: 'asc' }],
  [{ day: { order: 'desc', numeric_type: 'date_nanos' } }, { real: 'desc' }, { tag: 'asc' }],
  [{ real: { order: 'asc', missing: '_first' } }, { n: 'asc' }],
  [{ real: { order: 'asc', numeric_type: 'long' } }, { n: 'asc' }],
  [{ n: { order: 'asc', numeric_type: 'double' } }, { float: 'desc' }],
  [{ tag: { order: 'desc', missing: 'middle' } }, { _id: 'asc' }],
  [{ large: 'asc' }],
];

for (const target of ['many', 'others'])
  test(`pages of ${target} are the same every time`, { timeout: 300_000 }, async () => {
    for (const sort of SORTS) {
      const bodies = Array.from({ length: 9 }, (_, i) => JSON.stringify({ sort, size: SIZE, from: i * 430 }));
      const due: string[] = [];
      for (const body of bodies) due.push(await ask(`/${target}/_search?pretty=false`, body));
      for (let time = 0; time < TIMES; time++)
        for (const [i, body] of bodies.entries())
          assert.equal(await ask(`/${target}/_search`, body), due[i], `${body}, time ${time}`);
    }
  });
