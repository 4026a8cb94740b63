// What does a jump to any page cost, beside page 1? Against equally cold documents: as many first pages as random pages
// (by eight orders; of twelve sections in two orders; of what has a word in its text and is of a section), asked for equally
// often and printed anew each time. Then pages all over the place, on everything that lists: a table answers `from` by OFFSET and search_after by keyset.

import { costs } from '../compare.ts';
import { randomFrom } from '../corpus.ts';
import {
  checkPage,
  type Mode,
  type Place,
  pageBody,
  randomOffsets,
  respelled,
  reversed,
  SORT,
  searchRequest,
  takes,
} from '../listing.ts';
import type { Request } from '../load.ts';
import type { Claim, Question, Row, Setting, Target } from '../question.ts';
import { allAtRest, measure, timeAll } from '../timing.ts';
import { LISTED_WORDS, type Sort } from '../truth.ts';

const SIZE = 20;
const MODES: readonly Mode[] = ['from', 'search_after', 'page'];
const BY_SCORE: Sort = [
  ['score', 'desc'],
  ['id', 'asc'],
];
const BY_SIZE: Sort = [
  ['size', 'asc'],
  ['id', 'asc'],
];
const BY_ID: Sort = [['id', 'asc']];
const ORDERS = [SORT, BY_SCORE, BY_SIZE, BY_ID].flatMap((sort) => [sort, reversed(sort)]);
const SECTIONS = [0, 1, 2, 4, 7, 10, 13, 17, 20, 30, 40, 50];
const COLD = 400;
/** So many pages come before the same one again: more than are kept as they were printed (64). */
const KEPT = 96;
/** A new order is built, and merged, behind its first few pages. They take longer where there are more documents. */
const FIRST_PAGES = 40;
const FIRST_MS = 1_000;
const FIRST_MS_OF = 50_000;

export const jumpRandomPage: Question = {
  name: 'jump_random_page',
  asks: 'What does a jump to any page cost, beside page 1?',
  asksTables: true,
  async run(setting) {
    const random = randomFrom(271);
    const lists = [
      { name: 'all', sets: ORDERS.map((sort) => ({ sort, section: undefined })) },
      {
        name: 'a section',
        sets: SECTIONS.flatMap((section) => [SORT, reversed(SORT)].map((sort) => ({ sort, section }))),
      },
      {
        name: 'a text in a section',
        sets: LISTED_WORDS.flatMap((word) =>
          SECTIONS.slice(0, 4).flatMap((section) =>
            [SORT, reversed(SORT)].map((sort) => ({ sort, section, word })),
          ),
        ),
      },
    ];
    const rows: Row[] = [];
    for (const { name, sets } of lists) rows.push(...(await besidePageOne(setting, name, sets, random)));
    rows.push(...(await allOver(setting, random)));
    return rows;
  },
  claims(rows) {
    const work = 'any page, any depth, filtered or not';
    const claims: Claim[] = [];
    for (const list of ['all', 'a section', 'a text in a section']) {
      for (const mode of MODES) {
        claims.push({
          work,
          says: `${mode}: random page of ${list} / page 1`,
          ...costs(rows, `random page of ${list}, ${mode}`, `page 1 of ${list}`),
          unit: '×',
          atMost: 1.2,
        });
      }
    }
    return claims;
  },
};

type List = Pick<Place, 'sort' | 'section' | 'word'>;

async function besidePageOne(
  setting: Setting,
  name: string,
  lists: readonly List[],
  random: () => number,
): Promise<Row[]> {
  const { truth } = setting;
  const places = lists.map((list) => {
    const matches = truth.sorted(list.sort, list.section, list.word).length;
    const [offset = 0] = randomOffsets(random, 1, matches, SIZE);
    return { ...list, offset, size: SIZE };
  });
  const first = places.map((place): Place => ({ ...place, offset: 0, mode: 'from' }));
  const cases = [
    timed(setting, `page 1 of ${name}`, first),
    ...MODES.map((mode) =>
      timed(
        setting,
        `random page of ${name}, ${mode}`,
        places.map((place) => ({ ...place, mode })),
      ),
    ),
  ];
  for (const { places } of cases) await checkSome(setting, setting.servers, places);
  await makeOrders(setting, cases);
  return timeAll(setting, cases);
}

/**
 * Asks until all orders are there. While some lists have none, the pages of others come again so soon that they are kept as they
 * were printed, and those that are asked for first would stay so: a quarter of all first pages did.
 */
async function makeOrders(setting: Setting, cases: readonly Case[]): Promise<void> {
  for (const target of setting.servers) {
    const pages = cases
      .flatMap(({ places }) => places)
      .filter(({ mode }) => takes(target, mode))
      .map((place) => searchRequest(pageBody(setting.truth, place)));
    // In a spelling that is not asked for again.
    const requests = pages.map((page) => ({ ...page, body: ` ${page.body}` }));
    const mostMs = FIRST_MS * Math.max(1, setting.truth.live / FIRST_MS_OF);
    const most = setting.smoke ? requests.length : FIRST_PAGES * requests.length;
    const job = {
      kind: 'repeat',
      url: target.url,
      requests,
      connections: 1,
      most,
      mostMs,
    } as const;
    await measure(setting, target, 'first pages', job);
  }
  await allAtRest(setting);
}

async function allOver(setting: Setting, random: () => number): Promise<Row[]> {
  const offsets = randomOffsets(random, setting.smoke ? 4 : COLD, setting.truth.live, SIZE);
  const cases = MODES.map((mode) =>
    timed(
      setting,
      `pages all over, ${mode}`,
      offsets.map((offset): Place => ({ sort: SORT, offset, size: SIZE, mode })),
    ),
  );
  const targets = [...setting.servers, ...setting.tables];
  for (const { places } of cases) await checkSome(setting, targets, places);
  return timeAll(setting, cases, { targets });
}

/** Pages that are timed together. */
interface Case {
  readonly name: string;
  readonly places: readonly Place[];
  requests(target: Target, count: number): Request[] | undefined;
}

function timed({ truth }: Setting, name: string, places: readonly Place[]): Case {
  const pages = places.map((place) => searchRequest(pageBody(truth, place)));
  const requests = respelled(pages, Math.ceil(KEPT / pages.length));
  const mode = places[0]?.mode ?? 'from';
  return {
    name,
    places,
    requests: (target, count) => (takes(target, mode) ? requests(target, count) : undefined),
  };
}

async function checkSome(
  setting: Setting,
  targets: readonly Target[],
  places: readonly Place[],
): Promise<void> {
  const step = Math.ceil(places.length / 8);
  for (const target of targets) {
    for (let at = 0; at < places.length; at += step) {
      const place = places[at];
      if (place !== undefined && takes(target, place.mode)) await checkPage(setting, target, place);
    }
  }
}
