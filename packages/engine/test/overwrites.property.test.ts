// When documents are overwritten, mostly in the order in which they lie, it is always the newest version that
// dies, whatever was sealed, merged, deleted, rolled back or restarted between. Versions and counts against a
// map.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, open, type WriteOp } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const IDS = 90;
const RUNS = Number(process.env['OCTAVO_WRITE_OVER_RUNS'] ?? 60);
const OPTIONS = { tailDocs: 24, ballastBytes: 0, logChunkBytes: 8_192, logCacheBytes: 64 << 10 };

const runArb = fc.record({
  what: fc.constantFrom('index', 'index', 'update', 'delete'),
  /** Undefined: where the last run ended. */
  from: fc.option(fc.nat(IDS - 1), { nil: undefined, freq: 1 }),
  count: fc.integer({ min: 1, max: 70 }),
  /** Every one of a run, or every second: what lies between stays. */
  by: fc.constantFrom(1, 1, 2),
  /** Bulk requests that it is cut into, all under way at the same time. */
  cuts: fc.integer({ min: 1, max: 3 }),
});
const stepArb = fc.oneof(
  { weight: 8, arbitrary: runArb },
  { weight: 3, arbitrary: fc.constantFrom('flush', 'merge', 'start', 'full') },
);

interface Known {
  version: number;
  /** Undefined: deleted. */
  value: number | undefined;
}

class Life {
  readonly known = new Map<string, Known>();
  #value = 0;
  #end = 0;

  /** The operations of a run, each with what its answer has to be. */
  *ops(
    run: typeof runArb extends fc.Arbitrary<infer R> ? R : never,
  ): Generator<{ op: WriteOp; version: number }> {
    const from = run.from ?? this.#end;
    this.#end = from + run.count;
    for (let i = 0; i < run.count; i += run.by) {
      const id = String((from + i) % IDS);
      const before = this.known.get(id);
      const value = ++this.#value;
      const bytes = Buffer.from(JSON.stringify({ value }));
      if (run.what !== 'index' && before?.value === undefined) continue;
      const version = (before?.version ?? 0) + 1;
      this.known.set(id, { version, value: run.what === 'delete' ? undefined : value });
      const op = { index: 'a', id };
      if (run.what === 'index') yield { op: { ...op, kind: 'index', source: bytes }, version };
      else if (run.what === 'update')
        yield { op: { ...op, kind: 'update', update: { doc: bytes } }, version };
      else yield { op: { ...op, kind: 'delete' }, version };
    }
  }

  /**
   * Versions of what was deleted are not kept over a start, nor over a write of the same ids that was
   * refused.
   */
  forget(ids: Iterable<string>): void {
    for (const id of ids) if (this.known.get(id)?.value === undefined) this.known.delete(id);
  }

  async check(engine: Engine): Promise<void> {
    let alive = 0;
    for (const [id, { version, value }] of this.known) {
      const found = engine.get('a', id);
      if (value === undefined) assert.equal(found, undefined, `${id} was deleted`);
      else {
        alive++;
        assert.equal(found?.version, version, `version of ${id}`);
        assert.deepEqual(JSON.parse(Buffer.from(found!.source).toString()), { value });
      }
    }
    const { total, hits } = await engine.search({ indices: ['a'], size: 2 * IDS, trackTotalHits: true });
    assert.equal(total?.value, alive);
    assert.equal(new Set(hits.map(({ id }) => id)).size, alive);
  }
}

test('of an id there is one version, the newest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArb, { minLength: 3, maxLength: 25 }), async (steps) => {
      const disk = new SimulatedDisk();
      const life = new Life();
      let engine = await open('', { disk, ...OPTIONS });
      await engine.indices.create('a', { mappings: { properties: { value: { type: 'long' } } } });
      for (const step of steps) {
        if (step === 'flush') await engine.indices.flush(['a']);
        else if (step === 'merge') await engine.indices.forceMerge(['a'], 1);
        else if (step === 'start') {
          await engine.close();
          life.forget([...life.known.keys()]);
          engine = await open('', { disk, ...OPTIONS });
        } else if (step === 'full') {
          disk.capacity = disk.used() + 200;
          const source = Buffer.from(`{"value":0,"long":"${'x'.repeat(5_000)}"}`);
          const ops = Array.from(
            { length: 12 },
            (_, n): WriteOp => ({ kind: 'index', index: 'a', id: `${n * 3}`, source }),
          );
          for (const { result } of await engine.write(ops)) assert.equal(result, 'error');
          disk.capacity = Number.POSITIVE_INFINITY;
          life.forget(ops.map(({ id }) => id!));
        } else {
          const all = [...life.ops(step)];
          const size = Math.ceil(all.length / step.cuts);
          const writes: Promise<void>[] = [];
          for (let at = 0; at < all.length; at += size) {
            const some = all.slice(at, at + size);
            const check = engine.write(some.map(({ op }) => op)).then((results) => {
              results.forEach(({ result, version }, i) => {
                assert.notEqual(result, 'error');
                assert.equal(version, some[i]!.version, `${some[i]!.op.kind} of ${some[i]!.op.id}`);
              });
            });
            writes.push(check);
          }
          await Promise.all(writes);
        }
        await life.check(engine);
      }
      await engine.close();
    }),
    { numRuns: RUNS },
  );
});
