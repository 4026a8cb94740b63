// Writes everything a server stores as one tar stream. The records come first, then the documents, so that no
// document event precedes what the records have already published. Each part is as of one moment, while
// writes go on.

import { createHash } from 'node:crypto';
import type { CopiedFile, Engine } from '@octavo/engine';
import type { Records } from '@octavo/records';
import { createTarPacker, type TarPackController } from 'modern-tar';
import { ARCHIVE_FORMAT, type ArchivedFile, type ArchiveManifest, MANIFEST, REFUSAL } from './manifest.ts';

export interface ArchiveSource {
  readonly engine: Engine;
  /** Records outside this directory are not archived. */
  readonly records: Records | undefined;
}

/** A tar of everything. Memory stays constant however slow the reader is; a reader that leaves ends it. */
export function createArchive(archived: ArchiveSource): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  fill(controller, archived).catch((error: unknown) => controller.error(error));
  return readable;
}

async function fill(controller: TarPackController, { engine, records }: ArchiveSource): Promise<void> {
  const files: ArchivedFile[] = [];
  const recordsCopy = await records?.copy?.();
  try {
    if (recordsCopy !== undefined)
      files.push(await addFile(controller, { name: 'records.db', ...recordsCopy }));
  } finally {
    recordsCopy?.close();
  }
  const copy = await engine.copy();
  try {
    for (const file of copy.files) {
      files.push(await addFile(controller, file));
      const damage = await findDamage(file);
      if (damage === undefined) continue;
      // The reader gets the reason; without its last entry the archive is none.
      await addFile(controller, textFile(REFUSAL, `nothing was saved: ${damage}`));
      controller.finalize();
      return;
    }
  } finally {
    await copy.close();
  }
  const manifest: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    created_at: new Date().toISOString(),
    commit: copy.commit,
    files,
  };
  await addFile(controller, textFile(MANIFEST, `${JSON.stringify(manifest, undefined, 2)}\n`));
  controller.finalize();
}

/** The first damage of a copied file, in words. */
async function findDamage({ verify }: CopiedFile): Promise<string | undefined> {
  for (const damage of verify()) {
    if (damage !== undefined) return damage;
    await nextRequests();
  }
  return undefined;
}

function textFile(name: string, text: string): FileSource {
  const bytes = new TextEncoder().encode(text);
  return { name, bytes: bytes.length, read: () => [bytes] };
}

/** Requests are served in the same thread. */
function nextRequests(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface FileSource {
  readonly name: string;
  readonly bytes: number;
  readonly read: () => Iterable<Uint8Array>;
}

async function addFile(
  controller: TarPackController,
  { name, bytes, read }: FileSource,
): Promise<ArchivedFile> {
  const hash = createHash('sha256');
  const writer = controller
    .add({ name, size: bytes, type: 'file', mode: 0o600, mtime: new Date() })
    .getWriter();
  for (const piece of read()) {
    hash.update(piece);
    // Waits while the reader has 8 MB to read.
    await writer.write(piece);
    await nextRequests();
  }
  await writer.close();
  return { name, bytes, sha256: hash.digest('hex') };
}
