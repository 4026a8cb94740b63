// The thread and the slices build the same segments, byte by byte; also with a thread that dies, and with
// engines written to or closed while it works.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildAnalysis } from '../../analysis/registry.ts';
import type { Engine, WriteOp } from '../../api.ts';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { open } from '../../engine/start/open.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { createMemory } from '../../memory/arenas.ts';
import { openSegment, type SegmentLeaf } from '../../segment/segment-leaf.ts';
import { Tail } from '../../tail/tail.ts';
import { type BuiltSegment, SegmentBuilder } from './segment-builder.ts';

const memory = createMemory();
const inThread = new SegmentBuilder(memory, { threadFrom: 1 });
const here = new SegmentBuilder(memory, { threadFrom: Number.POSITIVE_INFINITY });
after(() => inThread.close());

const properties = {
  text: { type: 'text' },
  tags: { type: 'keyword' },
  n: { type: 'long' },
  when: { type: 'date' },
  flag: { type: 'boolean' },
};

function source(i: number): Buffer {
  const words = Array.from({ length: 3 + (i % 40) }, (_, w) => `w${(i * 31 + w * w) % 501}`);
  const tags = Array.from({ length: i % 4 }, (_, t) => `tag${(i + t) % 7}`);
  const doc = {
    text: `${words.join(' ')} Größe ${i}`,
    tags,
    n: i % 3 === 0 ? [i, -i] : i,
    flag: i % 2 === 0,
  };
  return Buffer.from(JSON.stringify(i % 5 === 0 ? { ...doc, when: 1_700_000_000_000 + i } : doc));
}

/** A tail of documents from..to, with types, routings and versions here and there. */
function tailOf(from: number, to: number): Tail {
  const tail = new Tail(memory);
  let mapping = parseMapping({ properties }, buildAnalysis({}));
  for (let i = from; i < to; i++) {
    const bytes = source(i);
    const id = Buffer.from(`id-${i % 300}`);
    tail.begin({
      id,
      seqNo: i,
      version: 1 + (i % 2),
      type: i % 11 === 0 ? 'other' : '_doc',
      routing: i % 13 === 0 ? `r${i}` : undefined,
      commit: 1 + (i >>> 4),
      chunk: 1,
      offset: i * 100,
      length: bytes.length,
    });
    mapping = mapDocument(mapping, bytes, 0, bytes.length, tail, { id: String(i) });
    tail.end();
    if (i % 16 === 15) tail.closeBatch();
  }
  tail.closeBatch();
  return tail;
}

function bytesOf({ block, byteLength }: BuiltSegment): Buffer {
  return Buffer.from(new Uint8Array(block.buffer, block.ptr, byteLength));
}

function leafOf({ block, byteLength }: BuiltSegment): SegmentLeaf {
  return openSegment(new Uint8Array(block.buffer, block.ptr, byteLength));
}

test('a seal in the thread is the seal in slices, byte by byte', async () => {
  for (const [from, to] of [
    [0, 1],
    [1, 3000],
  ] as const) {
    const tail = tailOf(from, to);
    const [one, other] = [await inThread.seal(tail), await here.seal(tail)];
    assert.ok(one.files !== undefined && other.files === undefined, 'one was made in the thread');
    assert.equal(one.docCount, to - from);
    assert.ok(bytesOf(one).equals(bytesOf(other)));
    for (const { block } of [one, other]) memory.free(block);
    tail.release();
  }
});

