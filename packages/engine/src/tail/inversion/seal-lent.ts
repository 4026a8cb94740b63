// Seals a tail that another thread has lent. The result is the same, byte for byte, as `Tail.seal`: the
// only place where terms are sorted.

import type { Memory } from '../../memory/memory.ts';
import type { SegmentBytes } from '../../segment/section-writer.ts';
import { ForwardField } from '../forward/forward-field.ts';
import type { LentTail } from '../forward/lent-tail.ts';
import { TailDocuments } from '../forward/tail-documents.ts';
import { compactTail } from './tail-survivors.ts';
import { type InversionScratch, writeTailRange } from './write-range.ts';

/**
 * The sealed segment of a lent tail, without the documents whose new number is -1. `memory` is this thread's own and is freed
 * at the end; `scratch` can be reused.
 */
export function* sealLent(
  whole: LentTail,
  memory: Memory,
  scratch: InversionScratch,
  newDoc?: Int32Array,
): Generator<void, SegmentBytes> {
  const lent = newDoc === undefined ? whole : yield* compactTail(whole, newDoc);
  // The last use may have been abandoned.
  scratch.inverter.clear();
  const documents = new TailDocuments(memory);
  documents.borrow(lent.documents);
  const fields = lent.fields.map((one) => {
    const field = new ForwardField(one.spec, memory);
    field.borrow(one);
    return field;
  });
  const segment = yield* writeTailRange(documents, fields, 0, lent.docCount, true, scratch);
  for (const field of fields) field.release();
  documents.release();
  return segment;
}
