// Times a fixed set of pages on all servers and tables: first compares the answers, then takes turns.

import type { Sort } from '../corpus/truth.ts';
import { checkPage, type PageAddress, pageBody, respellRequests, searchRequest } from './listing.ts';
import type { Row, Setting } from './question.ts';
import { timeAll } from './timing.ts';

const SIZE = 20;
const SPREAD = 25;

/** Page 1, or with `middle` twenty-five pages by search_after around the middle. */
export async function timePages(
  setting: Setting,
  name: string,
  { sort, middle = false }: { sort: Sort; middle?: boolean },
): Promise<Row[]> {
  const { truth, servers, tables } = setting;
  const start = Math.floor(truth.live / 2 / SIZE) * SIZE;
  const offsets = middle
    ? Array.from({ length: SPREAD }, (_, k) => Math.min(start + k * SIZE, truth.live - SIZE))
    : [0];
  const places = offsets.map((offset): PageAddress => ({ sort, offset, size: SIZE, mode: 'search_after' }));
  const targets = [...servers, ...tables];
  for (const target of targets) {
    for (const place of [places[0], places.at(-1)]) if (place) await checkPage(setting, target, place);
  }
  const requests = respellRequests(places.map((place) => searchRequest(pageBody(truth, place))));
  return timeAll(setting, [{ name, requests }], { targets });
}
