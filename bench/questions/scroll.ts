// How fast does everything come out again? A scroll over all documents, 1,000 a batch, on one connection.

import { expectEqual, INDEX, type Question, type Row, refuseErrors, type Setting } from '../question.ts';

const BATCH = 1000;
const MOST = 300_000;

export const scroll: Question = { name: 'scroll', asks: 'How fast does everything come out again?', run };

async function run(setting: Setting): Promise<Row[]> {
  const row: Row = { name: `scroll, ${BATCH} a batch`, unit: 'docs/s', figures: {} };
  for (const target of setting.targets) {
    const body = JSON.stringify({ query: { match_all: {} }, size: BATCH, sort: ['_doc'] });
    const job = {
      kind: 'scroll',
      url: target.url,
      path: `/${INDEX}/_search?scroll=1m`,
      body,
      most: MOST,
    } as const;
    // Once to warm up, within bounds.
    await setting.load.run({ ...job, most: 20_000 });
    const measured = await setting.load.run(job);
    refuseErrors(target, row.name, measured);
    expectEqual(
      target,
      'documents of the scroll',
      measured.documents >= Math.min(MOST, setting.truth.docs),
      true,
    );
    row.figures[target.name] = { median: measured.documents / (measured.elapsedMs / 1000) };
  }
  return [row];
}
