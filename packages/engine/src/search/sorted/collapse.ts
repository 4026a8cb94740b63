// Lists only the best hit of each group (`collapse`). The list is walked from its start in stretches, and the
// first document of every group is kept until the page is full. Totals still count documents, as the peer's
// do.

import { EngineError } from '../../errors.ts';
import { hasBit } from '../../kernels/bits.ts';
import type { SearchSteps } from '../deadline.ts';
import type { DocumentPage, PageDoc } from '../page/document-page.ts';

/** Documents of the first stretch; each following one is four times as long, up to a maximum. */
const FIRST_STRETCH = 256;
const MAX_STRETCH = 65_536;

/**
 * The group of a document: a text that is equal for equal values. Documents without a value are one group.
 */
function groupOf(doc: PageDoc, paths: readonly (string | undefined)[]): string {
  const path = paths[doc.side.indexPlace];
  const column = path === undefined ? undefined : doc.side.leaf.column(path);
  if (column === undefined || !hasBit(column.present, doc.doc)) return '';
  const start = column.starts === undefined ? doc.doc : column.starts[doc.doc]!;
  if (column.starts !== undefined && column.starts[doc.doc + 1]! - start > 1) {
    const reason = `failed to collapse ${doc.doc}, the collapse field must be single valued`;
    // A fault of the mapping, not of the request: 500, as in the peer.
    throw new EngineError('illegal_state_exception', reason, { status: 500 });
  }
  if (column.kind === 'numeric') return `${column.hi[start]}.${column.lo[start]}`;
  return `=${Buffer.from(column.terms.term(column.ordinals[start]!)).toString('latin1')}`;
}

/** A page of the best documents of groups. `pageAt` gives any stretch of the whole list. */
export function* collapsedPage(
  paths: readonly (string | undefined)[],
  from: number,
  size: number,
  pageAt: (from: number, size: number) => SearchSteps<DocumentPage>,
): SearchSteps<DocumentPage> {
  const seen = new Set<string>();
  const firsts: PageDoc[] = [];
  let at = 0;
  let stretch = FIRST_STRETCH;
  let cutShort = false;
  for (;;) {
    const page = yield* pageAt(at, stretch);
    cutShort ||= page.cutShort;
    for (const doc of page.docs) {
      const group = groupOf(doc, paths);
      if (seen.has(group)) continue;
      seen.add(group);
      firsts.push(doc);
    }
    at += page.docs.length;
    if (firsts.length > from + size || !page.after || page.docs.length === 0) {
      const docs = firsts.slice(from, from + size);
      const before = from > 0 && firsts.length > 0;
      return { ...page, docs, before, after: firsts.length > from + size, cutShort };
    }
    stretch = Math.min(4 * stretch, MAX_STRETCH);
  }
}
