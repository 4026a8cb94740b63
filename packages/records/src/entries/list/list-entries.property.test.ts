// Lists against a plain array: pages by number at any state they were pinned to, and by cursor, for random histories
// of posts, deletions and edits.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ON_POSTGRES, openStore } from '../../../test/stores.ts';
import {
  deleteItem,
  type EntryFilter,
  type EntryPage,
  editItem,
  type PagePlace,
  type Pin,
  pageOfFeed,
  postItems,
  type Records,
} from '../../index.ts';

let records: Records;
before(async () => {
  records = await openStore();
});
after(() => records.close());

/** What the array knows of an item. */
interface Known {
  readonly id: string;
  author: string;
  topic: string | undefined;
  text: string;
}

/** A state that a walk is pinned to. */
interface Pinned {
  readonly pin: Pin;
  readonly filter: EntryFilter;
  /** Newest first. */
  readonly ids: readonly string[];
}

const AUTHORS = ['ada', 'bob'];
const TOPICS = ['cats', 'dogs'];

class History {
  readonly feed: string;
  /** Oldest first. */
  live: Known[] = [];
  given: string[] = [];
  readonly pins: Pinned[] = [];

  constructor(feed: string) {
    this.feed = feed;
  }

  async post(count: number, seed: number): Promise<void> {
    const all = Array.from({ length: count }, (_, i) => {
      const topic = [undefined, ...TOPICS][(seed + i) % 3];
      return { author: AUTHORS[(seed * 7 + i) % 2]!, topic, text: `${seed}.${i}` };
    });
    const drafts = all.map(({ author, topic, text }) => ({ author, markup: markup(topic, text) }));
    const ids = await records.write(postItems, { feed: this.feed, drafts });
    this.given.push(...ids);
    this.live.push(...all.map((item, i) => ({ ...item, id: ids[i]! })));
  }

  /** Items by their places among the living, all at a time. */
  async delete(...places: number[]): Promise<void> {
    const doomed = new Set(places.map((at) => this.#at(at)).filter((item) => item !== undefined));
    await Promise.all([...doomed].map(({ id }) => records.write(deleteItem, { feed: this.feed, id })));
    this.live = this.live.filter((item) => !doomed.has(item));
  }

  async edit(at: number, topicAt: number): Promise<void> {
    const item = this.#at(at);
    if (item === undefined) return;
    item.topic = [undefined, ...TOPICS][topicAt % 3];
    item.text = `${item.text}+`;
    const content = { markup: markup(item.topic, item.text) };
    await records.write(editItem, { feed: this.feed, id: item.id, content });
  }

  /** Newest first. */
  matching(filter: EntryFilter): Known[] {
    return this.live
      .filter(
        (item) =>
          (filter.author === undefined || item.author === filter.author) &&
          (filter.topic === undefined || item.topic === filter.topic),
      )
      .reverse();
  }

  async page(
    place: PagePlace,
    filter: EntryFilter,
    limit: number,
    order: 'asc' | 'desc',
  ): Promise<EntryPage> {
    return await records.read(pageOfFeed, { feed: this.feed, filter, order, limit, place });
  }

  #at(at: number): Known | undefined {
    return this.live[at % (this.live.length || 1)];
  }
}

function markup(topic: string | undefined, text: string): string {
  return topic === undefined ? text : `<topic>#${topic}</topic> ${text}`;
}

const filter = fc.record(
  { author: fc.constantFrom(...AUTHORS), topic: fc.constantFrom(...TOPICS) },
  { requiredKeys: [] },
);
const order = fc.constantFrom('asc' as const, 'desc' as const);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('post' as const), count: fc.integer({ min: 1, max: 150 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), at: fc.nat(), topic: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pin' as const), filter }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('page' as const),
      page: fc.integer({ min: 1, max: 12 }),
      limit: fc.integer({ min: 1, max: 40 }),
      pin: fc.option(fc.nat(), { nil: undefined }),
      filter,
      order,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('cursor' as const),
      max: fc.option(fc.nat(), { nil: undefined }),
      low: fc.option(fc.nat(), { nil: undefined }),
      kind: fc.constantFrom('since' as const, 'min' as const),
      limit: fc.integer({ min: 1, max: 40 }),
      filter,
      order,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('around' as const),
      at: fc.nat(),
      limit: fc.integer({ min: 1, max: 9 }),
      filter,
      order,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

let feeds = 0;

test('pages and cursors of any history equal those of an array', { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const history = new History(`h${feeds++}`);
      for (const [i, each] of steps.entries()) await apply(history, each, i);
    }),
    { numRuns: ON_POSTGRES ? 20 : 60 },
  );
});

test('so do those of a history with three levels of counts', { timeout: 900_000 }, async () => {
  const history = new History('deep');
  for (let i = 0; i < 5; i++) {
    await history.post(1_900, i);
    await history.delete(...Array.from({ length: 60 }, (_, k) => k * 7_919 + i));
    await apply(history, { do: 'pin', filter: i % 2 === 0 ? {} : { topic: 'cats' } }, i);
  }
  // So many that those of the first pins are not read at once any more.
  await history.delete(...Array.from({ length: 900 }, (_, k) => k * 7_907));
  for (let k = 0; k < 40; k++) {
    await history.delete(k * 104_729);
    await apply(
      history,
      { do: 'page', page: 1 + k * 11, limit: 20, pin: k % 6, filter: {}, order: 'desc' },
      k,
    );
    await apply(
      history,
      { do: 'page', page: 1 + k * 11, limit: 20, pin: undefined, filter: {}, order: 'asc' },
      k,
    );
  }
});

