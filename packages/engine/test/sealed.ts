// The bytes of the segment that a tail becomes, for comparison in tests.

import { copySegment } from '../src/segment/section-writer.ts';
import type { Tail } from '../src/tail/tail.ts';

/** Seals a tail, whose documents are committed, in one go. */
export function sealedBytes(tail: Tail): Buffer {
  const steps = tail.seal();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const bytes = Buffer.alloc(step.value.byteLength);
  copySegment(step.value, bytes);
  return bytes;
}
