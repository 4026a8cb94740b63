// The rows and fields of a tail, as another thread looks at them.

import type { LentField } from './forward-field.ts';
import type { LentDocuments } from './tail-documents.ts';

/** What a seal needs of a tail, for another thread to look at. */
export interface LentTail {
  readonly documents: LentDocuments;
  readonly fields: readonly LentField[];
  readonly docCount: number;
}
