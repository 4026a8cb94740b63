// The rate and memory growth of exports.
// - A walk over the whole corpus warms up and must return every document once.
// - Shorter walks then run on every server in turns.
// - Finally Octavo exports three million documents, walk after walk, while its resident memory is read.
//   Garbage moves memory by 20 to 40 MB, so single readings say nothing: the minimum of the first third of
//   the walks is compared with the minimum of the last third.

import { memoryOf } from '../machine/processes.ts';
import { expectEqual, INDEX, type Row, type Setting, type Target } from './question.ts';
import { type JobSum, measure, rateOf, roundsOf } from './timing.ts';

/** Documents per round, for each request that a case may make. */
const DOCS_PER_REQUEST = 250;

/** Documents exported while memory is read. */
const MEMORY_DOCS = 3_000_000;

export async function exportRates(
  setting: Setting,
  name: string,
  way: 'scroll' | 'next_token',
): Promise<Row[]> {
  const size = setting.smoke ? 100 : 1000;
  const walk = (target: Target, most: number, keepIds = false): Promise<JobSum> => {
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
  const walked = new Map<Target, JobSum[]>();
  for (const target of setting.servers) {
    const { ids } = (await walk(target, Number.MAX_SAFE_INTEGER, true)).measured;
    const { truth } = setting;
    expectEqual(target, `documents by ${name}`, ids.length, truth.live);
    // Without a sort only the set of ids is compared.
    const came = way === 'scroll' ? ids.toSorted() : ids;
    const expected = Array.from(truth.sorted([['id', 'asc']]), (doc) => truth.ids[doc]);
    const wrong = came.findIndex((id, i) => id !== expected[i]);
    expectEqual(target, `document ${wrong} by ${name}`, came[wrong], expected[wrong]);
    walked.set(target, []);
  }
  for (let round = 0; round < roundsOf(setting, 3); round++) {
    for (const [target, sums] of walked)
      sums.push(await walk(target, DOCS_PER_REQUEST * setting.maxRequests));
  }
  const rates: Row = { name, unit: 'docs/s', figures: {} };
  const growth: Row = { name: `${name}, growth of memory`, unit: 'bytes/doc', figures: {} };
  for (const [target, sums] of walked)
    rates.figures[target.name] = rateOf(sums, ({ measured }) => measured.documents);
  const { octavo, truth, smoke } = setting;
  const median = await growthOf(octavo, smoke ? 0 : MEMORY_DOCS / truth.live, () =>
    walk(octavo, Number.MAX_SAFE_INTEGER),
  );
  if (median !== undefined) growth.figures.octavo = { median };
  return [rates, growth];
}

/** Growth of resident memory in bytes per document; undefined if memory cannot be read. */
async function growthOf(
  { pid }: Target,
  atLeast: number,
  walk: () => Promise<JobSum>,
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
