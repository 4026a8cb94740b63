// Reads an archive from start to end. Each file is hashed and passed to the caller on the way; only the last
// entry says whether all of it is valid.

import { createHash } from 'node:crypto';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import {
  type ArchivedFile,
  type ArchiveManifest,
  isDataFile,
  MANIFEST,
  parseManifest,
  REFUSAL,
} from './manifest.ts';

/** The archive is invalid; the message continues after its name. */
class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** Receives the bytes of one file; `end` after the last of them. */
export interface FileSink {
  write(piece: Uint8Array): Promise<void> | void;
  end(): Promise<void> | void;
}

/** Opens a sink for each file; by default files are dropped. */
type OpenSink = (name: string, bytes: number) => Promise<FileSink> | FileSink;

const NOWHERE: FileSink = { write: () => {}, end: () => {} };

/** Enough for a manifest of a million files. */
const MOST_MANIFEST_BYTES = 256 << 20;

/**
 * Reads a whole archive. Throws ArchiveError with what is wrong, or what a sink threw; whatever the sinks
 * received is then worthless.
 */
export async function readArchive(
  stream: ReadableStream<Uint8Array>,
  open: OpenSink = () => NOWHERE,
): Promise<ArchiveManifest> {
  try {
    return await readEntries(stream, open);
  } catch (error) {
    // Errors of the system have a code; others are the decoder's.
    if (error instanceof ArchiveError || !(error instanceof Error) || 'code' in error) throw error;
    throw new ArchiveError(`it is not a complete tar: ${error.message.replace(/\.$/, '')}`);
  }
}

async function readEntries(stream: ReadableStream<Uint8Array>, open: OpenSink): Promise<ArchiveManifest> {
  const found = new Map<string, ArchivedFile>();
  let manifest: ArchiveManifest | undefined;
  for await (const entry of stream.pipeThrough(createTarDecoder({ strict: true }))) {
    const { name, type } = entry.header;
    if (manifest !== undefined) throw new ArchiveError(`${name} follows its ${MANIFEST}`);
    if (name === MANIFEST) {
      manifest = manifestOf(await textOf(entry));
      continue;
    }
    if (name === REFUSAL) throw new ArchiveError(await textOf(entry));
    if (type !== 'file' || !isDataFile(name)) {
      throw new ArchiveError(`${name} is not a file of a data directory`);
    }
    if (found.has(name)) throw new ArchiveError(`it contains ${name} twice`);
    found.set(name, await readEntry(entry, await open(name, entry.header.size)));
  }
  if (manifest === undefined) throw new ArchiveError('it is truncated: its end is missing');
  compareFiles(manifest.files, found);
  return manifest;
}

function manifestOf(text: string): ArchiveManifest {
  try {
    return parseManifest(text);
  } catch (error) {
    throw new ArchiveError((error as Error).message);
  }
}

async function readEntry(entry: ParsedTarEntry, sink: FileSink): Promise<ArchivedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of entry.body) {
    hash.update(piece);
    bytes += piece.length;
    await sink.write(piece);
  }
  await sink.end();
  return { name: entry.header.name, bytes, sha256: hash.digest('hex') };
}

async function textOf(entry: ParsedTarEntry): Promise<string> {
  if (entry.header.size > MOST_MANIFEST_BYTES) throw new ArchiveError(`its ${MANIFEST} is too large`);
  return await new Response(entry.body).text();
}

function compareFiles(named: readonly ArchivedFile[], found: ReadonlyMap<string, ArchivedFile>): void {
  for (const { name, bytes, sha256 } of named) {
    const file = found.get(name);
    if (file === undefined) throw new ArchiveError(`${name} is missing`);
    if (file.bytes !== bytes || file.sha256 !== sha256)
      throw new ArchiveError(`${name} differs from what was written`);
  }
  if (named.length !== found.size) throw new ArchiveError(`it has files that its ${MANIFEST} does not name`);
}
