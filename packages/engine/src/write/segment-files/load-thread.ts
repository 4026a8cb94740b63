// What runs in a thread that loads segments? It reads a file, checks all of it, and unpacks it where it is told, but for
// the words of texts. Of what is wrong it says nothing: who asked does it again and finds out.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { readDescriptor } from '../../disk/read-descriptor.ts';
import { readPackedTable, SegmentUnpacker } from '../../segment/packed/unpack.ts';
import type { LoadJob, LoadResult } from './segment-loader.ts';

/**
 * The bytes of a file in shared memory: what is not shared counts as garbage to be of the thread that has it, and hundreds
 * of megabytes make it look for garbage again and again.
 */
function read(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const file = new Uint8Array(new SharedArrayBuffer(fstatSync(descriptor).size));
    readDescriptor(descriptor, file, 0);
    return file;
  } finally {
    closeSync(descriptor);
  }
}

function load({ path, into }: LoadJob): LoadResult | undefined {
  const file = read(path);
  const table = readPackedTable(file);
  if (table.byteLength !== into.length) return undefined;
  return { file, left: new SegmentUnpacker(file, table, into).unpackRestNow() };
}

parentPort?.on('message', (job: LoadJob) => {
  let loaded: LoadResult | undefined;
  try {
    loaded = load(job);
  } catch {
    // Left to who asked.
  }
  parentPort!.postMessage(loaded);
});
