// Pages at random depth compared with page 1, on equally cold documents: as many first pages as random pages,
// requested equally often and printed anew each time. The lists are eight orders, twelve sections in two
// orders, and documents with a word in one section. Then random pages on everything that lists: a table
// answers `from` by OFFSET and search_after by keyset.

import { randomFrom } from '../../corpus/corpus.ts';
import { LISTED_WORDS, type Sort } from '../../corpus/truth.ts';
import type { Request } from '../../load/load.ts';
import { costRatio } from '../../measure/figures-compared.ts';
import {
  checkPage,
  type PageAddress,
  type PageMode,
  pageBody,
  randomOffsets,
  respellRequests,
  reverseSort,
  SORT,
  searchRequest,
  supportsMode,
} from '../../measure/listing.ts';
import type { Claim, Question, Row, Setting, Target } from '../../measure/question.ts';
import { measure, timeAll, waitUntilAllIdle } from '../../measure/timing.ts';

const SIZE = 20;
const MODES: readonly PageMode[] = ['from', 'search_after', 'page'];
const BY_SCORE: Sort = [
  ['score', 'desc'],
  ['id', 'asc'],
];
const BY_SIZE: Sort = [
  ['size', 'asc'],
  ['id', 'asc'],
];
const BY_ID: Sort = [['id', 'asc']];
const ORDERS = [SORT, BY_SCORE, BY_SIZE, BY_ID].flatMap((sort) => [sort, reverseSort(sort)]);
const SECTIONS = [0, 1, 2, 4, 7, 10, 13, 17, 20, 30, 40, 50];
const COLD = 400;
/** The number of pages before one repeats; more than the server's cache of printed pages (64). */
const KEPT = 96;
/** A new order is built and merged after its first few pages, later if there are more documents. */
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
        sets: SECTIONS.flatMap((section) => [SORT, reverseSort(SORT)].map((sort) => ({ sort, section }))),
      },
      {
        name: 'a text in a section',
        sets: LISTED_WORDS.flatMap((word) =>
          SECTIONS.slice(0, 4).flatMap((section) =>
            [SORT, reverseSort(SORT)].map((sort) => ({ sort, section, word })),
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
          ...costRatio(rows, `random page of ${list}, ${mode}`, `page 1 of ${list}`),
          unit: '×',
          atMost: 1.2,
        });
      }
    }
    return claims;
  },
};

type List = Pick<PageAddress, 'sort' | 'section' | 'word'>;

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
  const first = places.map((place): PageAddress => ({ ...place, offset: 0, mode: 'from' }));
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
 * Requests pages until all orders are built. While some lists have no order, pages of the others repeat so soon that the
 * server caches them as printed; without this a quarter of all first pages stayed cached.
 */
async function makeOrders(setting: Setting, cases: readonly Case[]): Promise<void> {
  for (const target of setting.servers) {
    const pages = cases
      .flatMap(({ places }) => places)
      .filter(({ mode }) => supportsMode(target, mode))
      .map((place) => searchRequest(pageBody(setting.truth, place)));
    // A spelling that is not used again.
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
  await waitUntilAllIdle(setting);
}

async function allOver(setting: Setting, random: () => number): Promise<Row[]> {
  const offsets = randomOffsets(random, setting.smoke ? 4 : COLD, setting.truth.live, SIZE);
  const cases = MODES.map((mode) =>
    timed(
      setting,
      `pages all over, ${mode}`,
      offsets.map((offset): PageAddress => ({ sort: SORT, offset, size: SIZE, mode })),
    ),
  );
  const targets = [...setting.servers, ...setting.tables];
  for (const { places } of cases) await checkSome(setting, targets, places);
  return timeAll(setting, cases, { targets });
}

/** Pages timed in one case. */
interface Case {
  readonly name: string;
  readonly places: readonly PageAddress[];
  requests(target: Target, count: number): Request[] | undefined;
}

function timed({ truth }: Setting, name: string, places: readonly PageAddress[]): Case {
  const pages = places.map((place) => searchRequest(pageBody(truth, place)));
  const requests = respellRequests(pages, Math.ceil(KEPT / pages.length));
  const mode = places[0]?.mode ?? 'from';
  return {
    name,
    places,
    requests: (target, count) => (supportsMode(target, mode) ? requests(target, count) : undefined),
  };
}

async function checkSome(
  setting: Setting,
  targets: readonly Target[],
  places: readonly PageAddress[],
): Promise<void> {
  const step = Math.ceil(places.length / 8);
  for (const target of targets) {
    for (let at = 0; at < places.length; at += step) {
      const place = places[at];
      if (place !== undefined && supportsMode(target, place.mode)) await checkPage(setting, target, place);
    }
  }
}
