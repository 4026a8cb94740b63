// A page of a sorted list at growing depth, by `from` and by search_after. At each depth twenty neighbouring pages are
// requested in turn, so that no server answers from a cache of one page.

import {
  checkPage,
  type PageAddress,
  type PageMode,
  pageBody,
  respellRequests,
  SORT,
  searchRequest,
} from '../../measure/listing.ts';
import type { Question, Row } from '../../measure/question.ts';
import { timeAll } from '../../measure/timing.ts';

const SIZE = 20;
const NEIGHBOURS = 20;
const DEPTHS = [0, 100, 1_000, 10_000, 100_000, 1_000_000];
const MODES: readonly PageMode[] = ['from', 'search_after'];

export const pageByDepth: Question = {
  name: 'page_by_depth',
  asks: 'How does the cost of a page grow with its depth?',
  asksTables: true,
  async run(setting) {
    const { truth, servers, tables } = setting;
    const targets = [...servers, ...tables];
    const rows: Row[] = [];
    for (const depth of DEPTHS) {
      const pages = depth === 0 ? 1 : NEIGHBOURS;
      if (depth + SIZE * pages > truth.live) break;
      for (const mode of MODES) {
        const places = Array.from(
          { length: pages },
          (_, k): PageAddress => ({ sort: SORT, offset: depth + k * SIZE, size: SIZE, mode }),
        );
        for (const target of targets) {
          for (const place of [places[0], places.at(-1)])
            if (place !== undefined) await checkPage(setting, target, place);
        }
        const requests = respellRequests(places.map((place) => searchRequest(pageBody(truth, place))));
        const name = `depth ${depth.toLocaleString('en-US')}, ${mode}`;
        rows.push(...(await timeAll(setting, [{ name, requests }], { targets })));
      }
    }
    return rows;
  },
};
