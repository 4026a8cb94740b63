// Opens the log and the catalog side by side at a start. Segments are loaded by threads as soon as the
// catalog names them, while the newest chunk of the log is examined. Nothing is repaired, removed or created
// before log and catalog are known to belong together and every index is understood: a refused start changes
// nothing.

import { Catalog } from '../../catalog/catalog.ts';
import type { Disk } from '../../disk/disk.ts';
import type { JsonObject } from '../../json/value.ts';
import type { LogFinding } from '../../log/chunk/chunk.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { LogOptions } from '../../log/log-options.ts';
import type { MappingLimits } from '../../mapping/definition/mapping-limits.ts';
import { runToEnd } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import {
  type LoadedSegments,
  type LoadingEnvironment,
  loadSegments,
} from '../../write/recovery/load-segments.ts';
import type { SegmentsRecord } from '../../write/segment-files/segments-record.ts';
import { decodeIndex, type IndexRecord } from '../indices/index-codec.ts';
import { describeFinding, findingPlace } from '../verify-all.ts';
import type { NoteAbout } from './open-options.ts';
import {
  hasCatalog,
  refuseMissingCatalog,
  refuseMissingLog,
  refuseUnknownIndices,
} from './startup-consistency.ts';

/** Tells what a start reports of a log. */
export function noteFinding(
  finding: LogFinding,
  note: (line: string, about?: NoteAbout) => void,
  isRead: boolean = true,
): void {
  // Which ids it hit is unknown: they are in the unreadable bytes.
  const isLoss = isRead && finding.kind === 'damaged';
  const loss = isLoss ? '; documents written last may be missing, or there in an earlier version' : '';
  note(describeFinding(finding) + loss, { kind: finding.kind, place: findingPlace(finding) });
}

/** The opened files of an engine. */
export interface OpenFiles {
  readonly log: DocumentLog;
  readonly catalog: Catalog;
  /** All indices, without documents, by their key in the catalog. */
  readonly states: ReadonlyMap<string, IndexState>;
  /** Segments by the key of their index in the catalog. */
  readonly loading: Promise<ReadonlyMap<string, LoadedSegments>>;
}

/** Opens log and catalog and begins to load segments. When it rejects, nothing is running any more. */
export async function openFiles(
  disk: Disk,
  openLog: (confirm: LogOptions['confirm']) => Promise<DocumentLog>,
  env: LoadingEnvironment & { readonly mappingLimits: MappingLimits },
): Promise<OpenFiles> {
  // Deleting an index must work on a full disk too: the ballast of the log makes room.
  const makeRoom = async (): Promise<boolean> => (await openingLog).releaseBallast();
  const readingCatalog = Catalog.look(disk, { makeRoom });
  let states: OpenFiles['states'] = new Map();
  const openingLog = openLog(async (found) => {
    const there = await readingCatalog;
    if (await hasCatalog(disk)) {
      refuseMissingLog(there, found);
      await refuseUnknownIndices(there, found);
    } else await refuseMissingCatalog(disk, found);
    states = statesOf(there, found.lastCommit, env.mappingLimits);
  });
  let catalog: Catalog | undefined;
  let loading: OpenFiles['loading'] | undefined;
  let isAborted = false;
  readingCatalog.catch(() => {});
  openingLog.catch(() => {});
  try {
    catalog = await readingCatalog;
    loading = loadAll(catalog, env, () => isAborted);
    loading.catch(() => {});
    const log = await openingLog;
    await catalog.mend();
    for (const finding of log.findings) noteFinding(finding, env.note);
    return { log, catalog, states, loading };
  } catch (error) {
    isAborted = true;
    await loading?.catch(() => {});
    await openingLog.then((log) => log.close()).catch(() => {});
    await catalog?.close();
    throw error;
  }
}

/** Throws if the definition of an index is not understood. */
function statesOf(catalog: Catalog, lastCommit: number, limits: MappingLimits): OpenFiles['states'] {
  const states = new Map<string, IndexState>();
  const reading = { limits, isKept: true };
  for (const [key, record] of catalog.list('index')) {
    const mapping = (catalog.get('mapping', key) ?? {}) as JsonObject;
    const index = record as unknown as IndexRecord;
    states.set(key, runToEnd(decodeIndex(Number(key), index, mapping, lastCommit, reading)));
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
