// Partial updates give the same result with and without the thread, and as plain objects. Few ids, so that
// versions change between parsing ahead and the turn of the write.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Engine, WriteOp, WriteResult } from '../../api.ts';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { open } from '../../engine/start/open.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { StepMeter } from '../../scripts/script.ts';
import type { Recording } from '../../tail/recording/recording.ts';
import { nextTurn } from '../../turn.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { IndexBatch } from '../writer/index-batch.ts';
import { type PreparedDocument, ReadAheadStretch } from './read-ahead-cursor.ts';

const IDS = 24;
const mappings = { properties: { n: { type: 'long' }, t: { type: 'text' }, tags: { type: 'keyword' } } };

type Plain = { [name: string]: unknown };

/** One operation; documents and patches as text, which may be no JSON, or nothing that fits the mapping. */
interface Step {
  readonly kind: 'index' | 'update' | 'delete';
  readonly id: number;
  readonly doc: string;
  readonly upsert: string | undefined;
  readonly docAsUpsert: boolean;
  readonly detectNoop: boolean | undefined;
  /** Asked for of the version that was there when the life began. */
  readonly isFirst: boolean;
}

const word = fc.constantFrom('eins', 'zwei Größe', 'drei', 'a "quoted" one', '');
const document = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('{"n":', '{"n":1e999}', '{"n":"none"}', '[]', '{}') },
  { weight: 6, arbitrary: fc.constantFrom('{"n":1}', '{"n":1.0}', '{"o":{"a":1}}', '{"t":"eins"}', '{ }') },
  {
    weight: 20,
    arbitrary: fc
      .record(
        {
          n: fc.integer({ min: 0, max: 3 }),
          t: word,
          tags: fc.oneof(word, fc.array(word, { maxLength: 2 })),
          o: fc.record({ a: fc.integer({ min: 0, max: 1 }), b: word }, { requiredKeys: [] }),
          nothing: fc.constant(null),
          f0: word,
          f1: word,
        },
        { requiredKeys: [] },
      )
      .map((members) => JSON.stringify(members)),
  },
);
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 16, arbitrary: fc.constant('update' as const) },
    fc.constantFrom('index' as const, 'delete' as const),
  ),
  id: fc.nat(IDS - 1),
  doc: document,
  upsert: fc.option(document, { nil: undefined, freq: 2 }),
  docAsUpsert: fc.boolean(),
  detectNoop: fc.constantFrom(undefined, true, false),
  isFirst: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
});
const plain = { upsert: undefined, docAsUpsert: false, detectNoop: undefined, isFirst: false };
/** Bulks of one kind of operation overtake others on their way to the writer: each has all kinds. */
const first: Step[] = (['index', 'delete'] as const).map((kind) => ({
  ...plain,
  kind,
  id: IDS,
  doc: '{"n":9}',
}));
/** What is there when a life begins. */
const begin = Array.from({ length: IDS }, (_, id): Step => {
  return { ...plain, kind: 'index', id, doc: '{ "n":1, "t":"eins", "o":{"a":1} }' };
});
const bulk = fc.array(step, { minLength: 1, maxLength: 14 }).map((steps) => [...first, ...steps]);
/** Bulks that are sent together, and such groups one after the other. */
const life = fc
  .array(fc.array(bulk, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 })
  .map((groups) => [[begin], ...groups]);

const bytes = (text: string): Uint8Array => Buffer.from(text);
const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function opOf({ kind, id, doc, upsert, docAsUpsert, detectNoop, isFirst }: Step): WriteOp {
  const op = { index: 'i', id: `id${id}` };
  if (kind === 'delete') return { ...op, kind };
  const asked = isFirst ? { ifSeqNo: id, ifPrimaryTerm: 1 } : {};
  if (kind === 'index') return { ...op, ...asked, kind, source: bytes(doc) };
  const update = {
    doc: bytes(doc),
    docAsUpsert,
    ...(upsert === undefined ? {} : { upsert: bytes(upsert) }),
    ...(detectNoop === undefined ? {} : { detectNoop }),
  };
  return { ...op, ...asked, kind, update };
}

/** Plain objects, merged as the words say. */
class Oracle {
  readonly docs = new Map<number, { seqNo: number; value: Plain }>();
  #nextSeqNo = 0;

