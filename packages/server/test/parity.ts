// Prints how our replies differ from OpenSearch's. Run by hand, never by `npm test`:
//
//   node packages/server/test/parity.ts http://127.0.0.1:9250 http://127.0.0.1:9200
//
// Sends the requests of parity.txt to both and prints those that are answered differently, numbers of
// milliseconds, ids and places in the JSON aside. Works on the index `parity` of both, and deletes it first.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const INDEX = 'parity';
const WIDTH = 900;

/** What differs from run to run, or between any two servers. */
const NOISE: readonly [RegExp, string][] = [
  [/"took":\d+/g, '"took":0'],
  [/"_?node":"[^"]*"/g, '"node":"N"'],
  [/"(index_uuid|uuid)":"[^"]*"/g, '"$1":"U"'],
  [/"_scroll_id":"[^"]*"/g, '"_scroll_id":"S"'],
  [/"(pit_id|id)":"[\w=-]{30,}"/g, '"$1":"P"'],
  [/"_id":"[\w-]{20}"/g, '"_id":"A"'],
  [/document with id '[\w-]{20}'/g, "document with id 'A'"],
  [/,"line":\d+,"col":\d+/g, ''],
  [/\[\d+:\d+\] /g, ''],
  [/"creation_time":\d+/g, '"creation_time":0'],
  [/\[(Source: [^;\]]*; )?line: \d+(, column: \d+)?\]/g, '[place]'],
];

async function ask(base: string, line: string): Promise<string> {
  const [, method = 'GET', path = '/', text = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? [];
  const body = text.replaceAll('\\n', '\n');
  const reply = await fetch(base + path, {
    method: body !== '' && method === 'GET' ? 'POST' : method,
    ...(body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });
  let out = await reply.text();
  for (const [pattern, replacement] of NOISE) out = out.replace(pattern, replacement);
  return `${reply.status} ${out}`;
}

async function compare(peer: string, ours: string): Promise<void> {
  const file = readFileSync(join(import.meta.dirname, 'parity.txt'), 'utf8');
  const lines = file.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const base of [peer, ours]) await fetch(`${base}/${INDEX}`, { method: 'DELETE' });
  let same = 0;
  for (const line of lines) {
    const [theirs, mine] = await Promise.all([ask(peer, line), ask(ours, line)]);
    if (theirs === mine) same++;
    else console.log(`${line}\n  peer  ${theirs.slice(0, WIDTH)}\n  ours  ${mine.slice(0, WIDTH)}\n`);
  }
  console.log(`${same} of ${lines.length} replies are the same`);
}

const [, , peer, ours] = process.argv;
if (peer === undefined || ours === undefined) {
  console.error('usage: node parity.ts PEER_URL OUR_URL');
  process.exitCode = 2;
} else await compare(peer, ours);
