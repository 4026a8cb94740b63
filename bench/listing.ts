// Which page is asked for, and is it the right one? Pages as places in the sorted truth, the requests that lead there, and
// the comparison of what comes with what should.

import { sectionName, wordOf } from './corpus.ts';
import { inOrder } from './corpus-load.ts';
import type { Request } from './load.ts';
import { expectEqual, INDEX, type Setting, search, type Target } from './question.ts';
import type { Sort, Truth } from './truth.ts';

export type Mode = 'from' | 'search_after' | 'page';

export interface Place {
  readonly sort: Sort;
  readonly section?: number | undefined;
  /** Rank of a word that the body has. */
  readonly word?: number | undefined;
  readonly offset: number;
  readonly size: number;
  readonly mode: Mode;
}

/** The order of the interface's sort example. */
export const SORT: Sort = [
  ['gmt_modified', 'desc'],
  ['score', 'desc'],
  ['id', 'asc'],
];

export function reversed(sort: Sort): Sort {
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

/** The body of a search for the page that begins at the offset. */
export function pageBody(truth: Truth, { sort, section, word, offset, size, mode }: Place): object {
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
 * The same requests over and over, in turn, each in another spelling (spaces behind the body): a server that keeps what it has
 * printed would send that again, and what is asked is what it takes to find and to print it. With `spellings` they come again
 * after so many: then a server may know the text, as that of an application, which differs from page to page only in where it
 * begins. The first turn has all of them. For `requests` of a timed case.
 */
export function respelled(
  requests: readonly Request[],
  spellings: number = Number.POSITIVE_INFINITY,
): (target: object, count: number) => Request[] {
  const asked = new Map<object, number>();
  const all = requests.length * (Number.isFinite(spellings) ? spellings : 1);
  return (target, count) => {
    const start = asked.get(target) ?? 0;
    // Over again without a shorter way from the end to the beginning.
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

export function idsAt(truth: Truth, { sort, section, word, offset, size }: Place): (string | undefined)[] {
  return [...truth.sorted(sort, section, word).subarray(offset, offset + size)].map((doc) => truth.ids[doc]);
}

/** Does a target take this way? Page numbers are Octavo's own; the peer refuses pages beyond its window. */
export function takes(target: Target, mode: Mode): boolean {
  return mode !== 'page' || target.name === 'octavo';
}

/** Ids of the page, and the total where the target tells one, are the right ones. */
export async function checkPage(setting: Setting, target: Target, place: Place): Promise<void> {
  const { truth } = setting;
  const reply = await search(target, { ...pageBody(truth, place), track_total_hits: true });
  const what = `${place.mode} at ${place.offset} in section ${place.section ?? 'all'}, word ${place.word ?? 'any'}, by ${JSON.stringify(place.sort)}`;
  const ids = reply.hits.hits.map((hit) => hit._id);
  expectEqual(target, `ids of ${what}`, ids, idsAt(truth, place));
  if (reply.hits.total === undefined) return;
  expectEqual(
    target,
    `total of ${what}`,
    reply.hits.total.value,
    truth.sorted(place.sort, place.section, place.word).length,
  );
}

/** Places at random offsets on page boundaries, away from the ends, by a fixed seed. */
export function randomOffsets(random: () => number, count: number, matches: number, size: number): number[] {
  const pages = Math.max(1, Math.floor(matches / size) - 1);
  return Array.from({ length: count }, () => Math.floor(random() * pages) * size);
}

/** The first live documents of a section, or of all, as they came in: what a search without an order begins with. */
export function firstDocs(truth: Truth, section?: number): Int32Array {
  return truth.sorted(SORT, section).toSorted();
}

/**
 * The hits of a search without an order are documents that match, each once, and as many as there should be; where slices
 * came in one after the other they are the first. `docs`: all that match, as they came in.
 */
export function expectFirst(
  { truth }: Pick<Setting, 'truth'>,
  target: Target,
  what: string,
  ids: readonly string[],
  docs: Int32Array,
  size: number,
): void {
  const count = Math.min(size, docs.length);
  expectEqual(target, `number of hits of ${what}`, [ids.length, new Set(ids).size], [count, count]);
  if (inOrder(truth.docs)) {
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
