// Size limits of stored content that schemas cannot express: bytes of text and of free data.

import type { ContentInput } from '@octavo/records';
import { Problem } from '../../errors/problem.ts';
import type { Limits } from '../../limits.ts';

/** Throws content-too-large. */
export function checkContentSize(content: ContentInput, limits: Limits): void {
  check('text', content.text, limits.entryTextBytes);
  check('markup', content.markup, limits.entryTextBytes);
  if (content.data) check('data', JSON.stringify(content.data), limits.entryDataBytes);
}

function check(field: string, text: string | undefined, most: number): void {
  // A UTF-16 unit takes one to three bytes of UTF-8, so most texts need not be measured.
  if (text === undefined || text.length * 3 <= most) return;
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return;
  throw new Problem('content-too-large', `${field} has ${bytes} bytes; the limit is ${most}.`, {
    field,
  });
}
