// The scripted life of an index (bulks, updates, deletes, seals, merges, refused documents), with a ledger of
// what was acknowledged to compare with what is there after a crash.

import assert from 'node:assert/strict';
import type { Engine, WriteOp } from '@octavo/engine';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Options under which everything happens within a short life. */
export const SMALL = {
  tailDocs: 6,
  logChunkBytes: 1024,
  ballastBytes: 2048,
  onFailure: (): void => {},
  now: (): number => 1_700_000_000_000,
} as const;

/** Sources by id. */
export type Contents = ReadonlyMap<string, string>;

/** What a caller knows: what was acknowledged, and what a call that never returned may have done as well. */
export class Ledger {
  acknowledged: Contents = new Map();
  pending: Contents | undefined;
  indexAcknowledged = false;

  /** True when the contents are what was acknowledged, or that with the whole of the pending call. */
  allows(found: Contents): boolean {
    return same(found, this.acknowledged) || (this.pending !== undefined && same(found, this.pending));
  }
}

export type Step = readonly WriteOp[] | 'flush' | 'merge';

const index = (id: string, n: number): WriteOp => ({
  kind: 'index',
  index: 'life',
  id,
  source: encoder.encode(JSON.stringify({ id, n, text: `word${n % 3} shared ${'x'.repeat(n % 40)}` })),
});
const remove = (id: string): WriteOp => ({ kind: 'delete', index: 'life', id });
const bad: WriteOp = {
  kind: 'index',
  index: 'life',
  id: 'bad',
  source: encoder.encode('{"n":"not a number"}'),
};

/** A life in which everything happens a few times; about twenty steps. */
export const SCRIPT: readonly Step[] = [
  [index('a', 1)],
  [index('b', 2), index('c', 3), index('d', 4), bad],
  [remove('a'), index('b', 5), index('b', 6), remove('nobody')],
  [index('e', 7), index('f', 8), index('g', 9), index('h', 10)],
  'flush',
  [index('a', 11), remove('c'), { ...index('n1', 1), source: encoder.encode('{"n":1,"fresh":"field"}') }],
  [index('i', 12), index('j', 13), index('k', 14), index('l', 15), index('m', 16)],
  [remove('d'), remove('e'), remove('i')],
  'flush',
  'merge',
  [index('d', 17), index('f', 18)],
  [
    index('n', 19),
    index('o', 20),
    index('p', 21),
    index('q', 22),
    index('r', 23),
    index('s', 24),
    index('t', 25),
  ],
  [remove('n'), remove('o'), remove('p'), remove('q'), remove('r'), remove('s'), index('t', 26)],
  'merge',
  [index('z', 27)],
];

/** Creates the index and runs the script. Stops at the first call that rejects. */
export async function live(engine: Engine, ledger: Ledger): Promise<void> {
  await engine.indices.create('life', {
    mappings: { properties: { n: { type: 'long' }, id: { type: 'keyword' } } },
  });
  ledger.indexAcknowledged = true;
  await runSteps(engine, ledger, SCRIPT);
}

/** Runs steps; stops at the first call that rejects. Refused operations are simply not in the ledger. */
export async function runSteps(engine: Engine, ledger: Ledger, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step === 'flush') await engine.indices.flush(['life']);
    else if (step === 'merge') await engine.indices.forceMerge(['life'], 1);
    else {
      ledger.pending = after(
        ledger.acknowledged,
        step.filter((op) => op !== bad),
      );
      const results = await engine.write(step);
      ledger.acknowledged = after(
        ledger.acknowledged,
        step.filter((_, i) => results[i]!.error === undefined),
      );
      ledger.pending = undefined;
    }
  }
}

/** Everything that is in the index: by search, held against get and against the count. */
export async function contents(engine: Engine): Promise<Contents> {
  if (engine.indices.info('life') === undefined) return new Map();
  const result = await engine.search({ indices: ['life'], size: 1000, sort: ['_doc'] });
  const found = new Map(result.hits.map((hit) => [hit.id, decoder.decode(hit.source)]));
  assert.equal(found.size, result.hits.length, 'an id is there once');
  assert.equal(result.total?.value, found.size);
  for (const [id, source] of found) assert.equal(decoder.decode(engine.get('life', id)?.source), source);
  const shared = await engine.count({ indices: ['life'], query: { match: { text: 'shared' } } });
  assert.equal(shared, [...found.values()].filter((source) => source.includes('shared')).length);
  return found;
}

function after(before: Contents, ops: readonly WriteOp[]): Contents {
  const result = new Map(before);
  for (const op of ops) {
    if (op.kind === 'delete') result.delete(op.id!);
    else result.set(op.id!, decoder.decode(op.source));
  }
  return result;
}

function same(a: Contents, b: Contents): boolean {
  return a.size === b.size && [...a].every(([id, source]) => b.get(id) === source);
}
