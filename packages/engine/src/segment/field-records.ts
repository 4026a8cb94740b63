// Encodes and decodes the `fields` section: one record of statistics per field, and names of types.

import { FIELD_BYTES, type FieldRecord } from './format.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes of the `fields` section. */
export function encodeFields(fields: readonly FieldRecord[]): Uint8Array {
  const paths = fields.map((field) => encoder.encode(field.path));
  const poolStart = 8 + fields.length * FIELD_BYTES;
  const out = new Uint8Array(poolStart + paths.reduce((sum, path) => sum + path.length, 0));
  const view = new DataView(out.buffer);
  view.setUint32(0, fields.length, true);
  view.setUint32(4, poolStart, true);
  let pool = 0;
  fields.forEach((field, i) => {
    const at = 8 + i * FIELD_BYTES;
    const path = paths[i]!;
    out.set(path, poolStart + pool);
    view.setUint32(at, pool, true);
    pool += path.length;
    view.setUint32(at + 4, pool, true);
    out[at + 8] = field.index;
    out[at + 9] = field.column;
    out[at + 10] = field.norms ? 1 : 0;
    out[at + 11] = field.ordinalBytes;
    view.setInt32(at + 12, field.bucket, true);
    view.setUint32(at + 16, field.termCount, true);
    view.setUint32(at + 20, field.postingCount, true);
    view.setFloat64(at + 24, field.docCount, true);
    view.setFloat64(at + 32, field.sumDocFreq, true);
    view.setFloat64(at + 40, field.sumTotalTermFreq, true);
    view.setUint32(at + 48, field.valueCount, true);
  });
  return out;
}

/** The records of a `fields` section. Throws a RangeError when it is cut short. */
export function decodeFields(bytes: Uint8Array): FieldRecord[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(0, true);
  const poolStart = view.getUint32(4, true);
  if (poolStart !== 8 + count * FIELD_BYTES || poolStart > bytes.length) {
    throw new RangeError('the field records are cut short');
  }
  const fields: FieldRecord[] = [];
  for (let i = 0; i < count; i++) {
    const at = 8 + i * FIELD_BYTES;
    const start = poolStart + view.getUint32(at, true);
    const end = poolStart + view.getUint32(at + 4, true);
    fields.push({
      path: decoder.decode(bytes.slice(start, end)),
      index: bytes[at + 8]!,
      column: bytes[at + 9]!,
      norms: bytes[at + 10] === 1,
      ordinalBytes: bytes[at + 11]!,
      bucket: view.getInt32(at + 12, true),
      termCount: view.getUint32(at + 16, true),
      postingCount: view.getUint32(at + 20, true),
      docCount: view.getFloat64(at + 24, true),
      sumDocFreq: view.getFloat64(at + 32, true),
      sumTotalTermFreq: view.getFloat64(at + 40, true),
      valueCount: view.getUint32(at + 48, true),
    });
  }
  return fields;
}

/** Whether a field is a text: it has no column, and frequencies. Plain lists need nothing of its terms. */
export function isTextRecord({ column, index }: FieldRecord): boolean {
  return column === 0 && index > 1;
}

/** Names as length:u16 and bytes (the `typeNames` section). */
export function encodeNames(names: readonly string[]): Uint8Array {
  const encoded = names.map((name) => encoder.encode(name));
  const out = new Uint8Array(encoded.reduce((sum, name) => sum + 2 + name.length, 0));
  let at = 0;
  for (const name of encoded) {
    out[at] = name.length & 0xff;
    out[at + 1] = name.length >>> 8;
    out.set(name, at + 2);
    at += 2 + name.length;
  }
  return out;
}

/** The names of a `typeNames` section. */
export function decodeNames(bytes: Uint8Array): string[] {
  const names: string[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const end = at + 2 + (bytes[at]! | (bytes[at + 1]! << 8));
    names.push(decoder.decode(bytes.slice(at + 2, end)));
    at = end;
  }
  return names;
}
