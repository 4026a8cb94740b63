// How does another thread read a chunk? By the descriptor of the file that this one has open: descriptors belong to the
// process. Nobody writes there.

import { readDescriptor } from '../../disk/read-descriptor.ts';
import type { ChunkFile } from '../stretch/chunk-file.ts';
import { openChunkFile } from '../stretch/open-chunk-file.ts';
import type { Vocabularies } from '../stretch/vocabularies.ts';
import type { SharedChunk } from './chunk.ts';

/** The file of a chunk, to be read as far as `size` says. It stays open and is closed elsewhere. */
export function openDescriptorFile(
  { number, name, descriptor, version }: Pick<SharedChunk, 'number' | 'name' | 'descriptor' | 'version'>,
  size: () => number,
  vocabularies: Vocabularies,
): ChunkFile {
  const file = {
    ...{
      name,
      size,
      write: notHere,
      writeThrough: notHere,
      sync: notHere,
      truncate: notHere,
      close: notHere,
    },
    readSync: (into: Uint8Array, position: number) => readDescriptor(descriptor, into, position),
  };
  return openChunkFile(file, number, version, vocabularies);
}

function notHere(): never {
  throw new Error('a lent chunk is only read');
}
