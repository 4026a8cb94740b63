// Detects at a start that the log or the catalog is missing: each looks like a new one then, and only what
// the others know of it tells. Going on would give out commit numbers and log positions a second time, so the
// start is refused.

import type { Catalog } from '../../catalog/catalog.ts';
import type { Disk } from '../../disk/disk.ts';
import { chunkName } from '../../log/format/format.ts';
import type { LogFound } from '../../log/log.ts';
import type { SegmentsRecord } from '../../write/segment-files/segments-record.ts';

const CURE = 'nothing was started; restore the data directory from a copy';

/** Whether there is a catalog. */
export async function hasCatalog(disk: Disk): Promise<boolean> {
  return (await disk.list('catalog')).includes('manifest');
}

/** Throws if there are documents. REQUIRES: there is no catalog; called before one is created. */
export async function refuseMissingCatalog(disk: Disk, log: LogFound): Promise<void> {
  if (log.lastCommit === 0 && (await disk.list('segments')).length === 0) return;
  throw new Error(`catalog/manifest is missing, and the log and the segments belong to one: ${CURE}`);
}

/** Throws if the catalog knows commits that the log does not have. */
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
