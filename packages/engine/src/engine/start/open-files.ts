// What is read first when an engine comes to life? Log and catalog beside each other, and as soon as the catalog says which
// segments there are, these: threads load them while the newest chunk of the log is looked at. Nothing is mended, removed or
// made before both are known to belong together, and every index is understood: a start that is refused changes nothing.

import { Catalog } from '../../catalog/catalog.ts';
import type { Disk } from '../../disk/disk.ts';
import type { JsonObject } from '../../json/value.ts';
import type { LogFinding } from '../../log/chunk/chunk.ts';
import type { DocumentLog, LogOptions } from '../../log/log.ts';
import type { MappingLimits } from '../../mapping/definition/mapping-limits.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import {
  type LoadedSegments,
  type LoadingEnvironment,
  loadSegments,
} from '../../write/recovery/load-segments.ts';
import type { SegmentsRecord } from '../../write/segment-files/segments-record.ts';
import { decodeIndex, type IndexRecord } from '../indices/index-codec.ts';
import { describeFinding } from '../verify-all.ts';
import { hasCatalog, refuseMissingCatalog, refuseMissingLog } from './startup-consistency.ts';

/** Damage in what a start reads of the log, in one line: the ids that it hit are in what cannot be read. */
export function describeDamage(finding: LogFinding): string {
  return `${describeFinding(finding)}; documents written last may be missing, or there in an earlier version`;
}

/** What an engine is made of. */
export interface OpenFiles {
  readonly log: DocumentLog;
  readonly catalog: Catalog;
  /** All indices, without documents, by their key in the catalog. */
  readonly states: ReadonlyMap<string, IndexState>;
  /** By the key of their index in the catalog. */
  readonly loading: Promise<ReadonlyMap<string, LoadedSegments>>;
}

/** Opens log and catalog and begins to load segments. Where it rejects, nothing is under way any more. */
export async function openFiles(
  disk: Disk,
  openLog: (confirm: LogOptions['confirm']) => Promise<DocumentLog>,
  env: LoadingEnvironment & { readonly mappingLimits: MappingLimits },
): Promise<OpenFiles> {
  // Deleting an index must work on a full disk as well: the log's ballast makes room.
  const makeRoom = async (): Promise<boolean> => (await opening).releaseBallast();
  const looking = Catalog.look(disk, { makeRoom });
  let states: OpenFiles['states'] = new Map();
  const opening = openLog(async (found) => {
    const there = await looking;
    if (await hasCatalog(disk)) refuseMissingLog(there, found);
    else await refuseMissingCatalog(disk, found);
    states = statesOf(there, found.lastCommit, env.mappingLimits);
  });
  let catalog: Catalog | undefined;
  let loading: OpenFiles['loading'] | undefined;
  let isGivenUp = false;
  looking.catch(() => {});
  opening.catch(() => {});
  try {
    catalog = await looking;
    loading = loadAll(catalog, env, () => isGivenUp);
    loading.catch(() => {});
    const log = await opening;
    await catalog.mend();
    for (const finding of log.findings)
      env.note(finding.kind === 'damaged' ? describeDamage(finding) : describeFinding(finding));
    return { log, catalog, states, loading };
  } catch (error) {
    isGivenUp = true;
    await loading?.catch(() => {});
    await opening.then((log) => log.close()).catch(() => {});
    await catalog?.close();
    throw error;
  }
}

/** Throws where the catalog keeps something of an index that is not understood. */
function statesOf(catalog: Catalog, lastCommit: number, limits: MappingLimits): OpenFiles['states'] {
  const states = new Map<string, IndexState>();
  const reading = { limits, isKept: true };
  for (const [key, record] of catalog.list('index')) {
    const mapping = (catalog.get('mapping', key) ?? {}) as JsonObject;
    states.set(key, decodeIndex(Number(key), record as unknown as IndexRecord, mapping, lastCommit, reading));
  }
  return states;
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
