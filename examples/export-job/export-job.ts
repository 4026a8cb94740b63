// Copies every document of an index into a file, one JSON object per line. A job that was killed continues where it was.
//
//   node export-job.ts INDEX FILE
//
// The walk goes by token in the order of ids. A token is a position, so documents that are written or deleted meanwhile move nothing:
// each document that is there from start to end is in the file exactly once. After each page two things are stored, in this order:
//
//   1. the lines of the page, in FILE.part;
//   2. the token of the next page and the length of FILE.part, in FILE.place.
//
// A kill between both leaves lines that FILE.place does not know. The next run cuts them off and fetches that page again.

import { readFileSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { OctavoClient, toJson } from '@octavo/client';

interface Place {
  /** The position of the next page. A token is valid for 24 hours. */
  readonly token?: string;
  /** The length of FILE.part up to that page. */
  readonly bytes: number;
}

const PAGE_SIZE = 1_000;

const [index, file] = process.argv.slice(2);
if (index === undefined || file === undefined) throw new Error('usage: node export-job.ts INDEX FILE');
const octavo = new OctavoClient({
  url: process.env['OCTAVO_URL'] ?? 'http://127.0.0.1:9200',
  ...(process.env['OCTAVO_KEY'] && { apiKey: process.env['OCTAVO_KEY'] }),
});

function readPlace(): Place {
  try {
    return JSON.parse(readFileSync(`${file}.place`, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { bytes: 0 };
  }
}

/** A rename replaces the file as a whole: a kill leaves the old place or the new one. */
async function writePlace(place: Place): Promise<void> {
  await writeFile(`${file}.place.new`, JSON.stringify(place), { flush: true });
  await rename(`${file}.place.new`, `${file}.place`);
}

let { token, bytes } = readPlace();
if (bytes > 0) console.log(`continuing behind ${bytes} bytes`);
const part = await open(`${file}.part`, 'a');
if ((await part.stat()).size < bytes)
  throw new Error(`${file}.part is too short: delete ${file}.place to start again`);
await part.truncate(bytes);
const start = token === undefined ? {} : { next_token: token };
for await (const { items, reply } of octavo
  .search(index, { sort: [{ _id: 'asc' }], size: PAGE_SIZE, track_total_hits: false, ...start })
  .pages()) {
  const lines = items.map(({ _id, _source }) => `${toJson({ id: _id, source: _source })}\n`).join('');
  await part.appendFile(lines);
  await part.datasync();
  bytes += Buffer.byteLength(lines);
  token = reply.next_token;
  if (token !== undefined) await writePlace({ token, bytes });
}
await part.close();
await rm(`${file}.place`, { force: true });
await rename(`${file}.part`, file);
console.log(`${bytes} bytes in ${file}`);
