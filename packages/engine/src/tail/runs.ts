// What does the writer ask of documents that are not sealed? Who they are, and whether they have died: enough to write
// over them, and known before anybody has searched them. Their fields are inverted when the first search comes.

import type { Deaths } from '../segment/deaths.ts';
import type { Run, RunTable } from '../segment/leaf.ts';
import type { TailDocuments } from './documents.ts';

/** Documents [start, end) of a tail, numbered from 0. */
export class TailRun implements Run {
  readonly start: number;
  readonly end: number;
  readonly docCount: number;
  readonly docs: RunTable;
  readonly deaths: Deaths;

  constructor(documents: TailDocuments, start: number, end: number, deaths: Deaths) {
    this.start = start;
    this.end = end;
    this.docCount = end - start;
    this.deaths = deaths;
    this.docs = {
      seqNo: (doc) => documents.seqNo(start + doc),
      version: (doc) => documents.version(start + doc),
      type: (doc) => documents.type(start + doc),
      routing: (doc) => documents.routing(start + doc),
      commit: (doc) => documents.commit(start + doc),
      countAt: (commit) => documents.countAt(commit, start, end),
      sourceChunk: (doc) => documents.sourceChunk(start + doc),
      sourceOffset: (doc) => documents.sourceOffset(start + doc),
      sourceLength: (doc) => documents.sourceLength(start + doc),
    };
  }
}