  /** What becomes of a step: its result, and the sequence number where one is given. */
  take({ kind, id, doc, upsert, docAsUpsert, detectNoop, isFirst }: Step): [string, number?] {
    const now = this.docs.get(id);
    if (kind === 'delete') {
      const found = this.docs.delete(id);
      return [found ? 'deleted' : 'not_found', this.#nextSeqNo++];
    }
    let text = doc;
    let changed = true;
    let value: unknown;
    if (kind === 'update' && now === undefined) {
      if (upsert === undefined && !docAsUpsert) return ['error'];
      text = docAsUpsert ? doc : upsert!;
    }
    if (!isSound(text)) return ['error'];
    value = JSON.parse(text);
    if (kind === 'update' && now !== undefined) {
      const patch = value;
      if (!isObject(patch)) return ['error'];
      value = structuredClone(now.value);
      changed = merge(value as Plain, patch);
    }
    if (isFirst && now?.seqNo !== id) return ['error'];
    if (!changed && detectNoop !== false) return ['noop', now!.seqNo];
    if (!isObject(value) || value['n'] === 'none') return ['error'];
    const seqNo = this.#nextSeqNo++;
    this.docs.set(id, { seqNo, value });
    return [now === undefined ? 'created' : 'updated', seqNo];
  }
}

function isSound(text: string): boolean {
  return text !== '{"n":' && text !== '{"n":1e999}';
}

function merge(target: Plain, patch: Plain): boolean {
  let changed = false;
  for (const [name, value] of Object.entries(patch)) {
    const old = target[name];
    if (isObject(old) && isObject(value)) changed = merge(old, value) || changed;
    else if (!(name in target) || JSON.stringify(old) !== JSON.stringify(value)) {
      target[name] = value;
      changed = true;
    }
  }
  return changed;
}

const seen = { made: 0, same: 0, whole: 0, stale: 0 };
const { apply } = IndexBatch.prototype;
IndexBatch.prototype.apply = function (op: WriteOp, meter: StepMeter, ahead?: PreparedDocument) {
  const result = apply.call(this, op, meter, ahead);
  if (result instanceof Promise) return result;
  if (op.kind !== 'update' || ahead === undefined || result.error !== undefined) return result;
  if (ahead.base === undefined && result.result === 'created') seen.whole++;
  else if (result.result === 'updated' && ahead.source !== undefined) {
    if (Buffer.compare(ahead.source, result.source!) === 0) seen.made++;
    else seen.stale++;
  } else if (result.result === 'noop' && ahead.source === undefined) seen.same++;
  return result;
};

const text = (source: Uint8Array | undefined): string | undefined => source && Buffer.from(source).toString();
const told = ({ error, source, ...result }: WriteResult): object => ({
  ...result,
  error: error === undefined ? undefined : [error.type, error.message, error.status],
  source: text(source),
});

async function started(readAheadFrom: number): Promise<Engine> {
  const engine = await open('/data', {
    disk: new SimulatedDisk(),
    readAheadFrom,
    ballastBytes: 0,
    tailDocs: 50,
  });
  const { read } = ReadAheadStretch.prototype;
  let reads = 0;
  ReadAheadStretch.prototype.read = function (document) {
    const found = read.call(this, document);
    if (found !== undefined) reads++;
    return found;
  };
  // The thread takes its time to start.
  while (readAheadFrom === 1 && reads === 0)
    await engine.write([{ kind: 'index', index: 'warm', id: 'x', source: bytes('{"n":1}') }]);
  ReadAheadStretch.prototype.read = read;
  return engine;
}

const engines = await Promise.all([started(1), started(Number.POSITIVE_INFINITY)]);
after(() => Promise.all(engines.map((engine) => engine.close())));

/** What an engine answers to it all, and what is there then. */
async function live(engine: Engine, groups: readonly Step[][][]): Promise<[WriteResult[], unknown[]]> {
  if (engine.indices.info('i') !== undefined) await engine.indices.delete(['i']);
  await engine.indices.create('i', { mappings });
  const results: WriteResult[] = [];
  for (const group of groups) {
    const writes: Promise<WriteResult[]>[] = [];
    for (const bulk of group) {
      writes.push(engine.write(bulk.map(opOf)));
      // The first is a batch of its own then: while it waits for the thread, the next ones are looked up.
      await nextTurn();
      await nextTurn();
    }
    results.push(...(await Promise.all(writes)).flat());
  }
  const docs: unknown[] = [];
  for (let id = 0; id < IDS; id++) {
    const doc = engine.get('i', `id${id}`);
    docs.push(doc && { ...doc, source: text(doc.source) });
  }
  for (let n = 0; n < 4; n++) docs.push(await engine.count({ indices: ['i'], query: { term: { n } } }));
  for (const query of [{ match: { t: 'größe' } }, { term: { tags: 'eins' } }, { exists: { field: 'o.b' } }])
    docs.push(await engine.count({ indices: ['i'], query }));
  docs.push(engine.indices.info('i')?.mappings);
  return [results, docs];
}

test('updates give what plain objects give, with the thread and without', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (groups) => {
      const [ahead, alone] = await Promise.all(engines.map((engine) => live(engine, groups)));
      assert.deepEqual(ahead![0].map(told), alone![0].map(told));
      assert.deepEqual(ahead![1], alone![1]);
      const oracle = new Oracle();
      for (const [i, each] of groups.flat(2).entries()) {
        const { result, seqNo } = ahead![0][i]!;
        const [due, number] = oracle.take(each);
        assert.equal(result, due, `operation ${i}`);
        if (number !== undefined) assert.equal(seqNo, number, `operation ${i}`);
      }
      for (let id = 0; id < IDS; id++) {
        const source = text(engines[0]!.get('i', `id${id}`)?.source);
        assert.deepEqual(source && JSON.parse(source), oracle.docs.get(id)?.value);
      }
      for (let n = 0; n < 4; n++) {
        const due = Array.from(oracle.docs.values()).filter(({ value }) => value['n'] === n).length;
        assert.equal(ahead![1][IDS + n], due);
      }
    }),
    { numRuns: 40 },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 8, `${what}: ${count}`);
});

