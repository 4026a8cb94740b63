// The cost of a page compared with sending its bytes. Pages of 20 hits over HTTP at 32 connections: the
// newest page again and again, and pages at random depth, on both carriers. The comparison is a bare
// `node:http` server that reads the same requests and sends the same replies as fixed bytes. Measured in
// server CPU per request, which other load on the machine affects less than the clock. Both servers are warm.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../../corpus/corpus.ts';
import type { Request } from '../../load/load.ts';
import {
  checkPage,
  type PageAddress,
  pageBody,
  randomOffsets,
  SORT,
  searchRequest,
} from '../../measure/listing.ts';
import { type Claim, INDEX, type Question, type Row, ratioOf, type Setting } from '../../measure/question.ts';
import { timeAll } from '../../measure/timing.ts';
import { startBare } from '../../peers/bare-server.ts';

const PAGES = 500;
const CONNECTIONS = 32;
/** A lane leaves requests with this header, and their connections, to node:http. */
const NOT_PLAIN = ['te: trailers'];
const CARRIERS = [
  { carrier: 'lane', headers: undefined },
  { carrier: 'node:http', headers: NOT_PLAIN },
] as const;
const DEPTHS = [
  { depth: 'hot page', from: 0, to: 1 },
  { depth: 'page at random depth', from: 1, to: PAGES + 1 },
] as const;
const CASES = CARRIERS.flatMap(({ carrier, headers }) =>
  DEPTHS.map(({ depth, from, to }) => ({ name: `${depth}, ${carrier}`, headers, from, to })),
);

export const pageVsBare: Question = {
  name: 'page_vs_bare',
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
    const { target: bare, stop } = await startBare(file);
    try {
      const pages = places.map((place) => searchRequest(pageBody(truth, place)));
      // Enough requests for the compiler to finish in the warm-up turn; its threads count in the CPU time.
      const more: Setting = { ...setting, maxRequests: setting.maxRequests * 64 };
      const cases = CASES.map(({ name, headers, from, to }) => ({
        name,
        requests: (target: { name: string }): Request[] =>
          pages.slice(from, to).map((page, n) => ({
            ...page,
            ...(target.name === 'bare' ? { path: `/${from + n}` } : {}),
            ...(headers === undefined ? {} : { headers }),
          })),
      }));
      return await timeAll(more, cases, { targets: [octavo, bare], connections: CONNECTIONS });
    } finally {
      await stop();
    }
  },
  claims: (rows): Claim[] =>
    CASES.map(({ name }) => ({
      work: 'page of 20 hits over HTTP',
      says: `${name} / the same bytes by bare node:http, server CPU`,
      measured: ratioOf(cpuOf(rows, name, 'octavo'), cpuOf(rows, name, 'bare')),
      unit: '×',
      atMost: 2,
    })),
};

function cpuOf(rows: readonly Row[], name: string, peer: 'octavo' | 'bare'): number | undefined {
  return rows.find((row) => row.name === name)?.figures[peer]?.cpu;
}
