// The paths of values that were left out of the index (ignore_above, ignore_malformed): terms of `_ignored`.

import { hasBit } from '../../kernels/bits.ts';
import { isNamedIgnored } from '../../mapping/ignored-names.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { DocumentRange, Leaf } from '../../segment/leaf.ts';
import type { SearchServices } from '../services.ts';

const FIELD = '_ignored';
const decoder = new TextDecoder();

type Compat = SearchServices['compat'];

/** The paths, ascending; undefined when there are none. O(paths that any document of the leaf ignored). */
export function ignoredPaths(
  mapping: Mapping,
  leaf: Leaf,
  doc: number,
  compat: Compat,
): readonly string[] | undefined {
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
  return named(mapping, paths, compat);
}

/** The same of a document that may not be inverted yet. */
export function ignoredPathsOf(
  mapping: Mapping,
  range: DocumentRange,
  doc: number,
  compat: Compat,
): readonly string[] | undefined {
  if (range.termsOf === undefined) return ignoredPaths(mapping, range as Leaf, doc, compat);
  const terms = range.termsOf(mapping.ignored.slot, doc);
  return named(
    mapping,
    terms.map((term) => decoder.decode(term)),
    compat,
  );
}

function named(mapping: Mapping, paths: readonly string[], compat: Compat): readonly string[] | undefined {
  const shown = paths.filter((path) => isNamedIgnored(mapping, path, compat));
  return shown.length === 0 ? undefined : shown.sort();
}
