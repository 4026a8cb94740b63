// The load process: carries out the jobs of load.ts over plain sockets, with the calibration kernel before
// and after.

import { closeSync, openSync, readSync } from 'node:fs';
import { calibrate } from '../machine/calibrate.ts';
import type { BulkJob, ContextsJob, Job, JobResult, RepeatJob, Request, WalkJob } from './load.ts';
import { Connection, type RawReply, rawHead, rawRequest } from './raw-connection.ts';

type Outcome = Omit<JobResult, 'calibration'>;

/** An upper bound for the bytes of a request head. */
const HEAD_ROOM = 1_024;

interface Prepared {
  readonly bytes: Buffer;
  readonly mustHave?: string | undefined;
}

function errorOf({ status, body }: RawReply, mustHave?: string): string | undefined {
  const failed = status >= 400 || body.subarray(0, 60).includes('"errors":true');
  const missing = mustHave !== undefined && !body.includes(mustHave);
  return failed || missing ? `${status} ${body.toString('utf8', 0, 300)}` : undefined;
}

/** Keeps `connections` busy with requests from `next` until it returns undefined. */
async function drive(
  url: URL,
  connections: number,
  next: (connection: number) => Promise<Prepared | undefined> | Prepared | undefined,
): Promise<Outcome> {
  const micros: number[] = [];
  let error: string | undefined;
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  // A server accepts connections after the client sees them open (64 in 10 ms); no request shall pay for that.
  const hello = rawRequest(url.host, 'GET', '/');
  for (const connection of opened) await connection.send(hello);
  const start = performance.now();
  await Promise.all(
    opened.map(async (connection, at) => {
      for (let request = await next(at); request !== undefined; request = await next(at)) {
        const began = performance.now();
        const reply = await connection.send(request.bytes);
        micros.push((performance.now() - began) * 1000);
        error ??= errorOf(reply, request.mustHave);
      }
    }),
  );
  const elapsedMs = performance.now() - start;
  for (const connection of opened) connection.close();
  return { micros, elapsedMs, documents: 0, ids: [], error };
}

function prepare(host: string, { method, path, body, headers, mustHave }: Request): Prepared {
  return { bytes: rawRequest(host, method, path, body, headers), mustHave };
}

function repeat(job: RepeatJob): Promise<Outcome> {
  const url = new URL(job.url);
  const requests = job.requests.map((request) => prepare(url.host, request));
  // The time starts when the connections are open, so there is at least one request.
  let end: number | undefined;
  let sent = 0;
  return drive(url, job.connections, () => {
    end ??= performance.now() + job.mostMs;
    return sent < job.most && performance.now() < end ? requests[sent++ % requests.length] : undefined;
  });
}

async function bulk(job: BulkJob): Promise<Outcome> {
  const url = new URL(job.url);
  const fd = openSync(job.file, 'r');
  let begun: number | undefined;
  const slices = job.cuts.length - 1;
  const longest = job.cuts.reduce((most, to, i) => Math.max(most, to - (job.cuts[i - 1] ?? to)), 0);
  // One buffer per connection: allocating for every request would cost more than sending it.
  const rooms = Array.from({ length: job.connections }, () => Buffer.allocUnsafeSlow(HEAD_ROOM + longest));
  let sent = 0;
  const measured = await drive(url, job.connections, async (connection) => {
    const start = (begun ??= performance.now());
    const again = job.againForMs !== undefined && performance.now() - start < job.againForMs;
    if (job.againForMs === undefined ? sent >= slices : !again) return undefined;
    const at = sent++ % slices;
    const due = start + (sent - 1) * (job.everyMs ?? 0) - performance.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    const [from = 0, to = 0] = [job.cuts[at], job.cuts[at + 1]];
    const room = rooms[connection]!;
    const lines = rawHead(url.host, 'POST', job.path, to - from, 'application/x-ndjson');
    const head = room.latin1Write(lines, 0);
    readSync(fd, room, head, to - from, from);
    return { bytes: room.subarray(0, head + to - from) };
  });
  closeSync(fd);
  return { ...measured, documents: sent };
}

