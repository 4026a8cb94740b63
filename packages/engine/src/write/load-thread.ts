// What runs in a thread that loads segments? It reads a file, checks all of it, and unpacks it where it is told, but for
// the words of texts. Of what is wrong it says nothing: who asked does it again and finds out.

import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { packedTable, Unpacking } from '../segment/unpack.ts';
import type { Loaded, LoadJob } from './loader.ts';

function load({ path, into }: LoadJob): Loaded | undefined {
  const file = readFileSync(path);
  const table = packedTable(file);
  if (table.byteLength !== into.length) return undefined;
  return { file, left: new Unpacking(file, table, into).plainNow() };
}

parentPort?.on('message', (job: LoadJob) => {
  let loaded: Loaded | undefined;
  try {
    loaded = load(job);
  } catch {
    // Left to who asked.
  }
  const buffer = loaded?.file.buffer;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === loaded?.file.byteLength;
  parentPort!.postMessage(loaded, isWhole ? [buffer] : []);
});
