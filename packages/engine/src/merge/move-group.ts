// Moves a group of postings into the merged segment, posting by posting: new document numbers, new codes
// (the average length has changed), positions unchanged.

import type { PostingsView } from '../segment/postings/postings-view.ts';
import type { PostingsWriter } from '../segment/postings/postings-writer.ts';
import { residuesOf } from '../segment/postings/residues.ts';

/** One input of a field's merge. */
export interface PostingsSource {
  readonly postings: PostingsView;
  readonly newDoc: Int32Array;
}

/**
 * Adds one group of a source to the current term of `writer`. `norms` are by new number, undefined without norms.
 * `withTerms` collects the documents as a bitmap.
 */
export function moveGroup(
  source: PostingsSource,
  group: number,
  norms: Uint8Array | undefined,
  positions: boolean,
  withTerms: Uint32Array,
  writer: PostingsWriter,
): void {
  const { postings, newDoc } = source;
  const { lo } = postings;
  const base = postings.chunk(group) * 65_536;
  const start = postings.start(group);
  const end = postings.end(group);
  const { positionBytes: bytes, positionResidues } = postings.arrays;
  const hasResidues = positionResidues.length > 0;
  let at = positions ? postings.positionStart(start) : 0;
  for (let p = start; p < end; p++) {
    const doc = newDoc[base + lo[p]!]!;
    let tf = 0;
    const from = at;
    if (positions) {
      let byte = 0;
      do {
        byte = bytes[at++]!;
        if (byte < 0x80) tf++;
      } while ((byte & 0xc0) !== 0x40);
    }
    if (doc < 0) continue;
    const norm = norms === undefined ? 1 : norms[doc]!;
    withTerms[doc >>> 5]! |= 1 << (doc & 31);
    writer.add(doc, positions ? tf : postings.freq(p, norm), norm);
    if (!positions) continue;
    writer.positionsFrom(bytes, from, at, hasResidues ? positionResidues[p]! : residuesOf(bytes, from, at));
  }
}
