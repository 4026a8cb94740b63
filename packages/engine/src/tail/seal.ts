// When does the tail become a segment for good? Once, when it is full: the only place where terms are sorted.

import type { SegmentBytes } from '../segment/sections.ts';
import type { Tail } from './tail.ts';

/** The segment of exactly the tail's committed documents, in their order. Yields every 2 ms or so of work. */
export function sealTail(tail: Tail): Generator<void, SegmentBytes> {
  return tail.seal();
}
