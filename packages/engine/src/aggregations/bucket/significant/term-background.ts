// Counts the documents of the background that have a term of an indexed field: postings within a bitmap of the
// documents that can be seen.

import { bytesOf } from '../../../json/bytes.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Steps } from '../../../query/steps.ts';
import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import { ChunkFilter } from '../../collect/chunk-filter.ts';
import type { AggregationContext } from '../../collect/context.ts';
import { scanVisible } from '../../values/visible-values.ts';

/** The documents of one leaf. */
interface LeafBits {
  readonly leaf: Leaf;
  readonly path: string;
  readonly bits: Uint32Array;
}

/** Postings between two yields. */
const SLICE = 262_144;

/** The documents that terms are compared with. */
export class TermBackground {
  /** Documents of the indices that map the field. */
  size = 0;
  readonly #leaves: LeafBits[] = [];

  /** Takes all documents, or those that match a query; `paths` of the field by index, undefined where it is unmapped. */
  *scan(
    context: AggregationContext,
    query: JsonObject | undefined,
    paths: readonly (string | undefined)[],
  ): Steps<void> {
    const filter = query === undefined ? undefined : new ChunkFilter(query, context);
    if (filter !== undefined) yield* filter.prepare();
    const leaves = this.#leaves;
    let bits: Uint32Array | undefined;
    yield* scanVisible(context, {
      *enter(leaf) {
        const path = paths[leaf.indexPlace];
        bits = path === undefined ? undefined : new Uint32Array((leaf.leaf.docCount + 31) >>> 5);
        if (bits !== undefined) leaves.push({ leaf: leaf.leaf, path: path!, bits });
        if (filter !== undefined) yield* filter.enter(leaf);
      },
      collect: (batch) => {
        if (bits === undefined) return;
        filter?.keep(batch, batch);
        this.size += batch.count;
        for (let i = 0; i < batch.count; i++) bits[batch.docs[i]! >>> 5]! |= 1 << (batch.docs[i]! & 31);
      },
    });
  }

  /** How many documents have each of some terms. */
  *count(terms: readonly string[]): Steps<Uint32Array> {
    const counts = new Uint32Array(terms.length);
    let looked = 0;
    for (const { leaf, path, bits } of this.#leaves) {
      const known = leaf.terms(path);
      if (known === undefined) continue;
      const { postings } = known;
      for (const [i, term] of terms.entries()) {
        const bytes = bytesOf(term);
        const ordinal = known.find(bytes, 0, bytes.length);
        if (ordinal < 0) continue;
        for (let group = postings.firstGroup(ordinal); group < postings.endGroup(ordinal); group++) {
          const base = postings.chunk(group) * CHUNK_DOCS;
          const end = postings.end(group);
          for (let at = postings.start(group); at < end; at++) {
            const doc = base + postings.lo[at]!;
            counts[i]! += (bits[doc >>> 5]! >>> (doc & 31)) & 1;
          }
          looked += 64 + end - postings.start(group);
        }
        if (looked < SLICE) continue;
        looked = 0;
        yield;
      }
    }
    return counts;
  }
}
