// A walk in score order sees each match of its snapshot once. Meanwhile, documents that change every statistic are written,
// deleted, sealed and merged. Scores of one snapshot do not change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type Hit, open, type WriteOp } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const RUNS = Number(process.env['OCTAVO_WALK_RUNS'] ?? 25);
const WORDS = ['red', 'fox', 'hen', 'blue', 'wool', 'a', 'the'];
const textArb = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));
const batchArb = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.option(textArb, { freq: 4 })), {
  maxLength: 10,
});
const stepArb = fc.oneof(
  { weight: 5, arbitrary: batchArb },
  { weight: 1, arbitrary: fc.constant('flush' as const) },
  { weight: 1, arbitrary: fc.constant('merge' as const) },
);
type Step = [number, string | null][] | 'flush' | 'merge';

async function apply(engine: Engine, step: Step): Promise<void> {
  if (step === 'flush') return engine.indices.flush(['s']);
  if (step === 'merge') return engine.indices.forceMerge(['s'], 1);
  const ops = step.map(([n, text]): WriteOp => {
    if (text === null) return { kind: 'delete', index: 's', id: `${n}` };
    return { kind: 'index', index: 's', id: `${n}`, source: Buffer.from(JSON.stringify({ text })) };
  });
  await engine.write(ops);
}

test('a walk in score order sees its snapshot once, with scores that do not move', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArb, { minLength: 1, maxLength: 6 }),
      fc.array(stepArb, { maxLength: 10 }),
      fc.constantFrom('red', 'red fox', 'hen wool the'),
      fc.integer({ min: 1, max: 4 }),
      async (before, during, match, size) => {
        const engine = await open('', { disk: new SimulatedDisk(), tailDocs: 12, ballastBytes: 0 });
        try {
          await engine.indices.create('s', { mappings: { properties: { text: { type: 'text' } } } });
          for (const step of before) await apply(engine, step as Step);
          const request = { indices: ['s'], query: { match: { text: match } } };
          const whole = await engine.search({ ...request, size: 100 });
          const expected = whole.hits.map((hit) => [hit.id, hit.score]);
          // The lease is taken when the first page is known: nothing was written since.
          const lease = engine.openLease({ kind: 'test', keepAliveMs: 60_000, snapshot: whole.snapshot });
          const steps = [...during];
          const seen: unknown[] = [];
          let last: Hit | undefined;
          for (;;) {
            const after = last === undefined ? {} : { searchAfter: [last.score], searchAfterId: last.id };
            const page = await engine.search({ ...request, size, snapshot: lease.snapshot, ...after });
            seen.push(...page.hits.map((hit) => [hit.id, hit.score]));
            if (!page.more) break;
            last = page.hits.at(-1);
            const step = steps.shift();
            if (step !== undefined) await apply(engine, step as Step);
          }
          assert.deepEqual(seen, expected);
        } finally {
          await engine.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
});
