// How is an export measured? A walk over the whole corpus, twice (the first one warms up), documents counted; and how much
// the server's resident memory grew meanwhile.

import { memoryOf } from './machine.ts';
import { expectEqual, INDEX, type Row, type Setting, type Target } from './question.ts';
import { measure, rateOf } from './timing.ts';

const MOST = 300_000;

export async function exportBy(
  setting: Setting,
  name: string,
  way: 'scroll' | 'next_token',
  targets: readonly Target[],
): Promise<Row[]> {
  const size = setting.smoke ? 100 : 1000;
  const rates: Row = { name, unit: 'docs/s', figures: {} };
  const growth: Row = { name: `${name}, growth of memory`, unit: 'bytes/doc', figures: {} };
  const most = Math.min(MOST, setting.truth.live);
  for (const target of targets) {
    const tokens = way === 'next_token' && target.name === 'octavo';
    const query = { query: { match_all: {} }, size };
    const sum = async (most: number) =>
      measure(setting, target, name, {
        kind: 'walk',
        by: way === 'scroll' || tokens ? way : 'search_after',
        url: target.url,
        path: `/${INDEX}/_search${way === 'scroll' ? '?scroll=1m' : ''}`,
        body: {
          ...query,
          sort: way === 'scroll' ? ['_doc'] : [{ id: 'asc' }],
          ...(tokens && { tokens: true }),
        },
        most,
      });
    await sum(most);
    const before = memoryOf(target.pid);
    const measured = await sum(Number.MAX_SAFE_INTEGER);
    const after = memoryOf(target.pid);
    expectEqual(target, `documents by ${name}`, measured.measured.documents, setting.truth.live);
    rates.figures[target.name] = rateOf([measured], (one) => one.measured.documents);
    if (before !== undefined && after !== undefined) {
      const grown = Math.max(0, after.now - before.now) / setting.truth.live;
      growth.figures[target.name] = { median: grown };
    }
  }
  return [rates, growth];
}
