// A tail as another thread reads it: its rows and its fields, without copying.

import type { LentField } from './forward-field.ts';
import type { LentDocuments } from './tail-documents.ts';

/** The parts of a tail that a seal or a search in another thread needs. */
export interface LentTail {
  readonly documents: LentDocuments;
  readonly fields: readonly LentField[];
  readonly docCount: number;
}