/** Text that cannot be packed well. */
function noise(k: number): string {
  return createHash('sha512').update(String(k)).digest('base64').repeat(2);
}

test('updates that a disk refuses have never been, and those that come after begin from what is there', async () => {
  const disk = new SimulatedDisk();
  const options = { disk, readAheadFrom: 1, ballastBytes: 4096, logChunkBytes: 16_384, tailDocs: 500 };
  const engine = await open('/data', options);
  await engine.indices.create('i', { mappings });
  const ids = Array.from({ length: 40 }, (_, i) => `id${i}`);
  const made = (): number => seen.made;
  /** Each has one member more; true where all were written. */
  const update = async (k: number): Promise<boolean> => {
    // What is flat is not for the thread, where a tail knows the rest.
    const update = { doc: bytes(`{"n":${k},"o":{"a":1},"m${k % 4}":"${noise(k)}"}`), docAsUpsert: true };
    const results = await engine.write(ids.map((id) => ({ kind: 'update', index: 'i', id, update })));
    const written = results.filter(({ error }) => error === undefined).length;
    assert.ok(written === 0 || written === ids.length);
    return written > 0;
  };
  let last: Plain = {};
  const group = async (from: number): Promise<boolean[]> => {
    const written = await Promise.all([from, from + 1, from + 2].map(update));
    for (const [i, isWritten] of written.entries())
      if (isWritten) last = { ...last, n: from + i, o: { a: 1 }, [`m${(from + i) % 4}`]: noise(from + i) };
    for (const id of ids) assert.deepEqual(JSON.parse(text(engine.get('i', id)?.source) ?? '{}'), last);
    return written;
  };
  let k = 0;
  for (const before = made(); made() === before; k += 3) await group(k);
  disk.capacity = disk.used() + 200_000;
  while (!(await group(k)).includes(false)) k += 3;
  for (const stop = k + 12; k < stop; k += 3) await group(k);
  disk.capacity = Number.POSITIVE_INFINITY;
  // The log looks for space again after a second.
  for (; !(await group(k)).includes(true); k += 3) await new Promise((resolve) => setTimeout(resolve, 100));
  for (const before = made(); made() === before; ) await group((k += 3));
  await engine.close();
  const again = await open('/data', options);
  for (const id of ids) assert.deepEqual(JSON.parse(text(again.get('i', id)?.source)!), last);
  assert.deepEqual(await again.verify(), []);
  await again.close();
});

test('what was made of a version that was taken back is of no use: its number is given again', () => {
  const state = { rollbacks: 0 } as IndexState;
  const stretch = new ReadAheadStretch([{ op: { kind: 'update', index: 'i', id: 'x' }, state }], 0, 1, 0);
  stretch.mapping = {} as Mapping;
  stretch.bases = { seqNos: Float64Array.of(7), rollbacks: 0 };
  stretch.patched = { starts: Uint32Array.of(0), ends: Uint32Array.of(2) };
  stretch.bytes = new Uint8Array(bytes('{}'));
  stretch.recording = { has: () => true } as unknown as Recording;
  assert.equal(stretch.read(0)?.base, 7);
  state.rollbacks++;
  assert.equal(stretch.read(0), undefined);
});

test('a version that was read under another mapping is read again as a whole', async () => {
  const engine = await open('/data', { disk: new SimulatedDisk(), ballastBytes: 0 });
  await engine.indices.create('i', { mappings });
  const op = { index: 'i', id: 'x' } as const;
  await engine.write([{ ...op, kind: 'index', source: bytes('{"t":"eins","n":1}') }]);
  const raw = { type: 'keyword' };
  await engine.indices.putMapping(['i'], { properties: { t: { type: 'text', fields: { raw } } } });
  const found = (): Promise<number> => engine.count({ indices: ['i'], query: { term: { 't.raw': 'eins' } } });
  assert.equal(await found(), 0);
  for (const n of [2, 3]) {
    await engine.write([{ ...op, kind: 'update', update: { doc: bytes(`{"n":${n}}`) } }]);
    assert.equal(await found(), 1);
    assert.equal(await engine.count({ indices: ['i'], query: { term: { n } } }), 1);
  }
  await engine.close();
});
