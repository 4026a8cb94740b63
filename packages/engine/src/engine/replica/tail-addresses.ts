// Sends a tail to another thread as numbers: for each of its arrays the arena, the offset and the length.
// Views could be sent too, but each costs a microsecond, and the received view has another buffer object than
// the arena.
//
//   array   arena (-1: empty) | byte offset | length

import type { Arena } from '../../memory/arena.ts';
import { arenaOf } from '../../memory/arena.ts';
import type { LentField } from '../../tail/forward/forward-field.ts';
import type { LentTail } from '../../tail/forward/lent-tail.ts';
import type { LentDocuments } from '../../tail/forward/tail-documents.ts';

/** The arrays of a tail as (arena, offset, length) triples. */
export type TailAddresses = Float64Array;

type Lendable = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** Gives a view of bytes of an arena. */
type ArenaView = (arena: number, offset: number, bytes: number) => Uint8Array;

/** The addresses of all arrays; `numberOf` numbers arenas. */
export function addressesOf(
  { documents, fields }: LentTail,
  numberOf: (arena: Arena) => number,
): TailAddresses {
  const out: number[] = [];
  const put = (array: Lendable): void => {
    const arena = array.length === 0 ? undefined : arenaOf(array.buffer);
    if (arena === undefined) out.push(-1, 0, 0);
    else out.push(numberOf(arena), array.byteOffset, array.length);
  };
  put(documents.ids);
  put(documents.routings);
  documents.words.forEach(put);
  documents.doubles.forEach(put);
  for (const { terms, words, norms, distances } of fields) {
    put(terms.addresses);
    put(terms.lengths);
    put(terms.slots);
    out.push(terms.pages.length);
    terms.pages.forEach(put);
    words.forEach(put);
    put(norms);
    put(distances);
  }
  return Float64Array.from(out);
}

const WORD_COLUMNS = 6;
const DOUBLE_COLUMNS = 3;
const FIELD_WORDS = 7;

/** The arrays at these addresses; document types and field specs are sent as they are. */
export function tailAt(
  addresses: TailAddresses,
  { types, specs }: { types: LentDocuments['types']; specs: readonly LentField['spec'][] },
  viewOf: ArenaView,
): Pick<LentTail, 'documents' | 'fields'> {
  let at = 0;
  const take = (size: number): [arena: number, offset: number, bytes: number] => {
    const [arena, offset, length] = [addresses[at]!, addresses[at + 1]!, addresses[at + 2]!];
    at += 3;
    return [arena, offset, length * size];
  };
  const bytes = (): Uint8Array => view(take(1));
  const words = (): Uint32Array => {
    const { buffer, byteOffset, byteLength } = view(take(4));
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  };
  const doubles = (): Float64Array => {
    const { buffer, byteOffset, byteLength } = view(take(8));
    return new Float64Array(buffer, byteOffset, byteLength / 8);
  };
  const view = ([arena, offset, length]: [number, number, number]): Uint8Array =>
    arena < 0 ? NOTHING : viewOf(arena, offset, length);
  const documents = {
    types,
    ids: bytes(),
    routings: bytes(),
    words: Array.from({ length: WORD_COLUMNS }, words),
    doubles: Array.from({ length: DOUBLE_COLUMNS }, doubles),
  };
  const fields = specs.map((spec): LentField => {
    const [termAddresses, lengths, slots] = [words(), words(), words()];
    const pages = Array.from({ length: addresses[at++]! }, bytes);
    const terms = { addresses: termAddresses, lengths, slots: signed(slots), pages };
    return {
      spec,
      terms,
      words: Array.from({ length: FIELD_WORDS }, words),
      norms: bytes(),
      distances: bytes(),
    };
  });
  return { documents, fields };
}

const NOTHING = new Uint8Array(0);

function signed({ buffer, byteOffset, length }: Uint32Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length);
}
