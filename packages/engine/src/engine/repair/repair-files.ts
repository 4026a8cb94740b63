// Makes a start possible where it is refused: writes what is left of a damaged catalog, gives indices that the
// catalog has lost a new name, and begins a chunk behind a log that has lost its end. Nothing that can be read
// is thrown away: the damaged chunk stays for its intact units.

import { randomBytes } from 'node:crypto';
import { Catalog, MANIFEST_NAME } from '../../catalog/catalog.ts';
import type { Disk } from '../../disk/disk.ts';
import type { JsonObject } from '../../json/value.ts';
import { CHUNK_HEADER, chunkName, encodeFreshHeader, LOG_VERSION } from '../../log/format/format.ts';
import { DocumentLog } from '../../log/log.ts';
import type { LogFound } from '../../log/log-options.ts';
import { createMemory } from '../../memory/arenas.ts';
import { SegmentStore } from '../../write/segment-files/segment-store.ts';
import type { SegmentsRecord } from '../../write/segment-files/segments-record.ts';
import { type IndexRecord, PRESET_SETTINGS } from '../indices/index-codec.ts';
import { knownCommit } from '../start/startup-consistency.ts';
import { type CatalogDocuments, encodeCatalog, salvageCatalog } from './salvage-catalog.ts';

/** What the log has. */
interface LogLook {
  readonly found: LogFound;
  readonly indexNumbers: ReadonlySet<number>;
}

/**
 * Repairs what a start refuses; returns what is lost, one line each. Throws where the files are of a later version, or
 * cannot be read at all.
 */
export async function repairFiles(disk: Disk, now: number): Promise<string[]> {
  const isWhole = await Catalog.look(disk).then(
    async () => (await disk.list('catalog')).includes('manifest'),
    () => false,
  );
  const { documents, losses: catalogLosses, number } = await salvageCatalog(disk);
  const losses = isWhole ? [] : [...catalogLosses];
  let isChanged = !isWhole;

  const replay = isWhole ? Number(documents.get('engine')?.get('replay') ?? 0) : 0;
  const { found, indexNumbers } = await lookAtLog(disk, replay);
  for (const index of restoreIndices(documents, indexNumbers, !isWhole, now)) {
    losses.push(
      `the name, mapping and settings of index number ${index} are lost: its documents will be in [${recoveredName(index)}]`,
    );
    isChanged = true;
  }
  const known = knownCommit(documents);
  // A lost line may have named the segments of an index: its documents are replayed, as far as none has them.
  if (!isWhole) put(documents, 'engine', 'replay', 0);
  const last = Math.max(known, found.lastCommit);
  if (known > found.lastCommit)
    losses.push(
      `the log has lost its end: commits ${found.lastCommit + 1} to ${known}. Documents of these commits that are in no segment, or whose bytes are damaged, are lost`,
    );
  if (known > found.lastCommit || found.isNewestDamaged) {
    const chunk = await beginChunk(disk, documents, last + 1);
    put(documents, 'engine', 'kept', { from: last, reached: last, chunk });
    isChanged = true;
  }
  if (isChanged) await writeManifest(disk, encodeCatalog(documents, number + 1));
  return losses;
}

/** Looks at the log as a start does, and changes nothing. */
async function lookAtLog(disk: Disk, replay: number): Promise<LogLook> {
  let look: LogLook | undefined;
  const seen = new Error('the log was looked at');
  await DocumentLog.open(disk, {
    confirm: async (found) => {
      look = { found, indexNumbers: await found.indexNumbers(replay) };
      throw seen;
    },
  }).catch((error: unknown) => {
    if (error !== seen) throw error;
  });
  return look!;
}

/** Adds indices that the log has and the catalog does not; returns their numbers. */
function restoreIndices(
  documents: CatalogDocuments,
  numbers: ReadonlySet<number>,
  isCatalogDamaged: boolean,
  now: number,
): number[] {
  const next = Number(documents.get('engine')?.get('nextIndex') ?? 1);
  // Of an undamaged catalog a lower number is that of a deleted index.
  const isLost = (index: number): boolean =>
    !documents.get('index')?.has(String(index)) && (index >= next || isCatalogDamaged);
  const named = ['mapping', 'segments'].flatMap((kind) => [...(documents.get(kind)?.keys() ?? [])]);
  const lost = [...new Set([...numbers, ...named.map(Number)])].filter(isLost).sort((a, b) => a - b);
  for (const index of lost) {
    const uuid = randomBytes(16).toString('base64url');
    const name = recoveredName(index);
    const record: IndexRecord = {
      ...{ name, uuid, createdAt: now, state: 'open', aliases: {} },
      settings: {
        ...PRESET_SETTINGS,
        'index.replication.type': 'DOCUMENT',
        'index.provided_name': name,
        'index.creation_date': String(now),
        'index.uuid': uuid,
        'index.version.created': '137227827',
      },
    };
    put(documents, 'index', String(index), record as unknown as JsonObject);
  }
  const highest = Math.max(0, ...lost, ...[...(documents.get('index')?.keys() ?? [])].map(Number));
  if (highest >= next) put(documents, 'engine', 'nextIndex', highest + 1);
  return lost;
}

function recoveredName(index: number): string {
  return `recovered-${index}`;
}

function put(documents: CatalogDocuments, kind: string, name: string, value: JsonObject | number): void {
  const ofKind = documents.get(kind) ?? new Map();
  documents.set(kind, ofKind.set(name, value));
}

/** Begins an empty chunk behind all others; returns its number, which no segment names. */
async function beginChunk(disk: Disk, documents: CatalogDocuments, firstCommit: number): Promise<number> {
  const names = (await disk.list('log')).flatMap((name) => /^(\d{8,10})\./.exec(name)?.[1] ?? []);
  const kept = documents.get('engine')?.get('kept') as { chunk?: number } | undefined;
  const number =
    Math.max(0, ...names.map(Number), kept?.chunk ?? 0, await highestNamedChunk(disk, documents)) + 1;
  const file = await disk.open(`log/${chunkName(number)}`, { create: true });
  if ((await file.write([encodeFreshHeader(LOG_VERSION, number, firstCommit)], 0)) < CHUNK_HEADER)
    throw new Error('the disk is full');
  await file.sync();
  await file.close();
  await disk.syncFolder('log');
  return number;
}

/** The highest number of a chunk in which the source of a document lies. */
async function highestNamedChunk(disk: Disk, documents: CatalogDocuments): Promise<number> {
  const store = new SegmentStore(disk, createMemory({ budgetBytes: Number.POSITIVE_INFINITY }));
  let highest = 0;
  for (const [index, record] of documents.get('segments') ?? []) {
    for (const meta of (record as unknown as SegmentsRecord).segments) {
      // A damaged segment is made again from the log: it will name chunks that are there.
      const entry = await store.load(Number(index), meta).catch(() => undefined);
      if (entry === undefined) continue;
      const { docs, docCount } = entry.leaf;
      for (let doc = 0; doc < docCount; doc++) highest = Math.max(highest, docs.sourceChunk(doc));
      store.release(entry);
    }
  }
  return highest;
}

async function writeManifest(disk: Disk, bytes: Uint8Array): Promise<void> {
  const temporary = `${MANIFEST_NAME}.tmp`;
  const file = await disk.open(temporary, { create: true });
  await file.truncate(0);
  if ((await file.write([bytes], 0)) < bytes.length) throw new Error('the disk is full');
  await file.sync();
  await file.close();
  await disk.rename(temporary, MANIFEST_NAME);
  await disk.syncFolder('catalog');
}
