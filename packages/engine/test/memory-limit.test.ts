// With less memory than documents need, writes are refused and the engine goes on. What was acknowledged is
// read and found, also after a restart with the same limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { type Engine, open, type WriteOp } from '../src/index.ts';

const OPTIONS = { memoryBytes: 6 << 20, ballastBytes: 0 };

function operations(bulk: number): WriteOp[] {
  return Array.from({ length: 50 }, (_, i): WriteOp => {
    const n = bulk * 50 + i;
    const words = Array.from({ length: 80 }, (_, w) => `w${(n * 31 + w * w) % 9_973}`).join(' ');
    const source = new TextEncoder().encode(JSON.stringify({ n, body: `each ${words}` }));
    return { kind: 'index', index: 'a', id: `d${n}`, source };
  });
}

/** Ids that were acknowledged until writes are refused. */
async function fill(engine: Engine): Promise<Set<string>> {
  const there = new Set<string>();
  for (let bulk = 0; bulk < 400; bulk++) {
    const ops = operations(bulk);
    const results = await engine.write(ops).catch((error: unknown) => {
      assert.equal((error as { type?: string }).type, 'circuit_breaking_exception');
      return undefined;
    });
    for (const [i, result] of (results ?? []).entries()) {
      if (result.error === undefined) there.add(ops[i]!.id!);
      else assert.equal(result.error.type, 'circuit_breaking_exception');
    }
    if (results === undefined || results.some(({ error }) => error !== undefined)) return there;
  }
  throw new Error('the limit was never met');
}

/** Each can be read, and found, whatever of it was searched before. */
async function assertHas(engine: Engine, ids: ReadonlySet<string>): Promise<void> {
  for (const id of ids) assert.notEqual(await engine.get('a', id), undefined, id);
  for (const query of [
    { range: { n: { gte: 0 } } },
    { match: { body: 'each' } },
    { match_phrase: { body: 'each' } },
  ]) {
    const { total, hits } = await engine.search({ indices: ['a'], query, size: ids.size });
    assert.deepEqual(total, { value: ids.size, relation: 'eq' });
    assert.deepEqual(new Set(hits.map(({ id }) => id)), ids);
  }
}

for (const [ending, tailDocs] of [
  ['an end', 300],
  ['a power cut', 300],
  ['an end', 5_000],
  ['a power cut', 5_000],
] as const)
  test(`tails of ${tailDocs}: documents beyond the memory are refused, and those before it are there after ${ending}`, async () => {
    const disk = new SimulatedDisk();
    const failures: unknown[] = [];
    const options = { ...OPTIONS, tailDocs, onFailure: (error: unknown) => void failures.push(error) };
    const engine = await open('', { disk, ...options });
    const ids = await fill(engine);
    await assertHas(engine, ids);
    assert.deepEqual(failures, []);
    if (ending === 'an end') await engine.close();
    // What was under way fails at the cut, and tells so whenever it comes to the disk.
    if (ending === 'an end') assert.deepEqual(failures, []);
    const later: unknown[] = [];
    const again = await open('', {
      disk: ending === 'an end' ? disk : disk.crash(7),
      ...options,
      onFailure: (error) => void later.push(error),
    });
    await assertHas(again, ids);
    await assertHas(again, ids.union(await fill(again)));
    await again.close();
    assert.deepEqual(later, []);
  });

/** Refusals while a few documents are written over and over with new words, in so many indices. */
async function writeOver(engine: Engine, indices: number): Promise<number> {
  let refused = 0;
  for (let bulk = 0; bulk < 80; bulk++) {
    const ops = Array.from({ length: 60 }, (_, i): WriteOp => {
      const words = Array.from({ length: 200 }, (_, w) => `x${bulk * 7919 + i * 211 + w}`).join(' ');
      const source = new TextEncoder().encode(JSON.stringify({ body: words }));
      return { kind: 'index', index: `a${i % indices}`, id: `d${i}`, source };
    });
    for (const { error } of await engine.write(ops)) if (error !== undefined) refused++;
  }
  return refused;
}

test('a tail that takes much of the memory is sealed, however few documents it has: writes go on', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, memoryBytes: 40 << 20, ballastBytes: 0 });
  assert.equal(await writeOver(engine, 1), 0);
  const { hits } = await engine.search({ indices: ['a0'], query: { match: { body: `x${79 * 7919}` } } });
  assert.deepEqual(
    hits.map(({ id }) => id),
    ['d0'],
  );
  await engine.close();
});

test('indices that have filled the memory together are sealed as they are refused', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, memoryBytes: 24 << 20, ballastBytes: 0 });
  const refused = await writeOver(engine, 20);
  // As long as none of them was sealed all that came were refused.
  assert.ok(refused < 80 * 60 * 0.5, `${refused}`);
  const source = new TextEncoder().encode('{"body":"last"}');
  // While the last seals run, a write may still be refused; it never stays so.
  for (;;) {
    const [last] = await engine.write([{ kind: 'index', index: 'a3', id: 'last', source }]);
    if (last!.error === undefined) break;
    await setTimeout(10);
  }
  await engine.close();
});
