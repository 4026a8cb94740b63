// What is the right answer? Found the naive way while the corpus is written down: totals by counting, pages by sorting
// everything. The file is in the form of bulk bodies, with the offset of every document, so that a load generator only
// has to read slices.

import { closeSync, openSync, writeSync } from 'node:fs';
import { draft, SECTIONS, spell } from './corpus.ts';
import { matches, type QueryClass, queryClasses } from './queries.ts';

export interface Truth {
  readonly docs: number;
  /** Bytes of the documents as JSON. */
  readonly jsonBytes: number;
  /** Where the action line of each document begins in the file; one more at the end. */
  readonly offsets: Float64Array;
  readonly ids: readonly string[];
  readonly sectionSizes: readonly number[];
  readonly classes: readonly QueryClass[];
  /** Matches of each query, by class. */
  readonly totals: readonly (readonly number[])[];
  /** Documents sorted by gmt_modified desc, score desc, id asc; of one section where given. */
  sorted(section?: number): Int32Array;
  sortValues(doc: number): [gmtModified: number, score: number, id: string];
}

/** Writes the corpus to a file and finds the answers. About 25 µs a document. */
export function writeCorpus(
  file: string,
  docs: number,
  onProgress: (done: number) => void = () => {},
): Truth {
  const offsets = new Float64Array(docs + 1);
  const ids: string[] = [];
  const sections = new Uint8Array(docs);
  const scores = new Float64Array(docs);
  const dates = new Float64Array(docs);
  const classes = queryClasses(docs);
  const totals = classes.map(({ queries }) => queries.map(() => 0));
  const sectionSizes = Array.from({ length: SECTIONS }, () => 0);
  let jsonBytes = 0;
  let offset = 0;
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
    scores[i] = made.score;
    dates[i] = made.gmtModified;
    sectionSizes[made.section] = (sectionSizes[made.section] ?? 0) + 1;
    count(classes, totals, made.words);
    if (waiting.length === 2000) {
      flush();
      onProgress(i + 1);
    }
  }
  flush();
  closeSync(fd);
  offsets[docs] = offset;
  let all: Int32Array | undefined;
  const sortAll = (): Int32Array =>
    Int32Array.from({ length: docs }, (_, i) => i).sort(
      (a, b) =>
        (dates[b] ?? 0) - (dates[a] ?? 0) ||
        (scores[b] ?? 0) - (scores[a] ?? 0) ||
        ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1),
    );
  return {
    docs,
    jsonBytes,
    offsets,
    ids,
    sectionSizes,
    classes,
    totals,
    sorted(section) {
      all ??= sortAll();
      return section === undefined ? all : all.filter((doc) => sections[doc] === section);
    },
    sortValues: (doc) => [dates[doc] ?? 0, scores[doc] ?? 0, ids[doc] ?? ''],
  };
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
