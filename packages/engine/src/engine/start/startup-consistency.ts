// Detects at a start that the log or the catalog is missing or of an earlier time: only what the others know
// of it tells. Going on would give out commit numbers, numbers of indices and log positions a second time, so
// the start is refused.

import type { Catalog } from '../../catalog/catalog.ts';
import { readMark } from '../../catalog/manifest-mark.ts';
import { CURE } from '../../catalog/read-manifest.ts';
import type { Disk } from '../../disk/disk.ts';
import type { JsonValue } from '../../json/value.ts';
import { chunkName } from '../../log/format/format.ts';
import type { LogFound } from '../../log/log-options.ts';
import type { SegmentsRecord } from '../../write/segment-files/segments-record.ts';

/** Whether there is a catalog. */
export async function hasCatalog(disk: Disk): Promise<boolean> {
  return (await disk.list('catalog')).includes('manifest');
}

/** Throws if there are documents. REQUIRES: there is no catalog; called before one is created. */
export async function refuseMissingCatalog(disk: Disk, log: LogFound): Promise<void> {
  const hadLines = ((await readMark(disk)) ?? 0) > 0;
  if (log.lastCommit === 0 && !hadLines && (await disk.list('segments')).length === 0) return;
  throw new Error(
    `catalog/manifest is missing, and what else is there belongs to one; nothing was started; ${CURE}`,
  );
}

/** The last commit that documents of the catalog know, by kind and name. */
export function knownCommit(documents: ReadonlyMap<string, ReadonlyMap<string, JsonValue>>): number {
  let known = Number(documents.get('engine')?.get('replay') ?? 0);
  for (const record of documents.get('segments')?.values() ?? [])
    known = Math.max(known, (record as unknown as SegmentsRecord).watermark);
  return known;
}

/** Throws if the catalog knows commits that the log does not have. */
export function refuseMissingLog(catalog: Catalog, log: LogFound): void {
  const known = knownCommit(new Map(['engine', 'segments'].map((kind) => [kind, catalog.list(kind)])));
  if (known <= log.lastCommit) return;
  const file = `log/${chunkName(log.newest || 1)}`;
  throw new Error(
    `${file} has lost its end, or the files behind it are missing: the log ends with commit ${log.lastCommit}, but commit ${known} was there; nothing was started; ${CURE}`,
  );
}

/** Throws if the log has documents of an index that the catalog has never created. */
export async function refuseUnknownIndices(catalog: Catalog, log: LogFound): Promise<void> {
  const next = Number(catalog.get('engine', 'nextIndex') ?? 1);
  const numbers = await log.indexNumbers(Number(catalog.get('engine', 'replay') ?? 0));
  const unknown = [...numbers].filter((number) => number >= next).sort((a, b) => a - b);
  if (unknown.length === 0) return;
  const what = unknown.length === 1 ? `index number ${unknown[0]}` : `indices number ${unknown.join(', ')}`;
  throw new Error(
    `catalog/manifest has lost its end, or is of an earlier time: the log has documents of ${what}, which it does not know; nothing was started; ${CURE}`,
  );
}
