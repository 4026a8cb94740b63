// Scratch arrays for inversions (some megabytes), kept for the next one. While documents come in there
// are ten inversions per second, and V8 would count the discarded arrays as heap growth and mark the
// whole heap again and again.

import { PostingsWriter } from '../../segment/postings/postings-writer.ts';
import { Inverter } from './inverter.ts';

/** The reusable parts of an inversion. */
export interface InversionScratch {
  readonly inverter: Inverter;
  readonly writer: PostingsWriter;
}

/** Unused scratch is dropped after so many milliseconds. */
const KEEP_MS = 10_000;
/** Larger scratch is not kept. */
const MAX_BYTES = 64 << 20;

/** Two inversions may run at once: one for a commit, one for a search. */
const MAX_KEPT = 2;

let kept: InversionScratch[] = [];
let timer: NodeJS.Timeout | undefined;

/** New scratch, for a seal: it is large and hands over its arrays. */
export function newScratch(): InversionScratch {
  return { inverter: new Inverter(), writer: new PostingsWriter() };
}

/** Scratch for one inversion: recycled or new. */
export function takeScratch(): InversionScratch {
  return kept.pop() ?? newScratch();
}

/** Keeps scratch for the next inversion, even if this one was abandoned. REQUIRES: nothing refers to it. */
export function recycleScratch(scratch: InversionScratch): void {
  scratch.inverter.clear();
  const bytes = scratch.inverter.byteLength + scratch.writer.byteLength;
  if (bytes <= MAX_BYTES && kept.length < MAX_KEPT) kept.push(scratch);
  clearTimeout(timer);
  timer = setTimeout(() => {
    kept = [];
  }, KEEP_MS).unref();
}
