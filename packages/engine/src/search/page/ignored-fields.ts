// The paths of values that were left out of the index (ignore_above, ignore_malformed): terms of `_ignored`.

import { hasBit } from '../../kernels/bits.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { DocumentRun, Leaf } from '../../segment/leaf.ts';

const FIELD = '_ignored';
const decoder = new TextDecoder();

/** The paths, ascending; undefined when there are none. O(paths that any document of the leaf ignored). */
export function ignoredPaths(leaf: Leaf, doc: number): readonly string[] | undefined {
  const present = leaf.present(FIELD);
  if (present === undefined || !hasBit(present, doc)) return undefined;
  const terms = leaf.terms(FIELD);
  if (terms === undefined) return undefined;
  const { postings } = terms;
  const paths: string[] = [];
  for (const ordinal of terms.ordinals()) {
    for (let group = postings.firstGroup(ordinal); group < postings.endGroup(ordinal); group++) {
      if (postings.chunk(group) !== doc >>> 16 || postings.find(group, doc & 0xffff) < 0) continue;
      paths.push(decoder.decode(terms.term(ordinal)));
    }
  }
  return paths.sort();
}

/** The same of a document that may not be inverted yet. */
export function ignoredPathsOf(
  { ignored }: Mapping,
  run: DocumentRun,
  doc: number,
): readonly string[] | undefined {
  if (run.termsOf === undefined) return ignoredPaths(run as Leaf, doc);
  const terms = run.termsOf(ignored.slot, doc);
  return terms.length === 0 ? undefined : terms.map((term) => decoder.decode(term)).sort();
}
