// Walks of all kinds while the list changes between any two pages: what was there all along is met exactly once,
// whatever else comes and goes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ON_POSTGRES, openStore } from '../../test/stores.ts';
import {
  deleteItem,
  type EntryPage,
  editItem,
  type ListOrder,
  type PagePlace,
  pageOfFeed,
  postItems,
  type Records,
} from '../index.ts';

let records: Records;
before(async () => {
  records = await openStore();
});
after(() => records.close());

/** Where a walk goes on behind a page; undefined ends it. */
type Onward = (page: EntryPage, at: number) => PagePlace | undefined;

interface Walk {
  readonly order: ListOrder;
  readonly start: PagePlace;
  readonly onward: Onward;
}

const byToken: (side: 'next' | 'prev') => Onward = (side) => (page) =>
  page[side] && { by: 'stretch', stretch: page[side] };
const byPage: Onward = ({ paged }, at) =>
  paged && at < paged.pageCount ? { by: 'page', page: at + 1, pin: paged.pin } : undefined;

const LOWEST = '00000000-0000-7000-8000-000000000000';

const WALKS: Readonly<Record<string, Walk>> = {
  max_id: {
    order: 'desc',
    start: { by: 'id' },
    onward: ({ nextMaxId }) => (nextMaxId === undefined ? undefined : { by: 'id', maxId: nextMaxId }),
  },
  min_id: {
    order: 'desc',
    start: { by: 'id', minId: LOWEST },
    onward: ({ nextMinId }) => (nextMinId === undefined ? undefined : { by: 'id', minId: nextMinId }),
  },
  'oldest first': {
    order: 'asc',
    start: { by: 'id' },
    onward: ({ nextMinId }) => (nextMinId === undefined ? undefined : { by: 'id', minId: nextMinId }),
  },
  next: { order: 'desc', start: { by: 'id' }, onward: byToken('next') },
  'next, oldest first': { order: 'asc', start: { by: 'id' }, onward: byToken('next') },
  prev: { order: 'desc', start: { by: 'id', minId: LOWEST }, onward: byToken('prev') },
  'prev, oldest first': {
    order: 'asc',
    start: { by: 'stretch', stretch: { towards: 'older' } },
    onward: byToken('prev'),
  },
  pages: { order: 'desc', start: { by: 'page', page: 1 }, onward: byPage },
  'pages, oldest first': { order: 'asc', start: { by: 'page', page: 1 }, onward: byPage },
};

/** What happens between two pages: so many posts, deletions and edits of those that may go. */
const change = fc.record({
  posts: fc.integer({ min: 0, max: 9 }),
  deletions: fc.array(fc.nat(), { maxLength: 6 }),
  edits: fc.array(fc.nat(), { maxLength: 2 }),
});

let feeds = 0;

for (const [name, walk] of Object.entries(WALKS)) {
  test(`by ${name}`, { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 3, max: 12 }),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (count, limit, changes, filtered) => {
          const feed = `w${feeds++}`;
          const posting = async (n: number): Promise<readonly string[]> =>
            await records.write(postItems, { feed, drafts: Array(n).fill({ author: 'ada', text: 'a' }) });
          const ids = count === 0 ? [] : await posting(count);
          const kept = ids.filter((_, i) => i % 2 === 0);
          const doomed = ids.filter((_, i) => i % 2 === 1);
          const seen: string[] = [];
          let place: PagePlace | undefined = walk.start;
          for (let at = 1; place !== undefined; at++) {
            const request = {
              feed,
              filter: filtered ? { author: 'ada' } : {},
              order: walk.order,
              limit,
              place,
            };
            const page: EntryPage = await records.read(pageOfFeed, request);
            seen.push(...page.entries.map(({ id }) => id));
            const { posts, deletions, edits } = changes[at % changes.length]!;
            const gone = deletions.flatMap((n) => doomed.splice(n % (doomed.length || 1), 1));
            const edited = edits.flatMap((n) => kept[n % (kept.length || 1)] ?? []);
            await Promise.all([
              // Newer ones may come for ever: a walk towards them needs an end.
              ...(posts > 0 && at < 20 ? [posting(posts)] : []),
              ...gone.map((id) => records.write(deleteItem, { feed, id })),
              ...edited.map((id) => records.write(editItem, { feed, id, content: { text: 'b' } })),
            ]);
            place = walk.onward(page, at);
          }
          assert.equal(new Set(seen).size, seen.length, 'nothing twice');
          assert.deepEqual(seen.filter((id) => kept.includes(id)).sort(), kept, 'nothing missed');
        },
      ),
      { numRuns: ON_POSTGRES ? 2 : 6 },
    );
  });
}