test('a merge in the thread is the merge in slices: left out, moved, numbered alike', async () => {
  const tails = [tailOf(0, 500), tailOf(500, 900), tailOf(900, 2000)];
  const parts = await Promise.all(tails.map((tail) => here.seal(tail)));
  const leaves = parts.map(leafOf);
  const drop = new Uint32Array((leaves[1]!.docCount + 31) >>> 5).fill(0x11111111);
  const inputs = leaves.map((leaf, i) => (i === 1 ? { leaf, drop } : { leaf }));
  const chunks = new Uint32Array(leaves[2]!.docCount).fill(0xffffffff).fill(9, 0, 100);
  const moved = [undefined, undefined, { chunks, offsets: chunks.map((_, doc) => doc) }];
  const [one, other] = [
    await inThread.merge(inputs, { oldest: 20, moved }),
    await here.merge(inputs, { oldest: 20, moved }),
  ];
  assert.ok(bytesOf(one).equals(bytesOf(other)));
  assert.deepEqual(one.newDoc, other.newDoc);
  assert.equal(leafOf(one).docs.sourceChunk(one.newDoc![2]![50]!), 9);
  assert.equal(leafOf(one).docs.sourceChunk(one.newDoc![2]![200]!), 1);
  for (const { block } of [one, other, ...parts]) memory.free(block);
  for (const tail of tails) tail.release();
});

test('a seal goes beyond the budget, a merge does not; the thread goes on', async () => {
  const tight = createMemory({ budgetBytes: 3 << 19 });
  for (const threadFrom of [1, Number.POSITIVE_INFINITY]) {
    const builder = new SegmentBuilder(tight, { threadFrom });
    const tail = tailOf(0, 2000);
    const filled = tight.alloc(1_500_000);
    const built = await builder.seal(tail);
    assert.equal(built.docCount, 2000);
    const inputs = [{ leaf: leafOf(built) }];
    await assert.rejects(builder.merge(inputs, { oldest: 20, moved: [] }), {
      type: 'circuit_breaking_exception',
    });
    tight.free(filled);
    const merged = await builder.merge(inputs, { oldest: 20, moved: [] });
    assert.equal(merged.docCount, 2000);
    for (const { block } of [built, merged]) tight.free(block);
    await builder.close();
    tail.release();
  }
});

test('what a thread dies of is done here', async () => {
  const dies = new URL('data:text/javascript,process.exit(1)');
  const builder = new SegmentBuilder(memory, { threadFrom: 1, thread: dies });
  const tail = tailOf(0, 100);
  for (let again = 0; again < 2; again++) {
    const built = await builder.seal(tail);
    assert.equal(built.docCount, 100);
    memory.free(built.block);
  }
  await builder.close();
  tail.release();
});

const OPTIONS = { threadFrom: 1, tailDocs: 50, ballastBytes: 0, logChunkBytes: 4096 };
const put = (i: number, round: number): WriteOp => ({
  kind: 'index',
  index: 'a',
  id: `k${i}`,
  source: Buffer.from(JSON.stringify({ i, round, text: `word${i} word${round}` })),
});

async function contents(engine: Engine): Promise<unknown> {
  const { hits } = await engine.search({ indices: ['a'], size: 1000 });
  return hits.map(({ id, source: bytes }) => [id, Buffer.from(bytes).toString()]).toSorted();
}

test('documents replaced and deleted while the thread is at work stay so, and after a crash', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { ...OPTIONS, disk });
  const expected = new Map<string, string>();
  for (let round = 0; round < 12; round++) {
    const ops = Array.from({ length: 40 }, (_, at) => put((round * 25 + at * 3) % 200, round));
    for (const op of ops) expected.set(op.id!, Buffer.from(op.source!).toString());
    ops.push({ kind: 'delete', index: 'a', id: `k${round * 7}` });
    expected.delete(`k${round * 7}`);
    await engine.write(ops);
    if (round % 4 === 3) void engine.indices.forceMerge(['a'], 1);
  }
  const due = [...expected].toSorted();
  assert.deepEqual(await contents(engine), due);
  await engine.indices.flush(['a']);
  assert.deepEqual(await contents(engine), due);
  const crashed = await open('', { ...OPTIONS, disk: disk.crash(1) });
  assert.deepEqual(await contents(crashed), due);
  await crashed.close();
  await engine.close();
});

test('an engine closes while the thread is at work, and nothing is lost', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { ...OPTIONS, disk });
  for (let i = 0; i < 300; i += 30) await engine.write(Array.from({ length: 30 }, (_, at) => put(i + at, 0)));
  await engine.close();
  const again = await open('', { ...OPTIONS, disk });
  assert.equal(((await contents(again)) as unknown[]).length, 300);
  await again.close();
});
