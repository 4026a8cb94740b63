// Does a document that is changed in part have to be read again as a whole? Not where a tail still has the version before: what it
// knows of that one is told again, but for the fields of the patch, which are read from the patch.

import { EngineError } from '../../errors.ts';
import { type DocumentContext, mapDocument } from '../../mapping/document/map-document.ts';
import { MemberSlots } from '../../mapping/member-slots.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { Tail } from '../../tail/tail.ts';
import { patchFieldNames } from '../operation/splice-patch.ts';

/** A version that a tail has, and a patch for it that changes some of its fields. */
export interface PreviousVersion {
  readonly tail: Tail;
  readonly doc: number;
  readonly without: ReadonlySet<number>;
  readonly patch: Uint8Array;
}

/** A document of a tail. */
interface TailPosition {
  readonly tail: Tail | undefined;
  readonly tailDoc: number;
}

const fed = new MemberSlots();

/**
 * What a tail knows of the version that a patch was just put into (splice.ts); undefined where none does, or that is not to
 * be used.
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

/** Tells a tail what is known already, and what the patch says; false where the whole document has to be read. */
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