async function walk(job: WalkJob): Promise<Outcome> {
  const url = new URL(job.url);
  const connection = await Connection.open(url);
  const micros: number[] = [];
  const ids: string[] = [];
  let documents = 0;
  let error: string | undefined;
  let request: Buffer | undefined = rawRequest(url.host, 'POST', job.path, JSON.stringify(job.body));
  const start = performance.now();
  while (request !== undefined && documents < job.most) {
    const began = performance.now();
    const reply = await connection.send(request);
    micros.push((performance.now() - began) * 1000);
    error ??= errorOf(reply);
    const came = countOf(reply.body, '"_id":');
    documents += came;
    if (job.keepIds === true) for (const hit of hitsOf(reply.body)) ids.push(hit._id);
    request = came === 0 || error !== undefined ? undefined : nextRequest(job, url.host, reply.body);
  }
  const elapsedMs = performance.now() - start;
  connection.close();
  return { micros, elapsedMs, documents, ids, error };
}

function nextRequest(job: WalkJob, host: string, body: Buffer): Buffer | undefined {
  if (job.by === 'search_after') {
    const after = hitsOf(body).at(-1)?.sort;
    return rawRequest(
      host,
      'POST',
      job.path,
      JSON.stringify({ ...job.body, from: undefined, search_after: after }),
    );
  }
  const token = textAfter(body, job.by === 'scroll' ? '"_scroll_id"' : `"${job.by}"`);
  if (token === undefined) return undefined;
  if (job.by === 'scroll') return scrollOn(host, token);
  return rawRequest(
    host,
    'POST',
    job.path,
    JSON.stringify({ ...job.body, from: undefined, [job.by]: token }),
  );
}

function scrollOn(host: string, scrollId: string): Buffer {
  return rawRequest(host, 'POST', '/_search/scroll', JSON.stringify({ scroll: '5m', scroll_id: scrollId }));
}

/** Opens every scroll, then reads one page of each. The times of the openings come first. */
async function contexts(job: ContextsJob): Promise<Outcome> {
  const url = new URL(job.url);
  const connection = await Connection.open(url);
  const micros: number[] = [];
  let error: string | undefined;
  const send = async (request: Buffer): Promise<Buffer> => {
    const began = performance.now();
    const reply = await connection.send(request);
    micros.push((performance.now() - began) * 1000);
    error ??= errorOf(reply);
    return reply.body;
  };
  const start = performance.now();
  const body = JSON.stringify(job.body);
  const opening = (k: number): Buffer =>
    rawRequest(url.host, 'POST', job.path, body.replaceAll('"$k"', String(k)));
  const ids: string[] = [];
  for (let k = 0; k < job.count && error === undefined; k++) {
    const id = textAfter(await send(opening(k)), '"_scroll_id"');
    if (id !== undefined) ids.push(id);
  }
  const documents = ids.length;
  for (const id of ids) if (error === undefined) await send(scrollOn(url.host, id));
  const elapsedMs = performance.now() - start;
  connection.close();
  return { micros, elapsedMs, documents, ids, error };
}

interface Hit {
  readonly _id: string;
  readonly sort?: unknown[];
}

function hitsOf(body: Buffer): readonly Hit[] {
  return (JSON.parse(body.toString()) as { hits: { hits: Hit[] } }).hits.hits;
}

/** The string value of a member in JSON text, without escapes, such as base64. */
function textAfter(body: Buffer, name: string): string | undefined {
  const at = body.indexOf(name);
  if (at === -1) return undefined;
  const from = body.indexOf('"', at + name.length) + 1;
  return body.toString('latin1', from, body.indexOf('"', from));
}

function countOf(text: Buffer, part: string): number {
  let n = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) n++;
  return n;
}

function run(job: Job): Promise<Outcome> {
  switch (job.kind) {
    case 'repeat':
      return repeat(job);
    case 'bulk':
      return bulk(job);
    case 'walk':
      return walk(job);
    case 'contexts':
      return contexts(job);
  }
}

process.on('message', (job: Job) => {
  const before = calibrate();
  run(job).then(
    (outcome) => process.send?.({ measured: { ...outcome, calibration: [before, calibrate()] } }),
    (failure: Error) => process.send?.({ failure: failure.message }),
  );
});
