// Pages of a sorted list: their expected ids from the truth, the requests that lead to them, and the
// comparison of replies with the expected ids.

import { sectionName, wordOf } from '../corpus/corpus.ts';
import type { Sort, Truth } from '../corpus/truth.ts';
import type { Request } from '../load/load.ts';
import { loadsInOrder } from './load-corpus.ts';
import { expectEqual, INDEX, type Setting, search, type Target } from './question.ts';

export type PageMode = 'from' | 'search_after' | 'page';

export interface PageAddress {
  readonly sort: Sort;
  readonly section?: number | undefined;
  /** The rank of a word that the body must contain. */
  readonly word?: number | undefined;
  readonly offset: number;
  readonly size: number;
  readonly mode: PageMode;
}

/** The order of the API's sort example. */
export const SORT: Sort = [
  ['gmt_modified', 'desc'],
  ['score', 'desc'],
  ['id', 'asc'],
];

export function reverseSort(sort: Sort): Sort {
  return sort.map(([field, direction]) => [field, direction === 'asc' ? 'desc' : 'asc']);
}

export function sortBody(sort: Sort): object[] {
  return sort.map(([field, direction]) => ({ [field]: direction }));
}

export function queryBody(section?: number, word?: number): object {
  const filter = section === undefined ? { match_all: {} } : { term: { section: sectionName(section) } };
  return word === undefined
    ? filter
    : { bool: { must: [{ match: { body: wordOf(word) } }], filter: [filter] } };
}

/** The search body for the page that starts at the offset. */
export function pageBody(truth: Truth, { sort, section, word, offset, size, mode }: PageAddress): object {
  const start = { query: queryBody(section, word), sort: sortBody(sort), size };
  if (mode === 'page') return { ...start, page: Math.floor(offset / size) + 1 };
  if (mode === 'from' || offset === 0) return { ...start, from: offset };
  const before = truth.sorted(sort, section, word)[offset - 1] ?? 0;
  return { ...start, search_after: truth.sortValues(before, sort) };
}

export function searchRequest(body: object, index: string = INDEX): Request {
  return { method: 'POST', path: `/${index}/_search`, body: JSON.stringify(body) };
}

/**
 * The same requests in turn, repeated with different spellings (spaces behind the body), as `requests` of a timed case. A
 * server that caches printed replies cannot reuse them, so the time to find and print a page is measured. With
 * `spellings` a spelling repeats after that many, as the queries of an application do; then the server may know the text.
 * The first turn has all spellings.
 */
export function respellRequests(
  requests: readonly Request[],
  spellings: number = Number.POSITIVE_INFINITY,
): (target: object, count: number) => Request[] {
  const asked = new Map<object, number>();
  const all = requests.length * (Number.isFinite(spellings) ? spellings : 1);
  return (target, count) => {
    const start = asked.get(target) ?? 0;
    // Repeats from the start, at the same distance as all other repetitions.
    const length = start === 0 ? Math.ceil(count / all) * all : count;
    asked.set(target, start + length);
    return Array.from({ length }, (_, k) => {
      const request = requests[(start + k) % requests.length]!;
      const spelling = Math.floor((start + k) / requests.length) % spellings;
      const spaces = spelling.toString(2).replaceAll('0', ' ').replaceAll('1', '\n');
      return { ...request, body: `${request.body}${spaces}` };
    });
  };
}

function expectedIds(
  truth: Truth,
  { sort, section, word, offset, size }: PageAddress,
): (string | undefined)[] {
  return [...truth.sorted(sort, section, word).subarray(offset, offset + size)].map((doc) => truth.ids[doc]);
}

/** True if the target supports the mode. Page numbers exist only in Octavo. */
export function supportsMode(target: Target, mode: PageMode): boolean {
  return mode !== 'page' || target.name === 'octavo';
}

/** Ends the run if the ids of the page, or its total if the target reports one, are wrong. */
export async function checkPage(setting: Setting, target: Target, place: PageAddress): Promise<void> {
  const { truth } = setting;
  const reply = await search(target, { ...pageBody(truth, place), track_total_hits: true });
  const what = `${place.mode} at ${place.offset} in section ${place.section ?? 'all'}, word ${place.word ?? 'any'}, by ${JSON.stringify(place.sort)}`;
  const ids = reply.hits.hits.map((hit) => hit._id);
  expectEqual(target, `ids of ${what}`, ids, expectedIds(truth, place));
  if (reply.hits.total === undefined) return;
  expectEqual(
    target,
    `total of ${what}`,
    reply.hits.total.value,
    truth.sorted(place.sort, place.section, place.word).length,
  );
}

/** Random offsets on page boundaries, away from the ends of the list. */
export function randomOffsets(random: () => number, count: number, matches: number, size: number): number[] {
  const pages = Math.max(1, Math.floor(matches / size) - 1);
  return Array.from({ length: count }, () => Math.floor(random() * pages) * size);
}

/** The live documents in insertion order, of one section or all: the first hits of a search without a sort. */
export function firstDocs(truth: Truth, section?: number): Int32Array {
  return truth.sorted(SORT, section).toSorted();
}

/**
 * Ends the run if the hits of a search without a sort are wrong: every hit matches, none repeats, and their number is
 * right. If slices were loaded one after another, the hits are also the first matches. `docs`: all matches in insertion
 * order.
 */
export function expectFirstDocs(
  { truth }: Pick<Setting, 'truth'>,
  target: Target,
  what: string,
  ids: readonly string[],
  docs: Int32Array,
  size: number,
): void {
  const count = Math.min(size, docs.length);
  expectEqual(target, `number of hits of ${what}`, [ids.length, new Set(ids).size], [count, count]);
  if (loadsInOrder(truth.docs)) {
    expectEqual(
      target,
      `ids of ${what}`,
      ids,
      Array.from(docs.subarray(0, count), (doc) => truth.ids[doc]),
    );
    return;
  }
  const matching = new Set(Array.from(docs, (doc) => truth.ids[doc]));
  const other = ids.find((id) => !matching.has(id));
  expectEqual(target, `a hit of ${what} that does not match`, other, undefined);
}
