// A random page by `from`, and a text asked for the first time, on indices of growing size: a hundredth of the corpus, a tenth,
// and all of it. The smaller indices have the first documents of the corpus, and none deleted.

import { randomFrom } from '../../corpus/corpus.ts';
import { orOfSome, toWire } from '../../corpus/queries.ts';
import type { Request } from '../../load/load.ts';
import { randomOffsets, respellRequests, SORT, searchRequest, sortBody } from '../../measure/listing.ts';
import { createIndex, cutsOf } from '../../measure/load-corpus.ts';
import {
  ask,
  expectEqual,
  INDEX,
  type Question,
  type Row,
  type Setting,
  search,
  type Target,
} from '../../measure/question.ts';
import { timeAll, waitUntilAllIdle } from '../../measure/timing.ts';

const SIZE = 20;
const PAGES = 100;
const PARTS = [100, 10];

export const pageBySize: Question = {
  name: 'page_by_size',
  asks: 'How does the cost of a page grow with the number of documents?',
  async run(setting) {
    const { truth, servers } = setting;
    const rows: Row[] = [];
    for (const part of PARTS) {
      const docs = Math.floor(truth.docs / part);
      const index = `${INDEX}-${docs}`;
      for (const target of servers) await loadFirst(setting, target, index, docs);
      await waitUntilAllIdle(setting);
      rows.push(...(await timeIndex(setting, index, docs)));
      for (const target of servers) await ask(target, 'DELETE', `/${index}`);
    }
    rows.push(...(await timeIndex(setting, INDEX, truth.live)));
    return rows;
  },
};

async function loadFirst(setting: Setting, target: Target, index: string, docs: number): Promise<void> {
  const { load, file } = setting;
  await createIndex(target, index);
  const cuts = cutsOf(setting, 0, docs);
  const path = `/${index}/_bulk`;
  const done = await load.run({ kind: 'bulk', url: target.url, path, file, cuts, connections: 1 });
  if (done.error !== undefined) throw new Error(`${target.name}: loading ${index}: ${done.error}`);
  await ask(target, 'POST', `/${index}/_flush`);
  await ask(target, 'POST', `/${index}/_refresh`);
}

async function timeIndex(setting: Setting, index: string, docs: number): Promise<Row[]> {
  const { servers } = setting;
  const size = docs.toLocaleString('en-US');
  const bodies = randomOffsets(randomFrom(docs), PAGES, docs, SIZE).map((from) => ({
    query: { match_all: {} },
    sort: sortBody(SORT),
    from,
    size: SIZE,
  }));
  for (const body of bodies.slice(0, 4)) {
    const found: string[] = [];
    for (const target of servers) {
      const { hits } = await search(target, body, index);
      found.push(hits.hits.map(({ _id }) => _id).join());
      expectEqual(target, `page at ${body.from} of ${index}`, found.at(-1), found[0]);
    }
  }
  const requests = respellRequests(bodies.map((body) => searchRequest(body, index)));
  const randoms = new Map<Target, () => number>();
  const texts = (target: Target, count: number): Request[] => {
    const random = randoms.get(target) ?? randomFrom(docs + 1);
    randoms.set(target, random);
    return Array.from({ length: count }, () =>
      searchRequest({ query: toWire(orOfSome(random)), size: 10 }, index),
    );
  };
  return [
    ...(await timeAll(setting, [{ name: `${size} documents, random page`, requests }])),
    ...(await timeAll(setting, [{ name: `${size} documents, a new text`, requests: texts }])),
  ];
}
