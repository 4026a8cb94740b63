// Partial updates without mapping the whole document again. If a tail still has the version before, its
// fields are copied from there, except for those of the patch, which are mapped from the patch.

import { EngineError } from '../../errors.ts';
import { type DocumentContext, mapDocument } from '../../mapping/document/map-document.ts';
import { MemberSlots } from '../../mapping/member-slots.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { Tail } from '../../tail/tail.ts';
import { patchFieldNames } from '../operation/splice-patch.ts';

/** A version in a tail, with the patch applied to it and the fields that the patch sets. */
export interface PreviousVersion {
  readonly tail: Tail;
  readonly doc: number;
  readonly without: ReadonlySet<number>;
  readonly patch: Uint8Array;
}

/** A document in a tail. */
interface TailPosition {
  readonly tail: Tail | undefined;
  readonly tailDoc: number;
}

const fed = new MemberSlots();

/**
 * The version in a tail that a patch was just applied to (splice-patch.ts); undefined if it is not in that
 * tail, or the patch has fields that cannot be mapped alone.
 */
export function findPrevious(
  mapping: Mapping,
  { tail, tailDoc: doc }: TailPosition,
  seqNo: number,
  patch: Uint8Array,
): PreviousVersion | undefined {
  if (tail === undefined || tail.seqNo(doc) !== seqNo) return undefined;
  const without = fed.find(mapping, patchFieldNames());
  return without && { tail, doc, without, patch };
}

/** Copies the version into a tail and maps the patch; false if the whole document has to be mapped. */
export function copyPrevious(
  { tail, doc, without, patch }: PreviousVersion,
  mapping: Mapping,
  into: Tail,
  context: DocumentContext,
): boolean {
  try {
    return (
      into.copyDocument(doc, without, mapping.ignored.slot, tail) &&
      mapDocument(mapping, patch, 0, patch.length, into, context) === mapping
    );
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

/** The newest document with an id in these tails. */
export function findNewest(tails: readonly Tail[], id: Uint8Array): TailPosition {
  for (let i = tails.length - 1; i >= 0; i--) {
    const tailDoc = tails[i]!.newest(id);
    if (tailDoc >= 0) return { tail: tails[i], tailDoc };
  }
  return { tail: undefined, tailDoc: -1 };
}
