import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listingOf } from './listing.ts';

/** Numbers from 0 to 9 in pages of 4; positions are offsets. */
function numbers(at = 0): { list: ReturnType<typeof listingOf<number, number, number>>; fetched: number[] } {
  const fetched: number[] = [];
  const source = {
    fetch: async (position: number = at): Promise<number> => {
      fetched.push(position);
      return position;
    },
    items: (from: number) => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(from, from + 4),
    next: (from: number) => (from + 4 < 10 ? from + 4 : undefined),
    prev: (from: number) => (from > 0 ? from - 4 : undefined),
  };
  return { list: listingOf(source, { backwards: at > 0 }), fetched };
}

test('a list is walked by item and by page, and fetches only what is read', async () => {
  const { list, fetched } = numbers();
  for await (const item of list) if (item === 5) break;
  assert.deepEqual(fetched, [0, 4]);
  assert.deepEqual(await list.toArray(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const sizes: number[] = [];
  for await (const { items } of list.pages()) sizes.push(items.length);
  assert.deepEqual(sizes, [4, 4, 2]);
});

test('pages fetch their neighbours', async () => {
  const first = await numbers().list.first();
  assert.deepEqual([first.hasPrev, first.hasNext, await first.prev()], [false, true, undefined]);
  const second = await first.next();
  assert.deepEqual((await second?.prev())?.items, [0, 1, 2, 3]);
  assert.equal((await (await second?.next())?.next())?.items, undefined);
});

test('a backwards walk returns all items in reverse', async () => {
  assert.deepEqual(await numbers(8).list.toArray(), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
});
