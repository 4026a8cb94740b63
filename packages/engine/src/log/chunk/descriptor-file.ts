// Opens a chunk for reading by the descriptor that another thread of the process has open.

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
  const file = {
    ...{
      name,
      size,
      write: refuseWrite,
      writeThrough: refuseWrite,
      sync: refuseWrite,
      truncate: refuseWrite,
      close: refuseWrite,
    },
    readSync: (into: Uint8Array, position: number) => readDescriptor(descriptor, into, position),
  };
  return openChunkFile(file, number, version, vocabularies);
}

function refuseWrite(): never {
  throw new Error('a chunk opened by descriptor is read-only');
}
