// How is an export measured? A walk over the whole corpus first, which warms up and must bring every document once; then
// shorter ones on every server in turns. At last our own server brings three million documents, walk after walk: does its resident
// memory stay flat? Garbage comes and goes by 20 to 40 MB, however many documents come, so one look before and one after say
// nothing: what was lowest in the first third of the walks is compared with what was lowest in the last.

import { memoryOf } from './machine.ts';
import { expectEqual, INDEX, type Row, type Setting, type Target } from './question.ts';
import { measure, rateOf, roundsOf, type Sum } from './timing.ts';

/** Documents of a round for each request that a case may take. */
const EACH = 250;

/** Documents that come while memory is watched. */
const WATCHED = 3_000_000;

export async function exportBy(setting: Setting, name: string, way: 'scroll' | 'next_token'): Promise<Row[]> {
  const size = setting.smoke ? 100 : 1000;
  const walk = (target: Target, most: number, keepIds = false): Promise<Sum> => {
    const tokens = way === 'next_token' && target.name === 'octavo';
    return measure(setting, target, name, {
      kind: 'walk',
      by: way === 'scroll' || tokens ? way : 'search_after',
      url: target.url,
      path: `/${INDEX}/_search${way === 'scroll' ? '?scroll=1m' : ''}`,
      body: {
        query: { match_all: {} },
        size,
        sort: way === 'scroll' ? ['_doc'] : [{ id: 'asc' }],
        ...(tokens && { tokens: true }),
      },
      most,
      keepIds,
    });
  };
  const walked = new Map<Target, Sum[]>();
  for (const target of setting.servers) {
    const { ids } = (await walk(target, Number.MAX_SAFE_INTEGER, true)).measured;
    const { truth } = setting;
    expectEqual(target, `documents by ${name}`, ids.length, truth.live);
    // Those of an index in no asked order are compared by name alone.
    const came = way === 'scroll' ? ids.toSorted() : ids;
    const expected = Array.from(truth.sorted([['id', 'asc']]), (doc) => truth.ids[doc]);
    const wrong = came.findIndex((id, i) => id !== expected[i]);
    expectEqual(target, `document ${wrong} by ${name}`, came[wrong], expected[wrong]);
    walked.set(target, []);
  }
  for (let round = 0; round < roundsOf(setting, 3); round++) {
    for (const [target, sums] of walked) sums.push(await walk(target, EACH * setting.most));
  }
  const rates: Row = { name, unit: 'docs/s', figures: {} };
  const growth: Row = { name: `${name}, growth of memory`, unit: 'bytes/doc', figures: {} };
  for (const [target, sums] of walked)
    rates.figures[target.name] = rateOf(sums, ({ measured }) => measured.documents);
  const { octavo, truth, smoke } = setting;
  const median = await growthOf(octavo, smoke ? 0 : WATCHED / truth.live, () =>
    walk(octavo, Number.MAX_SAFE_INTEGER),
  );
  if (median !== undefined) growth.figures.octavo = { median };
  return [rates, growth];
}

/** Bytes by which resident memory grew for each document; undefined where that cannot be told. */
async function growthOf(
  { pid }: Target,
  atLeast: number,
  walk: () => Promise<Sum>,
): Promise<number | undefined> {
  const third = Math.max(1, Math.ceil(atLeast / 3));
  const seen: number[] = [];
  let came = 0;
  for (let n = 0; n < third * 3; n++) {
    const { measured } = await walk();
    if (n >= third) came += measured.documents;
    seen.push(memoryOf(pid)?.now ?? Number.NaN);
  }
  const growth = Math.min(...seen.slice(-third)) - Math.min(...seen.slice(0, third));
  return Number.isNaN(growth) ? undefined : Math.max(0, growth) / came;
}
