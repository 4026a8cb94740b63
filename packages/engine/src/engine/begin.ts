// What is read first when an engine comes to life? Log and catalog beside each other, and as soon as the catalog says which
// segments there are, these: threads load them while the newest chunk of the log is looked at. Nothing is removed or made
// before both are known to belong together.

import { Catalog } from '../catalog/catalog.ts';
import type { Disk } from '../disk/disk.ts';
import type { LogFinding } from '../log/chunk.ts';
import type { DocumentLog } from '../log/log.ts';
import { type LoadedSegments, type LoadingEnvironment, loadSegments } from '../write/recovery.ts';
import type { SegmentsRecord } from '../write/segments-record.ts';
import { hasCatalog, refuseLostCatalog, refuseLostLog } from './lost.ts';
import { describe } from './verify.ts';

/** Damage in what a start reads of the log, in one line: the ids that it hit are in what cannot be read. */
export function describeLost(finding: LogFinding): string {
  return `${describe(finding)}; documents written last may be missing, or there in an earlier version`;
}

/** What an engine is made of. */
export interface Beginning {
  readonly log: DocumentLog;
  readonly catalog: Catalog;
  /** By the key of their index in the catalog. */
  readonly loading: Promise<ReadonlyMap<string, LoadedSegments>>;
}

/** Opens log and catalog and begins to load segments. Where it rejects, nothing is under way any more. */
export async function begin(
  disk: Disk,
  openLog: () => Promise<DocumentLog>,
  env: LoadingEnvironment,
): Promise<Beginning> {
  const opening = openLog();
  let catalog: Catalog | undefined;
  let loading: Beginning['loading'] | undefined;
  let isGivenUp = false;
  opening.catch(() => {});
  try {
    catalog = await openCatalog(disk, opening);
    loading = loadAll(catalog, env, () => isGivenUp);
    loading.catch(() => {});
    const log = await opening;
    for (const finding of log.findings)
      env.note(finding.kind === 'damaged' ? describeLost(finding) : describe(finding));
    refuseLostLog(catalog, log);
    return { log, catalog, loading };
  } catch (error) {
    isGivenUp = true;
    await loading?.catch(() => {});
    await opening.then((log) => log.close()).catch(() => {});
    await catalog?.close();
    throw error;
  }
}

/** One that is there can be opened at once; whether one may be made, the log tells. */
async function openCatalog(disk: Disk, opening: Promise<DocumentLog>): Promise<Catalog> {
  if (!(await hasCatalog(disk))) await refuseLostCatalog(disk, await opening);
  // Deleting an index must work on a full disk as well: the log's ballast makes room.
  return await Catalog.open(disk, { makeRoom: async () => (await opening).releaseBallast() });
}

async function loadAll(
  catalog: Catalog,
  env: LoadingEnvironment,
  stopped: () => boolean,
): Promise<ReadonlyMap<string, LoadedSegments>> {
  const loaded = new Map<string, LoadedSegments>();
  for (const key of catalog.list('index').keys()) {
    const record = catalog.get('segments', key) as unknown as SegmentsRecord | undefined;
    if (record === undefined || stopped()) continue;
    loaded.set(key, await loadSegments(Number(key), record.segments, env, stopped));
  }
  return loaded;
}
