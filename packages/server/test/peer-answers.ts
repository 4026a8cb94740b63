// Requests with the answers of a peer to them: fixtures/peer-answers has one file for each subject, with a request,
// its status and its answer in each line. `node peer-answers.ts <url> <file>` asks a peer again and rewrites the
// answers; a new line needs no more than its request.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One request. Those that set the stage are asked first, and only have to succeed. */
interface PeerAnswer {
  readonly request: string;
  readonly body?: object | string;
  readonly isSetup?: true;
  readonly status: number;
  readonly answer: unknown;
}

/** The requests of a fixture, in their order. */
export function peerAnswers(name: string): PeerAnswer[] {
  const file = new URL(`fixtures/peer-answers/${name}.ndjson`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PeerAnswer);
}

const HIDDEN = new Set([
  ...['took', 'index_uuid', '_seq_no', '_primary_term', '_version', '_shards', 'failed_shards'],
  ...['line', 'col', 'node', '_node', '_shard', 'terminated_early'],
]);

const JAVA_FRAME = /^(?:java|jdk|org)\..*\(.*\)$/;

/** Numbers of documents in their segments, in explanations. */
const DOC_NUMBER =
  /(?<= in )\d+(?=\) \[PerFieldSimilarity\])|(?<=match id )\d+$|(?<=child docs in range from )\d+ to \d+/;

/** A reply without what differs from run to run, and numbers to twelve digits; members sorted. */
export function plainAnswer(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (typeof value === 'string') return value.replace(DOC_NUMBER, '#');
  if (Array.isArray(value))
    return value.filter((each) => typeof each !== 'string' || !JAVA_FRAME.test(each)).map(plainAnswer);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !HIDDEN.has(key));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, v]) => [key, plainAnswer(v)]),
  );
}

async function record(url: string, path: string): Promise<void> {
  const lines: string[] = [];
  for (const { request, body, isSetup } of peerAnswers(basename(path, '.ndjson'))) {
    const [method = 'GET', target = '/'] = request.split(' ');
    const reply = await fetch(url + target, {
      method,
      headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = plainAnswer(await reply.json());
    const line = isSetup ? { request, body, isSetup } : { request, body, status: reply.status, answer };
    lines.push(JSON.stringify(line));
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
}

const [, script, url, file] = process.argv;
if (script === import.meta.filename && url !== undefined && file !== undefined) await record(url, file);
