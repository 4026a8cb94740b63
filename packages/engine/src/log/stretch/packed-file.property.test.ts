// A packed chunk file is an array of bytes: random appends, cuts, reads and reopenings against one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DiskFile } from '../../disk/disk.ts';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { CHUNK_HEADER } from '../format/format.ts';
import { runsCodec } from './codec.testing.ts';
import { PackedFile } from './packed-file.ts';
import { Packer } from './packer.ts';

const NAME = 'log/00000007.log';

/** Runs of bytes, some of them long; and bytes that do not pack. */
const bytes = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.nat(255), fc.integer({ min: 1, max: 6_000 }))
        .map(([byte, n]) => new Uint8Array(n).fill(byte)),
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.map((part) => Uint8Array.from(part)));

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('append' as const), bytes, through: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('cut' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('read' as const),
      from: fc.nat(40_000),
      length: fc.nat(20_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('open' as const), cleanly: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('forget' as const) }) },
);

/** The same as an array. */
class Flat {
  bytes = Buffer.from(header());

  append(parts: readonly Uint8Array[]): void {
    this.bytes = Buffer.concat([this.bytes, ...parts]);
  }
}

function header(): Uint8Array {
  return new Uint8Array(CHUNK_HEADER).fill(0x48);
}

function assertSame(file: PackedFile, flat: Flat, from = 0, length = flat.bytes.length + 10): void {
  const into = new Uint8Array(length).fill(1);
  const wanted = flat.bytes.subarray(from, from + length);
  assert.equal(file.readSync(into, from), wanted.length);
  assert.ok(wanted.equals(into.subarray(0, wanted.length)), `${length} bytes at ${from}`);
}

test('a packed file is an array of bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(1, 3_000, 20_000),
      fc.constantFrom(0, 100, 5_000),
      async (steps, sampleBytes, preallocated) => {
        const disk = new SimulatedDisk();
        const packer = new Packer({
          codec: runsCodec(),
          sampleBytes,
          from: preallocated,
          threadFrom: Number.POSITIVE_INFINITY,
          preallocated,
        });
        const open = async (): Promise<[DiskFile, PackedFile]> => {
          const file = await disk.open(NAME, { create: true });
          const packed = new PackedFile(file, 7, packer.version, packer.vocabularies, packer);
          if (packed.adoptPreallocated() > 0) await packed.truncate(packed.size());
          return [file, packed];
        };
        let [raw, file] = await open();
        const flat = new Flat();
        assert.equal(await file.writeThrough([header()], 0), CHUNK_HEADER);
        const ends = [CHUNK_HEADER];
        for (const one of steps) {
          if (one.what === 'append') {
            const length = one.bytes.reduce((sum, part) => sum + part.length, 0);
            const write = one.through ? file.writeThrough.bind(file) : file.write.bind(file);
            assert.equal(await write(one.bytes, flat.bytes.length), length);
            flat.append(one.bytes);
            ends.push(flat.bytes.length);
            const zeros = raw.size() - file.storedBytes(flat.bytes.length);
            if (preallocated === 0) assert.equal(zeros, 0);
            else assert.ok(zeros >= 0 && zeros <= preallocated * 2, `${zeros} zeros`);
          } else if (one.what === 'cut') {
            const at = Math.max(CHUNK_HEADER, Math.floor(one.share * flat.bytes.length));
            await file.truncate(at);
            flat.bytes = flat.bytes.subarray(0, at);
            while (ends.at(-1)! > at) ends.pop();
            assert.equal(
              await file.rewriteFrom(ends.at(-1) === at ? (ends.at(-2) ?? 0) : ends.at(-1)!),
              true,
            );
          } else if (one.what === 'read') assertSame(file, flat, one.from, one.length);
          else if (one.what === 'forget')
            packer.adopt(packer.current?.bytes ?? runsCodec().learn(flat.bytes)!);
          else {
            if (one.cleanly) await file.close();
            [raw, file] = await open();
          }
          assert.equal(file.size(), flat.bytes.length);
          assert.equal(file.strayEnd, 0);
        }
        assertSame(file, flat);
        await file.cutPreallocated();
        assert.equal(raw.size(), file.storedBytes(flat.bytes.length));
        const [, again] = await open();
        assert.deepEqual(again.allStrays, []);
        assertSame(again, flat);
        // Every place of a file, in bytes of 1 and of 4,097.
        for (let at = 0; at < flat.bytes.length; at += 977) {
          assertSame(again, flat, at, 1);
          assertSame(again, flat, at, 4_097);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('cut at every offset, and opened again', async () => {
  const packer = new Packer({
    codec: runsCodec(),
    sampleBytes: 400,
    from: 0,
    threadFrom: Number.POSITIVE_INFINITY,
  });
  const disk = new SimulatedDisk();
  const flat = new Flat();
  const made = new PackedFile(
    await disk.open(NAME, { create: true }),
    7,
    packer.version,
    packer.vocabularies,
    packer,
  );
  await made.write([header()], 0);
  for (const length of [500, 20, 9_000, 1, 4_096]) {
    const part = Uint8Array.from({ length }, (_, i) => (i >> 5) + length);
    await made.write([part], flat.bytes.length);
    flat.append([part]);
  }
  assert.ok((await disk.read(NAME)).length < flat.bytes.length / 2);
  const whole = await disk.read(NAME);
  for (let at = CHUNK_HEADER; at <= flat.bytes.length; at += at < 700 ? 1 : 13) {
    const other = new SimulatedDisk();
    const raw = await other.open(NAME, { create: true });
    await raw.write([whole], 0);
    const file = new PackedFile(raw, 7, packer.version, packer.vocabularies, packer);
    await file.truncate(at);
    const cut = new Flat();
    cut.bytes = flat.bytes.subarray(0, at);
    assert.equal(file.size(), at);
    await file.write([Uint8Array.of(1, 2, 3)], at);
    cut.append([Uint8Array.of(1, 2, 3)]);
    assertSame(file, cut);
    assertSame(new PackedFile(raw, 7, packer.version, packer.vocabularies), cut);
  }
});

test('small appends are written as they are, and no words are learnt for them; large ones are packed', async () => {
  const packer = new Packer({
    codec: runsCodec(),
    sampleBytes: 400,
    from: 1_000,
    threadFrom: Number.POSITIVE_INFINITY,
  });
  const disk = new SimulatedDisk();
  const file = new PackedFile(
    await disk.open(NAME, { create: true }),
    7,
    packer.version,
    packer.vocabularies,
    packer,
  );
  await file.write([header()], 0);
  const flat = new Flat();
  const append = async (length: number): Promise<number> => {
    const before = file.storedBytes(flat.bytes.length);
    const part = new Uint8Array(length).fill(9);
    await file.write([part], flat.bytes.length);
    flat.append([part]);
    return file.storedBytes(flat.bytes.length) - before;
  };
  for (let i = 0; i < 5; i++) assert.ok((await append(300)) >= 300);
  assert.equal(packer.current, undefined);
  assert.ok((await append(1_000)) >= 1_000);
  assert.notEqual(packer.current, undefined);
  assert.ok((await append(999)) >= 999);
  assert.ok((await append(1_000)) < 500);
  assertSame(file, flat);
});
