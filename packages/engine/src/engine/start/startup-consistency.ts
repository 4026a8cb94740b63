// Is anything missing that was there before? A log or a catalog that is gone looks like a fresh one: only what the others
// know of it tells. Going on would give commit numbers and places in the log a second time, so nothing is started.

import type { Catalog } from '../../catalog/catalog.ts';
import type { Disk } from '../../disk/disk.ts';
import { chunkName } from '../../log/format/format.ts';
import type { LogFound } from '../../log/log.ts';
import type { SegmentsRecord } from '../../write/segment-files/segments-record.ts';

const CURE = 'nothing was started; restore the data directory from a copy';

/** Whether there is one to be opened. */
export async function hasCatalog(disk: Disk): Promise<boolean> {
  return (await disk.list('catalog')).includes('manifest');
}

/** Throws where there are documents and no catalog. To be called before one is made. REQUIRES: there is none. */
export async function refuseMissingCatalog(disk: Disk, log: LogFound): Promise<void> {
  if (log.lastCommit === 0 && (await disk.list('segments')).length === 0) return;
  throw new Error(`catalog/manifest is missing, and the log and the segments belong to one: ${CURE}`);
}

/** Throws where the catalog knows commits that the log does not have. */
export function refuseMissingLog(catalog: Catalog, log: LogFound): void {
  let known = Number(catalog.get('engine', 'replay') ?? 0);
  for (const [, record] of catalog.list('segments'))
    known = Math.max(known, (record as unknown as SegmentsRecord).watermark);
  if (known <= log.lastCommit) return;
  const file = `log/${chunkName(log.newest || 1)}`;
  throw new Error(
    `${file} has lost its end, or the files behind it are missing: the log ends with commit ${log.lastCommit}, but commit ${known} was there: ${CURE}`,
  );
}
