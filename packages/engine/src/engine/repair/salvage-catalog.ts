// Reads what is left of a damaged manifest: every intact line, in order, also behind lines that cannot be read.

import { MANIFEST_NAME } from '../../catalog/catalog.ts';
import {
  type CatalogChange,
  changesOf,
  checkHead,
  decodeLine,
  encodeChanges,
  encodeHead,
} from '../../catalog/manifest-format.ts';
import { readMark } from '../../catalog/manifest-mark.ts';
import type { Disk } from '../../disk/disk.ts';
import { codeOf } from '../../disk/failure.ts';
import type { JsonValue } from '../../json/value.ts';

/** The documents of a catalog by kind and name. */
export type CatalogDocuments = Map<string, Map<string, JsonValue>>;

/** What is left of a catalog. */
interface SalvagedCatalog {
  readonly documents: CatalogDocuments;
  /** What is lost, in words; empty if the manifest is whole. */
  readonly losses: readonly string[];
  /** No line ever had a higher number. */
  readonly number: number;
}

/** Reads a manifest. Throws on a later format version: that is no damage. */
export async function salvageCatalog(disk: Disk): Promise<SalvagedCatalog> {
  const documents: CatalogDocuments = new Map();
  const bytes = await disk.read(MANIFEST_NAME).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const committed = (await readMark(disk)) ?? 0;
  if (bytes === undefined)
    return {
      documents,
      number: committed,
      losses: [`${MANIFEST_NAME} is missing: all names, mappings, aliases, templates and settings are lost`],
    };
  const losses: string[] = [];
  let last: number | undefined;
  let lost = 0;
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(10, at);
    const stop = newline < 0 ? bytes.length : newline;
    // The newline of the last line may be another byte.
    const line =
      decodeLine(bytes.subarray(at, stop)) ??
      (newline < 0 ? decodeLine(bytes.subarray(at, bytes.length - 1)) : undefined);
    if (line === undefined) lost++;
    else {
      if ('format' in line.json) checkHead(line, MANIFEST_NAME);
      if (last !== undefined && line.number > last + 1) lost = Math.max(lost, line.number - last - 1);
      if (lost > 0)
        losses.push(`${MANIFEST_NAME} has ${changes(lost)} before line ${line.number} that cannot be read`);
      lost = 0;
      last = line.number;
      for (const change of changesOf(line)) apply(documents, change);
    }
    at = stop + 1;
  }
  const end = Math.max(lost > 0 && committed === 0 ? lost : 0, committed - (last ?? 0));
  if (end > 0) losses.push(`${MANIFEST_NAME} has lost ${changes(end)} at its end`);
  return { documents, losses, number: Math.max(last ?? 0, committed) };
}

function changes(count: number): string {
  return count === 1 ? 'one change' : `${count} changes`;
}

function apply(documents: CatalogDocuments, { put, remove }: CatalogChange): void {
  if (put !== undefined) {
    const [kind, name, value] = put;
    const ofKind = documents.get(kind) ?? new Map<string, JsonValue>();
    documents.set(kind, ofKind.set(name, value));
  }
  if (remove !== undefined) documents.get(remove[0])?.delete(remove[1]);
}

/** A manifest with these documents, whose lines have numbers from `number` on. */
export function encodeCatalog(documents: CatalogDocuments, number: number): Uint8Array {
  const lines = [encodeHead(number)];
  for (const [kind, ofKind] of documents)
    for (const [name, value] of ofKind)
      lines.push(encodeChanges(number + lines.length, [{ put: [kind, name, value] }]));
  return Buffer.concat(lines);
}
