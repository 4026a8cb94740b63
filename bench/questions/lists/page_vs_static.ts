// The cost of a page compared with sending its bytes. Pages of 20 hits over HTTP at 32 connections: the
// newest page again and again, and pages at random depth. The comparison is the same replies as fixed bytes
// from the same framework. Measured in server CPU per request, which other load on the machine affects less
// than the clock. Both servers are warm.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../../corpus/corpus.ts';
import {
  checkPage,
  type PageAddress,
  pageBody,
  randomOffsets,
  SORT,
  searchRequest,
} from '../../measure/listing.ts';
import { type Claim, INDEX, type Question, type Row, ratioOf } from '../../measure/question.ts';
import { timeAll } from '../../measure/timing.ts';
import { startStatic } from '../../peers/static-server.ts';

const PAGES = 500;
const CONNECTIONS = 32;
const HOT = 'hot page';
const COLD = 'page at random depth';

export const pageVsStatic: Question = {
  name: 'page_vs_static',
  asks: 'What does a page cost beside sending its bytes?',
  async run(setting) {
    const { octavo, truth } = setting;
    const offsets = [0, ...randomOffsets(randomFrom(61), setting.smoke ? 4 : PAGES, truth.live, 20)];
    const places = offsets.map((offset): PageAddress => ({ sort: SORT, offset, size: 20, mode: 'from' }));
    for (const place of places.slice(0, 8)) await checkPage(setting, octavo, place);
    const replies: Buffer[] = [];
    for (const place of places) {
      const reply = await fetch(`${octavo.url}/${INDEX}/_search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(pageBody(truth, place)),
      });
      const bytes = Buffer.from(await reply.arrayBuffer());
      replies.push(Buffer.from(`${bytes.length}\n`), bytes);
    }
    const file = join(setting.folder, 'replies');
    writeFileSync(file, Buffer.concat(replies));
    const { target: fixed, stop } = await startStatic(file);
    try {
      const pages = places.map((place) => searchRequest(pageBody(truth, place)));
      const bytes = places.map((_, n) => ({ method: 'GET', path: `/${n}` }));
      // Enough requests for the compiler to finish in the warm-up turn; its threads count in the CPU time.
      const more = { ...setting, most: setting.maxRequests * 64 };
      const cases = [
        {
          name: HOT,
          requests: (target: { name: string }) => (target.name === 'static' ? bytes : pages).slice(0, 1),
        },
        {
          name: COLD,
          requests: (target: { name: string }) => (target.name === 'static' ? bytes : pages).slice(1),
        },
      ];
      return await timeAll(more, cases, { targets: [octavo, fixed], connections: CONNECTIONS });
    } finally {
      await stop();
    }
  },
  claims: (rows): Claim[] => {
    const cpu = (name: string, peer: 'octavo' | 'static'): number | undefined =>
      rowOf(rows, name)?.figures[peer]?.cpu;
    const work = 'page of 20 hits over HTTP';
    return [
      {
        work,
        says: 'hot / the same bytes static, server CPU',
        measured: ratioOf(cpu(HOT, 'octavo'), cpu(HOT, 'static')),
        unit: '×',
        atMost: 1.3,
      },
      {
        work,
        says: 'at random depth / static and hot, server CPU',
        measured: ratioOf(cpu(COLD, 'octavo'), cpu(HOT, 'static')),
        unit: '×',
        atMost: 2.2,
      },
    ];
  },
};

function rowOf(rows: readonly Row[], name: string): Row | undefined {
  return rows.find((row) => row.name === name);
}
