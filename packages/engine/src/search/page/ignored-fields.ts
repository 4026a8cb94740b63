// The paths of values that were left out of the index (ignore_above, ignore_malformed): terms of `_ignored`.
// Where the document is not inverted yet, its source is mapped again to find them.

import { EngineError } from '../../errors.ts';
import { hasBit } from '../../kernels/bits.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import type { DocSink } from '../../mapping/field-spec.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { Leaf } from '../../segment/leaf.ts';

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

/** The paths, found by mapping the source. O(bytes). */
export function ignoredPathsInSource(
  mapping: Mapping,
  source: Uint8Array,
  id: string,
  routing: string | undefined,
): readonly string[] | undefined {
  const paths: string[] = [];
  const sink: DocSink = {
    term() {},
    numeric() {},
    present() {},
    keyword(spec, bytes, start, end) {
      if (spec.path === FIELD) paths.push(decoder.decode(bytes.subarray(start, end)));
    },
  };
  try {
    mapDocument(mapping, source, 0, source.length, sink, { id, isAccepted: true, routing });
  } catch (error) {
    // The document was written under another mapping: this one says nothing of its values.
    if (!(error instanceof EngineError)) throw error;
  }
  return paths.length === 0 ? undefined : paths.sort();
}
