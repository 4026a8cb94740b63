// Reading backwards, from the last page to the first: by prev_token in Octavo, and by search_after in the
// reversed order in the peers.

import { costRatio } from '../../measure/figures-compared.ts';
import { queryBody, reverseSort, SORT, sortBody } from '../../measure/listing.ts';
import { expectEqual, INDEX, type Question, type Row, type Target } from '../../measure/question.ts';
import { addSums, figureOf, type JobSum, measure, roundsOf } from '../../measure/timing.ts';

const SIZE = 20;
const PAGES = 200;
/** The names of the cases that read back and on by tokens. */
const ROUNDS = 4;

export const pagesBackwards: Question = {
  name: 'pages_backwards',
  asks: 'What does it cost to read backwards?',
  asksTables: true,
  async run(setting) {
    const { truth, servers, tables } = setting;
    const most = Math.min(PAGES, setting.maxRequests) * SIZE;
    const order = [...truth.sorted(SORT)].map((doc) => truth.ids[doc]);
    const last = Math.floor((truth.live - 1) / SIZE) * SIZE;
    const row: Row = { name: 'pages_backwards, search_after', unit: 'µs', figures: {} };
    const tokens: Row = { name: 'pages_backwards, prev_token', unit: 'µs', figures: {} };
    const forwards: Row = { name: 'pages forwards, next_token', unit: 'µs', figures: {} };
    const base = { query: queryBody(), size: SIZE };
    const walk = { kind: 'walk', path: `/${INDEX}/_search`, most, keepIds: true } as const;
    const reading = async (
      target: Target,
      by: 'search_after' | 'prev_token' | 'next_token',
      body: object,
    ) => {
      const job = { ...walk, url: target.url, by, body };
      await setting.load.run({ ...job, most: SIZE * 20 });
      return measure(setting, target, `pages_backwards, ${by}`, job);
    };
    for (const target of [...servers, ...tables]) {
      const sum = await reading(target, 'search_after', { ...base, sort: sortBody(reverseSort(SORT)) });
      const expected = order.toReversed().slice(0, sum.measured.ids.length);
      expectEqual(target, 'ids backwards', sum.measured.ids, expected);
      row.figures[target.name] = figureOf(sum);
    }
    const body = { ...base, sort: sortBody(SORT), tokens: true };
    const { octavo } = setting;
    const sums: { back?: JobSum; on?: JobSum } = {};
    // In turns; otherwise the first case would also pay for compiling.
    for (let round = roundsOf(setting, ROUNDS); round > 0; round--) {
      const back = await reading(octavo, 'prev_token', { ...body, from: last });
      const pages: (string | undefined)[] = [];
      for (let at = last; pages.length < back.measured.ids.length; at -= SIZE)
        pages.push(...order.slice(at, at + SIZE));
      expectEqual(octavo, 'ids by prev_token', back.measured.ids, pages);
      const on = await reading(octavo, 'next_token', body);
      expectEqual(octavo, 'ids by next_token', on.measured.ids, order.slice(0, on.measured.ids.length));
      sums.back = addSums(sums.back, back);
      sums.on = addSums(sums.on, on);
    }
    tokens.figures.octavo = figureOf(sums.back!);
    forwards.figures.octavo = figureOf(sums.on!);
    return [row, tokens, forwards];
  },
  claims: (rows) => [
    {
      work: 'any page, any depth, filtered or not',
      says: 'backwards by prev_token / forwards by next_token',
      ...costRatio(rows, 'pages_backwards, prev_token', 'pages forwards, next_token'),
      unit: '×',
      atMost: 1.2,
    },
  ],
};
