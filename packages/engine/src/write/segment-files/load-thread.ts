// Code of a thread that loads segments. It reads a file, checks all of it, and unpacks it where it is told,
// except for the words of text fields. It reports no reason for a failure: the serving thread loads the
// segment again and finds it.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { readDescriptor } from '../../disk/read-descriptor.ts';
import { readPackedTable, SegmentUnpacker } from '../../segment/packed/unpack.ts';
import type { LoadJob, LoadResult } from './segment-loader.ts';

/**
 * The bytes of a file in shared memory. Unshared buffers count as external memory of the thread's heap, and
 * hundreds of megabytes of it trigger one garbage collection after the other.
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
    // Left to the serving thread.
  }
  parentPort!.postMessage(loaded);
});
