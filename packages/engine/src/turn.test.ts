import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginSearch,
  beginWrite,
  endWrite,
  enqueueTurn,
  isSearching,
  nextTurn,
  noteSearch,
  runSliced,
  sliceMs,
} from './turn.ts';

function* steps(count: number, step: () => void): Generator<void, number> {
  for (let i = 0; i < count; i++) {
    step();
    yield;
  }
  return count;
}

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('however much stands in line, one of them runs in a turn of the event loop, each in turn', async () => {
  const order: string[] = [];
  for (const name of ['a', 'b', 'c', 'a', 'b', 'c']) enqueueTurn(() => order.push(name));
  for (let turns = 0; order.length < 6; turns++) {
    assert.ok(order.length <= turns + 1);
    await nextTurn();
  }
  assert.equal(order.join(''), 'abcabc');
});

test('long works that stand in line go on side by side, and come to their ends', async () => {
  const seen: string[] = [];
  const work = (name: string): Promise<number | undefined> =>
    runSliced(
      steps(4, () => {
        seen.push(name);
        spin(3);
      }),
    );
  assert.deepEqual(await Promise.all([work('x'), work('y')]), [4, 4]);
  assert.equal(seen.join(''), 'xyxyxyxy');
});

test('works that go on in one turn of the event loop share its slice: together they are no longer than one alone', async () => {
  const ran = [0, 0, 0, 0];
  const works = ran.map((_, at) =>
    runSliced(
      steps(6, () => {
        ran[at]!++;
        spin(1);
      }),
    ),
  );
  // The first has used it up; each of the others takes the one step that it cannot be asked before.
  assert.deepEqual(ran.slice(1), [1, 1, 1]);
  assert.deepEqual(await Promise.all(works), [6, 6, 6, 6]);
});

test('what stands in line does not overtake what comes in', async () => {
  const seen: string[] = [];
  const long = runSliced(
    steps(3, () => {
      seen.push('slice');
      spin(3);
    }),
  );
  await nextTurn();
  seen.push('came in');
  await long;
  assert.ok(seen.indexOf('came in') <= 2);
});

test('slices are shorter while there are searches, and for a moment after the last one', (t) => {
  let now = performance.now() - 10_000;
  t.mock.method(performance, 'now', () => now);
  const alone = sliceMs();
  const ends = [beginSearch(), beginSearch()];
  assert.ok(sliceMs() < alone);
  ends[0]!();
  assert.ok(sliceMs() < alone);
  ends[1]!();
  assert.ok(sliceMs() < alone);
  now += 1_000;
  assert.equal(sliceMs(), alone);
  noteSearch();
  assert.ok(sliceMs() < alone);
});

test('beside searches one write has time; several that wait for each other have longer slices', () => {
  const end = beginSearch();
  beginWrite();
  const one = sliceMs();
  beginWrite();
  assert.ok(sliceMs() > one);
  endWrite();
  assert.equal(sliceMs(), one);
  endWrite();
  end();
});

test('what does not keep the process alive goes on where nothing else wakes the loop', {
  timeout: 900_000,
}, async () => {
  const other = setTimeout(() => {}, 60_000);
  await new Promise<void>((resolve) => {
    let left = 50;
    const next = (): void => (left-- > 0 ? enqueueTurn(next, false) : resolve());
    enqueueTurn(next, false);
  });
  clearTimeout(other);
});

/** Two ends of a connection. */
async function pair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [near, far];
}

test('beside searches what has come in goes before what stands in line, in the very turn in which that begins to', async (t) => {
  const [[near, far], [otherNear, otherFar]] = [await pair(), await pair()];
  t.after(() => {
    for (const socket of [near, otherNear]) socket.destroy();
  });
  // Searches of other tests were a moment ago.
  while (isSearching()) await sleep(20);
  const seen: string[] = [];
  otherNear.on('data', () => seen.push('came in'));
  const round = async (): Promise<string[]> => {
    seen.length = 0;
    await new Promise<void>((resolve) => {
      near.once('data', () => {
        // It is there, but the system is not asked before the event loop has turned.
        otherFar.write('y');
        enqueueTurn(() => {
          seen.push('line');
          setImmediate(() => setImmediate(resolve));
        });
      });
      far.write('x');
    });
    return [...seen];
  };
  assert.deepEqual(await round(), ['line', 'came in']);
  const end = beginSearch();
  for (let times = 0; times < 10; times++) assert.deepEqual(await round(), ['came in', 'line']);
  end();
});
