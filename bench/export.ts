// How is an export measured? A walk over the whole corpus first, which warms up and must bring every document once; then
// shorter ones on every server in turns; and how much resident memory grew with them.

import { memoryOf } from './machine.ts';
import { expectEqual, INDEX, type Row, type Setting, type Target } from './question.ts';
import { measure, rateOf, roundsOf, type Sum } from './timing.ts';

/** Documents of a round for each request that a case may take. */
const EACH = 250;

interface Walked {
  readonly sums: Sum[];
  before: number | undefined;
}

export async function exportBy(setting: Setting, name: string, way: 'scroll' | 'next_token'): Promise<Row[]> {
  const size = setting.smoke ? 100 : 1000;
  const walk = (target: Target, most: number): Promise<Sum> => {
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
    });
  };
  const walked = new Map<Target, Walked>();
  for (const target of setting.servers) {
    const { measured } = await walk(target, Number.MAX_SAFE_INTEGER);
    expectEqual(target, `documents by ${name}`, measured.documents, setting.truth.live);
    walked.set(target, { sums: [], before: memoryOf(target.pid)?.now });
  }
  for (let round = 0; round < roundsOf(setting, 3); round++) {
    for (const [target, { sums }] of walked) sums.push(await walk(target, EACH * setting.most));
  }
  const rates: Row = { name, unit: 'docs/s', figures: {} };
  const growth: Row = { name: `${name}, growth of memory`, unit: 'bytes/doc', figures: {} };
  for (const [target, { sums, before }] of walked) {
    rates.figures[target.name] = rateOf(sums, ({ measured }) => measured.documents);
    const after = memoryOf(target.pid)?.now;
    const came = sums.reduce((n, { measured }) => n + measured.documents, 0);
    if (before !== undefined && after !== undefined)
      growth.figures[target.name] = { median: Math.max(0, after - before) / came };
  }
  return [rates, growth];
}
