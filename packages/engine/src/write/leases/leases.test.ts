import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Leases } from './leases.ts';

test('a lease ends with its time, and is extended by use', () => {
  let now = 0;
  const leases = new Leases({ maxLeases: 10, maxKeepAliveMs: 10_000 }, () => now);
  const a = leases.open('scroll', 5, 1_000, null);
  const b = leases.open('pit', 3, 1_000, { position: 1 });
  assert.deepEqual(leases.snapshots(), [3, 5]);
  now = 900;
  assert.ok(leases.get(b.id, 1_200));
  now = 1_000;
  assert.equal(leases.get(a.id), undefined);
  assert.deepEqual(leases.snapshots(), [3]);
  assert.equal(leases.close(a.id), false);
  assert.equal(leases.close(b.id), true);
  assert.deepEqual(leases.list(), []);
});

test('the oldest lease makes room, and a life that is too long is refused', () => {
  const leases = new Leases({ maxLeases: 2, maxKeepAliveMs: 1000 }, () => 0);
  const [a, b, c] = [1, 2, 3].map((snapshot) => leases.open('scroll', snapshot, 10, null));
  assert.equal(leases.get(a!.id), undefined);
  assert.ok(leases.get(b!.id) && leases.get(c!.id));
  assert.throws(() => leases.open('scroll', 4, 1001, null), { status: 400 });
});

test('opened, extended, closed and run out, they are those of a plain list', () => {
  let seed = 3;
  const random = (n: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  let now = 5_000_000;
  const leases = new Leases({ maxLeases: 100_000, maxKeepAliveMs: 86_400_000 }, () => now);
  const plain = new Map<string, { snapshot: number; end: number; kind: string; index: string }>();
  const pick = (...names: string[]): string => names[random(names.length)]!;
  for (let turn = 0; turn < 20_000; turn++) {
    const ids = [...plain.keys()];
    const id = ids[random(ids.length)];
    const life = random(50) === 0 ? 86_400_000 : random(8_000);
    switch (random(id === undefined ? 1 : 6)) {
      case 0:
      case 1: {
        const [kind, index] = [pick('scroll', 'pit'), pick('a', 'b')];
        const { id: opened } = leases.open(kind, random(40), life, null, [index, 'c']);
        plain.set(opened, { snapshot: leases.get(opened)?.snapshot ?? -1, end: now + life, kind, index });
        if (life === 0) plain.delete(opened);
        break;
      }
      case 2: {
        const known = plain.get(id!)!;
        assert.equal(leases.get(id!, life) !== undefined, known.end > now);
        known.end = Math.max(known.end, now + life);
        break;
      }
      case 3:
        assert.equal(leases.close(id!), true);
        plain.delete(id!);
        break;
      case 4:
        // An index is deleted now and then.
        if (random(40) > 0) break;
        leases.closeForIndex('b');
        for (const [each, { index }] of plain) if (index === 'b') plain.delete(each);
        assert.deepEqual(leases.countsFor('b'), {});
        break;
      default:
        now += random(300) === 0 ? random(100_000_000) : random(900);
    }
    for (const [each, { end }] of plain) if (end <= now) plain.delete(each);
    if (turn % 97 !== 0) continue;
    const listed = leases.list().map((lease) => lease.id);
    assert.deepEqual(listed.sort(), [...plain.keys()].sort());
    // A snapshot is held for a second longer at most.
    const held = new Set(leases.snapshots());
    for (const { snapshot } of plain.values()) assert.ok(held.has(snapshot));
    now += 1_000;
    for (const [each, { end }] of plain) if (end <= now) plain.delete(each);
    for (const snapshot of leases.snapshots())
      assert.ok(held.has(snapshot), 'no snapshot is held that nobody opened');
    // What has just run out may be counted for a second.
    const counted = (index: string, kind: string): number => leases.countsFor(index)[kind] ?? 0;
    for (const kind of ['scroll', 'pit']) {
      const own = [...plain.values()].filter((each) => each.kind === kind);
      for (const index of ['a', 'b'])
        assert.ok(counted(index, kind) >= own.filter((each) => each.index === index).length);
      assert.equal(counted('a', kind) + counted('b', kind), counted('c', kind));
    }
  }
  now += 90_000_000;
  assert.deepEqual(leases.snapshots(), []);
  for (const index of ['a', 'b', 'c']) assert.deepEqual(leases.countsFor(index), {});
  assert.equal(leases.oldest(), Number.POSITIVE_INFINITY);
});

test('those that have gone leave nothing behind', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const leases = new Leases({ maxLeases: 1_000, maxKeepAliveMs: 1_000_000 });
  const turn = (count: number): void => {
    for (let i = 0; i < count; i++) leases.close(leases.open('scroll', 1, 60_000, null, ['a']).id);
  };
  turn(50_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  turn(300_000);
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 20_000_000, `${grown} bytes`);
});