async function apply(history: History, each: Step, i: number): Promise<void> {
  if (each.do === 'post') await history.post(each.count, i);
  else if (each.do === 'delete') await history.delete(each.at);
  else if (each.do === 'edit') await history.edit(each.at, each.topic);
  else if (each.do === 'pin') await pin(history, each.filter);
  else if (each.do === 'page') await checkPage(history, each);
  else if (each.do === 'cursor') await checkCursor(history, each);
  else await checkAround(history, each);
}

async function pin(history: History, filter: EntryFilter): Promise<void> {
  const { paged } = await history.page({ by: 'page', page: 1 }, filter, 1, 'desc');
  history.pins.push({ pin: paged!.pin, filter, ids: history.matching(filter).map(({ id }) => id) });
}

async function checkPage(history: History, asked: Extract<Step, { do: 'page' }>): Promise<void> {
  const { page, limit, order } = asked;
  const pinned = asked.pin === undefined ? undefined : history.pins[asked.pin % (history.pins.length || 1)];
  const filter = pinned?.filter ?? asked.filter;
  const ids = pinned?.ids ?? history.matching(filter).map(({ id }) => id);
  const listed = order === 'desc' ? ids : ids.toReversed();
  const slots = listed.slice((page - 1) * limit, page * limit);
  const living = new Map(history.live.map((item) => [item.id, item]));
  const found = await history.page({ by: 'page', page, pin: pinned?.pin }, filter, limit, order);
  assert.deepEqual(
    found.entries.map(({ id, text }) => [id, text.replace(/^#\w+ /, '')]),
    slots.filter((id) => living.has(id)).map((id) => [id, living.get(id)!.text]),
  );
  assert.deepEqual(found.paged!.deleted.toSorted(), slots.filter((id) => !living.has(id)).toSorted());
  assert.equal(found.total, ids.length);
  assert.equal(found.paged!.pageCount, Math.ceil(ids.length / limit));
  assert.equal(found.more, page * limit < ids.length);
  if (order === 'asc' || slots.length === 0) return;
  const behind = history.matching(filter).find(({ id }) => id < slots.at(-1)!);
  assert.equal(found.nextMaxId, behind?.id);
}

async function checkCursor(history: History, asked: Extract<Step, { do: 'cursor' }>): Promise<void> {
  const { limit, filter, order, kind } = asked;
  const idAt = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : history.given[at % (history.given.length || 1)];
  const maxId = idAt(asked.max);
  const low = idAt(asked.low);
  const place: PagePlace = { by: 'id', maxId, ...(kind === 'min' ? { minId: low } : { sinceId: low }) };
  const inside = history
    .matching(filter)
    .filter(({ id }) => (maxId === undefined || id <= maxId) && (low === undefined || id > low));
  const upwards = order === 'asc' || (kind === 'min' && low !== undefined);
  const walk = upwards ? inside.toReversed() : inside;
  const slice = walk.slice(0, limit);
  const newestFirst = upwards ? slice.toReversed() : slice;
  const found = await history.page(place, filter, limit, order);
  assert.deepEqual(
    found.entries.map(({ id }) => id),
    (order === 'desc' ? newestFirst : newestFirst.toReversed()).map(({ id }) => id),
  );
  assert.equal(found.more, walk.length > limit);
  assert.equal(found.nextMaxId, upwards ? undefined : walk[limit]?.id);
  assert.equal(found.nextMinId, upwards && walk.length > limit ? slice.at(-1)?.id : undefined);
  await checkNeighbours(history, found, filter, order);
  const ids = found.entries.map(({ id }) => id);
  const all = history.matching(filter).map(({ id }) => id);
  // Where the parameters set no end, a missing token is the end of the list.
  const [older, newer] = order === 'desc' ? [found.next, found.prev] : [found.prev, found.next];
  if (ids.length > 0 && maxId === undefined) assert.equal(newer === undefined, ids.includes(all[0]!));
  if (ids.length > 0 && low === undefined) assert.equal(older === undefined, ids.includes(all.at(-1)!));
}

/** `next` and `prev` lead to what lies next to the page, and are absent only where there is nothing. */
async function checkNeighbours(
  history: History,
  found: EntryPage,
  filter: EntryFilter,
  order: 'asc' | 'desc',
): Promise<void> {
  const all = history.matching(filter).map(({ id }) => id);
  const ids = found.entries.map(({ id }) => id);
  if (order === 'asc') all.reverse();
  for (const side of ['next', 'prev'] as const) {
    const stretch = found[side];
    if (stretch === undefined) continue;
    const edge = all.indexOf(side === 'next' ? ids.at(-1)! : ids[0]!);
    const expected = side === 'next' ? all.slice(edge + 1, edge + 4) : all.slice(Math.max(0, edge - 3), edge);
    const { entries } = await history.page({ by: 'stretch', stretch }, filter, 3, order);
    const reached = entries.map(({ id }) => id);
    // A stretch with an end of its own stops there.
    if (stretch.until === undefined) assert.deepEqual(reached, expected, side);
    else for (const id of reached) assert.ok(expected.includes(id), side);
  }
}

async function checkAround(history: History, asked: Extract<Step, { do: 'around' }>): Promise<void> {
  const { at, limit, filter, order } = asked;
  const id = history.given[at % (history.given.length || 1)];
  if (id === undefined) return;
  const all = history.matching(filter).map((item) => item.id);
  const above = all.filter((other) => other > id).slice(-Math.floor(limit / 2) || all.length);
  const below = all.filter((other) => other <= id).slice(0, Math.ceil(limit / 2));
  const found = await history.page({ by: 'around', id }, filter, limit, order);
  const expected = [...above, ...below];
  assert.deepEqual(
    found.entries.map((entry) => entry.id),
    order === 'desc' ? expected : expected.toReversed(),
  );
}
