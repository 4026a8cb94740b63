// Format of the catalog on disk: a text file `catalog/manifest` with one checksummed line per atomic change.
//
//   <crc> <number> <json>\n        crc: CRC-32 of "<number> <json>", 8 hex digits;  number: of the line, decimal
//
//   first line    {"format":1}                                   its number is where this file starts to count
//   others        {"put":[[kind,name,value],…],"remove":[[kind,name],…]}     applied as a whole or not at all
//
// - Numbers ascend by 1. A line is synced before the next one is begun, so only the last line can be torn. A
// bad line with a good one behind it is damage.
// - The number of the last line is also in `catalog/manifest.mark` (manifest-mark.ts): a file that ends before it has
// lost its end.
// - When the file is much longer than its live documents, a new one with these alone is written as
// `catalog/manifest.tmp`, synced and renamed.
// - Integers beyond 2^53 are digits in the JSON.

import { crc32 } from 'node:zlib';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** The version that is written; versions from 1 on are read. */
export const MANIFEST_VERSION = 1;

/** One document put, or removed. */
export interface CatalogChange {
  readonly put?: readonly [kind: string, name: string, value: JsonValue];
  readonly remove?: readonly [kind: string, name: string];
}

/** An intact line. */
export interface ManifestLine {
  readonly number: number;
  readonly json: JsonObject;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The first line of a file whose numbers start at `number`. */
export function encodeHead(number: number): Uint8Array {
  return encodeLine(number, { format: MANIFEST_VERSION });
}

/** The line of an atomic change. */
export function encodeChanges(number: number, changes: readonly CatalogChange[]): Uint8Array {
  const put = changes.flatMap((change) => (change.put === undefined ? [] : [[...change.put]]));
  const remove = changes.flatMap((change) => (change.remove === undefined ? [] : [[...change.remove]]));
  return encodeLine(number, { ...(put.length > 0 && { put }), ...(remove.length > 0 && { remove }) });
}

/** Decodes a line without its newline; undefined if it is not intact. */
export function decodeLine(bytes: Uint8Array): ManifestLine | undefined {
  const parts = text(bytes)?.match(/^([0-9a-f]{8}) (\d{1,15}) (\{.*\})$/s);
  if (parts == null || hex(crc32(bytes.subarray(9))) !== parts[1]) return undefined;
  return { number: Number(parts[2]), json: parseJson(parts[3]!) as JsonObject };
}

/** Throws if the first line of a file does not state a version that can be read. */
export function checkHead(line: ManifestLine, file: string): void {
  const version = line.json['format'];
  if (typeof version !== 'number') throw new Error(`${file} does not begin with its format version`);
  if (version > MANIFEST_VERSION)
    throw new Error(
      `${file} has format version ${version}; this Octavo reads versions 1 to ${MANIFEST_VERSION}. Use a newer one`,
    );
}

/** The changes of a line in the order to apply them: removals last. */
export function changesOf(line: ManifestLine): CatalogChange[] {
  const put = (line.json['put'] ?? []) as [string, string, JsonValue][];
  const remove = (line.json['remove'] ?? []) as [string, string][];
  return [
    ...put.map((put): CatalogChange => ({ put })),
    ...remove.map((remove): CatalogChange => ({ remove })),
  ];
}

/** A deep copy of a value as it will be read back: with null prototypes, and each number in the type that its digits give. */
export function ownCopy(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') return copyNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ownCopy);
  const copy = Object.create(null) as JsonObject;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== undefined) copy[key] = ownCopy(member);
  }
  return copy;
}

/** Numbers that are printed as integers beyond 2^53 are read as bigints. */
function copyNumber(value: number): number | bigint | null {
  if (!Number.isFinite(value)) return null;
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(String(value));
}

function encodeLine(number: number, json: JsonObject): Uint8Array {
  const body = `${number} ${stringify(json)}`;
  return encoder.encode(`${hex(crc32(body))} ${body}\n`);
}

/** `JSON.rawJSON` and the source text of numbers are ES2025+; TypeScript's library does not know them yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): JsonValue };
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: JsonValue, context: { source?: string }) => JsonValue,
) => JsonValue;

function stringify(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    // It has bigints, which is rare: with a function for each member, printing takes eight times as long.
    return JSON.stringify(value, (_key, member: JsonValue) =>
      typeof member === 'bigint' ? rawJSON(String(member)) : member,
    );
  }
}

function parseJson(json: string): JsonValue {
  return parseWithSource(json, (_key, value, { source }) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined)
      return /^-?\d+$/.test(source) ? BigInt(source) : value;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.setPrototypeOf(value, null);
    return value;
  });
}

function text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
