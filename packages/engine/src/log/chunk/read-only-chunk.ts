// Opens a chunk for reading alone: by the descriptor that another thread of the process has open, or a file of
// its own.

import type { DiskFile } from '../../disk/disk.ts';
import { readDescriptor } from '../../disk/read-descriptor.ts';
import type { ChunkFile } from '../stretch/chunk-file.ts';
import { openChunkFile } from '../stretch/open-chunk-file.ts';
import type { Vocabularies } from '../stretch/vocabularies.ts';
import type { SharedChunk } from './chunk.ts';

/** The file of a chunk, readable up to `size()`. Its owner closes it. */
export function openDescriptorFile(
  { number, name, descriptor, version }: Pick<SharedChunk, 'number' | 'name' | 'descriptor' | 'version'>,
  size: () => number,
  vocabularies: Vocabularies,
): ChunkFile {
  const readSync: DiskFile['readSync'] = (into, position) => readDescriptor(descriptor, into, position);
  return openReadOnlyChunk({ name, size, readSync }, number, version, vocabularies);
}

/** The same for a file of its own. */
export function openReadOnlyChunk(
  readable: Pick<DiskFile, 'name' | 'size' | 'readSync'>,
  number: number,
  version: number,
  vocabularies: Vocabularies,
): ChunkFile {
  const file = {
    ...readable,
    ...{ write: refuseWrite, writeThrough: refuseWrite, sync: refuseWrite },
    ...{ truncate: refuseWrite, close: refuseWrite },
  };
  return openChunkFile(file, number, version, vocabularies);
}

function refuseWrite(): never {
  throw new Error('this chunk is open for reading only');
}
