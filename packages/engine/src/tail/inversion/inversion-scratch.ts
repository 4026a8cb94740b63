// In what is a run of documents inverted? In arrays of some megabytes, which grow with the run. They are kept for the next one:
// while documents come in there are ten a second, and what each would leave behind V8 counts as memory of the heap, and marks
// all of that, again and again, to be rid of it.

import { PostingsWriter } from '../../segment/postings/postings-writer.ts';
import { Inverter } from './inverter.ts';

/** What writing a run needs, and may keep. */
export interface InversionScratch {
  readonly inverter: Inverter;
  readonly writer: PostingsWriter;
}

/** Kept for no longer, in milliseconds, when nobody asks for it. */
const KEPT_MS = 10_000;
/** What has grown larger is not kept. */
const KEPT_BYTES = 64 << 20;

/** Two runs may be under way at once: one for a commit, and one for a search. */
const MOST_KEPT = 2;

let kept: InversionScratch[] = [];
let timer: NodeJS.Timeout | undefined;

/** New scratch: for a seal, which is as large as a run gets, and hands its arrays over. */
export function newScratch(): InversionScratch {
  return { inverter: new Inverter(), writer: new PostingsWriter() };
}

/** Scratch for one run: that of an earlier one, or new. */
export function takeScratch(): InversionScratch {
  return kept.pop() ?? newScratch();
}

/** Keeps scratch for the next run; this one may have been given up. REQUIRES: nothing refers to it. */
export function recycleScratch(scratch: InversionScratch): void {
  scratch.inverter.clear();
  const bytes = scratch.inverter.byteLength + scratch.writer.byteLength;
  if (bytes <= KEPT_BYTES && kept.length < MOST_KEPT) kept.push(scratch);
  clearTimeout(timer);
  timer = setTimeout(() => {
    kept = [];
  }, KEPT_MS).unref();
}
