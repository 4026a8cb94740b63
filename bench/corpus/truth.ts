// The expected answers, computed naively while the corpus is written: totals by counting, pages by sorting
// all documents that are not deleted. The corpus file has the form of bulk bodies with the offset of every
// document, so a load generator only reads slices.

import { closeSync, openSync, writeSync } from 'node:fs';
import { draft, isDeleted, SECTIONS, spell } from './corpus.ts';
import { matches, type QueryClass, queryClasses } from './queries.ts';

/** A field that documents are sorted by, and its direction. */
export type SortEntry = readonly [field: 'gmt_modified' | 'score' | 'size' | 'id', direction: 'asc' | 'desc'];

/** Ranks of words whose documents are listed in sort orders. */
export const LISTED_WORDS: readonly number[] = [4, 12, 30];

/** Ends in `id`, so that the order is total. */
export type Sort = readonly SortEntry[];

export interface Truth {
  /** Documents written. */
  readonly docs: number;
  /** Documents after the deletions. */
  readonly live: number;
  /** JSON bytes of all written documents, and of those that are not deleted. */
  readonly jsonBytes: number;
  readonly liveJsonBytes: number;
  /** The offset of each document's action line in the file, and the end of the file. */
  readonly offsets: Float64Array;
  readonly ids: readonly string[];
  /** Live documents by section. */
  readonly sectionSizes: readonly number[];
  readonly classes: readonly QueryClass[];
  /** Live matches of each query, by class. */
  readonly totals: readonly (readonly number[])[];
  /** The live documents in an order, optionally of one section and with one of LISTED_WORDS. */
  sorted(sort: Sort, section?: number, word?: number): Int32Array;
  sortValues(doc: number, sort: Sort): (number | string)[];
}

/** Writes the corpus to a file and computes the answers. About 60 µs per document. */
export function writeCorpus(
  file: string,
  docs: number,
  onProgress: (done: number) => void = () => {},
): Truth {
  const offsets = new Float64Array(docs + 1);
  const ids: string[] = [];
  const sections = new Uint8Array(docs);
  const listed = new Map(LISTED_WORDS.map((word) => [word, new Uint8Array(docs)]));
  const numbers = {
    score: new Float64Array(docs),
    gmt_modified: new Float64Array(docs),
    size: new Float64Array(docs),
  };
  const classes = queryClasses(docs);
  const totals = classes.map(({ queries }) => queries.map(() => 0));
  const sectionSizes = Array.from({ length: SECTIONS }, () => 0);
  let [jsonBytes, liveJsonBytes, live, offset] = [0, 0, 0, 0];
  let waiting: string[] = [];
  const fd = openSync(file, 'w');
  const flush = (): void => {
    writeSync(fd, waiting.join(''));
    waiting = [];
  };
  for (let i = 0; i < docs; i++) {
    const made = draft(i);
    const json = JSON.stringify(spell(made));
    const line = `{"index":{"_id":"${made.id}"}}\n${json}\n`;
    offsets[i] = offset;
    // All of it is ASCII: characters are bytes.
    offset += line.length;
    jsonBytes += json.length;
    waiting.push(line);
    ids.push(made.id);
    sections[i] = made.section;
    for (const [word, has] of listed) has[i] = Number(made.words.includes(word));
    numbers.score[i] = made.score;
    numbers.gmt_modified[i] = made.gmtModified;
    numbers.size[i] = made.size;
    if (!isDeleted(i)) {
      live++;
      liveJsonBytes += json.length;
      sectionSizes[made.section] = (sectionSizes[made.section] ?? 0) + 1;
      count(classes, totals, made.words);
    }
    if (waiting.length === 2000) {
      flush();
      onProgress(i + 1);
    }
  }
  flush();
  closeSync(fd);
  offsets[docs] = offset;

  const fieldOf = (doc: number, field: SortEntry[0]): number | string =>
    (field === 'id' ? ids[doc] : numbers[field][doc]) ?? 0;
  const all = Int32Array.from({ length: docs }, (_, i) => i).filter((i) => !isDeleted(i));
  const orders = new Map<string, Int32Array>();
  const sorted = (sort: Sort, section?: number, word?: number): Int32Array => {
    const key = JSON.stringify(sort);
    const order = orders.get(key) ?? all.toSorted((a, b) => compare(sort, a, b, fieldOf));
    orders.set(key, order);
    const has = word === undefined ? undefined : listed.get(word);
    if (section === undefined && has === undefined) return order;
    return order.filter((doc) => (section ?? sections[doc]) === sections[doc] && has?.[doc] !== 0);
  };
  return {
    docs,
    live,
    jsonBytes,
    liveJsonBytes,
    offsets,
    ids,
    sectionSizes,
    classes,
    totals,
    sorted,
    sortValues: (doc, sort) => sort.map(([field]) => fieldOf(doc, field)),
  };
}

function compare(
  sort: Sort,
  a: number,
  b: number,
  fieldOf: (doc: number, field: SortEntry[0]) => number | string,
): number {
  for (const [field, direction] of sort) {
    const [x, y] = [fieldOf(a, field), fieldOf(b, field)];
    if (x !== y) return x < y === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}

function count(classes: readonly QueryClass[], totals: number[][], words: readonly number[]): void {
  const set = new Set(words);
  for (const [c, { queries }] of classes.entries()) {
    for (const [q, query] of queries.entries()) {
      const row = totals[c];
      if (row !== undefined && matches(query, words, set)) row[q] = (row[q] ?? 0) + 1;
    }
  }
}
