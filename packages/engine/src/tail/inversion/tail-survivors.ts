// Compacts a lent tail: drops documents that no reader sees any more, so that the seal neither sorts,
// counts nor writes them. The term tables stay as they are; unused terms are not written anyway.

import type { LentField } from '../forward/forward-field.ts';
import type { LentTail } from '../forward/lent-tail.ts';
import type { LentDocuments } from '../forward/tail-documents.ts';

/** The tail without the documents whose new number is -1; the others keep their order. Yields as it goes. */
export function* compactTail(tail: LentTail, newDoc: Int32Array): Generator<void, LentTail> {
  const survivors = new Uint32Array(tail.docCount);
  let docCount = 0;
  for (let doc = 0; doc < tail.docCount; doc++) if (newDoc[doc]! >= 0) survivors[docCount++] = doc;
  const documents = compactDocuments(tail.documents, survivors.subarray(0, docCount));
  const fields: LentField[] = [];
  for (const field of tail.fields) {
    yield;
    fields.push(compactField(field, newDoc));
  }
  return { documents, fields, docCount };
}

function compactDocuments(
  { types, ids, routings, words, doubles }: LentDocuments,
  survivors: Uint32Array,
): LentDocuments {
  const [idEnds, routingEnds, ...others] = words;
  const [id, routing] = [
    compactStrings(ids, idEnds!, survivors),
    compactStrings(routings, routingEnds!, survivors),
  ];
  return {
    types,
    ids: id.bytes,
    routings: routing.bytes,
    words: [
      id.ends,
      routing.ends,
      ...others.map((rows) => pickRows(rows, new Uint32Array(survivors.length), survivors)),
    ],
    doubles: doubles.map((rows) => pickRows(rows, new Float64Array(survivors.length), survivors)),
  };
}

function pickRows<Rows extends Uint32Array | Float64Array>(
  rows: Rows,
  into: Rows,
  survivors: Uint32Array,
): Rows {
  for (let i = 0; i < survivors.length; i++) into[i] = rows[survivors[i]!]!;
  return into;
}

/** The bytes of the remaining rows, and where each ends. */
function compactStrings(
  bytes: Uint8Array,
  ends: Uint32Array,
  survivors: Uint32Array,
): { readonly bytes: Uint8Array; readonly ends: Uint32Array } {
  const out = new Uint8Array(bytes.length);
  const outEnds = new Uint32Array(survivors.length);
  let at = 0;
  for (let i = 0; i < survivors.length; i++) {
    const row = survivors[i]!;
    for (let from = row === 0 ? 0 : ends[row - 1]!; from < ends[row]!; from++) out[at++] = bytes[from]!;
    outEnds[i] = at;
  }
  return { bytes: out.subarray(0, at), ends: outEnds };
}

/** Entries of documents behind the end of `newDoc` are dropped as well. */
function compactField({ spec, terms, words, norms, distances }: LentField, newDoc: Int32Array): LentField {
  const [docs, firstToken, firstValue, tokens, far, hi, lo] = words as Seven;
  const hasValues = firstValue.length > 0;
  const out: Seven = [
    new Uint32Array(docs.length),
    new Uint32Array(docs.length),
    new Uint32Array(firstValue.length),
    new Uint32Array(tokens.length),
    new Uint32Array(far.length),
    new Uint32Array(hi.length),
    new Uint32Array(lo.length),
  ];
  const outNorms = new Uint8Array(docs.length);
  const outDistances = new Uint8Array(distances.length);
  let [entries, token, value, pair, atFar] = [0, 0, 0, 0, 0];
  for (let entry = 0; entry < docs.length; entry++) {
    const doc = newDoc[docs[entry]!] ?? -1;
    const [first, stop] = [firstToken[entry]!, firstToken[entry + 1] ?? tokens.length];
    // Pairs are in token order: skip those of dropped entries.
    while (pair < far.length && far[pair]! < first) pair += 2;
    if (doc < 0) continue;
    out[0][entries] = doc;
    out[1][entries] = token;
    outNorms[entries] = norms[entry]!;
    for (; pair < far.length && far[pair]! < stop; pair += 2) {
      out[4][atFar++] = far[pair]! - first + token;
      out[4][atFar++] = far[pair + 1]!;
    }
    if (distances.length > 0) copy(distances, first, stop, outDistances, token);
    token = copy(tokens, first, stop, out[3], token);
    if (hasValues) {
      out[2][entries] = value;
      const [from, to] = [firstValue[entry]!, firstValue[entry + 1] ?? hi.length];
      copy(lo, from, to, out[6], value);
      value = copy(hi, from, to, out[5], value);
    }
    entries++;
  }
  const lengths = [entries, entries, hasValues ? entries : 0, token, atFar, value, value];
  return {
    spec,
    terms,
    words: out.map((array, i) => array.subarray(0, lengths[i])),
    norms: outNorms.subarray(0, entries),
    distances: outDistances.subarray(0, Math.min(token, distances.length)),
  };
}

/** docs, firstToken, firstValue, tokens, far, hi, lo: as a field lends them. */
type Seven = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/** Copies elements [from, to); returns the end of the copy. One by one: they are mostly few. */
function copy<Array extends Uint8Array | Uint32Array>(
  source: Array,
  from: number,
  to: number,
  into: Array,
  at: number,
): number {
  let end = at;
  for (let i = from; i < to; i++) into[end++] = source[i]!;
  return end;
}
