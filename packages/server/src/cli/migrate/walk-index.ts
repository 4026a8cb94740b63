// Walks an index by sequence number. Each write gets a number above all earlier ones of its shard, so a
// walk needs no context, resumes from any number, and reaches concurrent writes at its end: copying and
// following are the same walk. Deletions are not visible to it.

import { Failure } from '../failure.ts';
import { refusalReason } from '../io/http-client.ts';
import { type RawHit, readHits } from '../io/raw-hits.ts';
import type { Endpoint } from './endpoint.ts';

/** The last sequence number of each shard; -1 before the first. Octavo has one shard, 0. */
export type ShardMarks = Readonly<Record<string, number>>;

interface WalkPage {
  readonly hits: readonly RawHit[];
  /** The position after it. */
  readonly marks: ShardMarks;
}

/** Target size of a page, so that neither side must hold too much. */
const PAGE_BYTES = 6_000_000;
const MOST = 2_000;

/** The sequence numbers up to which each index is complete. Deleted indices have no entry. */
export async function completeMarks(
  endpoint: Endpoint,
  names: readonly string[],
): Promise<Map<string, ShardMarks>> {
  if (names.length === 0) return new Map();
  return endpoint.kind === 'octavo'
    ? await newestWrites(endpoint, names)
    : await checkpoints(endpoint, names);
}

/** Octavo's visible writes are complete, so the newest one is the mark. */
async function newestWrites(endpoint: Endpoint, names: readonly string[]): Promise<Map<string, ShardMarks>> {
  const marks = new Map<string, ShardMarks>();
  for (const name of names) {
    const body = { size: 1, _source: false, seq_no_primary_term: true, track_total_hits: false };
    await refresh(endpoint, name);
    const answer = await endpoint.send(
      'POST',
      `/${encodeURIComponent(name)}/_search`,
      JSON.stringify({ ...body, sort: [{ _seq_no: 'desc' }] }),
    );
    if (answer.status === 404) continue;
    if (answer.status >= 400)
      throw new Failure(`${endpoint.name} refused to list ${name}: ${refusalReason(answer)}`);
    marks.set(name, { 0: readHits(answer.body)[0]?.seqNo ?? -1 });
  }
  return marks;
}

interface ShardStats {
  readonly indices?: Record<
    string,
    {
      readonly shards: Record<
        string,
        readonly {
          readonly routing?: { readonly primary?: boolean };
          readonly seq_no?: { readonly global_checkpoint: number };
        }[]
      >;
    }
  >;
}

/**
 * Writes to a cluster run concurrently: up to the global checkpoint, all copies of a shard have all of them.
 */
async function checkpoints(endpoint: Endpoint, names: readonly string[]): Promise<Map<string, ShardMarks>> {
  // Many names would make the path too long: then all are requested.
  const path = names.length > 50 ? '' : `/${names.map(encodeURIComponent).join(',')}`;
  const reply = await endpoint.request('GET', `${path}/_stats/docs?level=shards&ignore_unavailable=true`);
  const { indices = {} } = JSON.parse(reply.toString('utf8')) as ShardStats;
  const marks = new Map<string, ShardMarks>();
  for (const name of names) {
    const shards = indices[name]?.shards;
    if (shards === undefined) continue;
    const found: Record<string, number> = {};
    for (const [shard, copies] of Object.entries(shards)) {
      const primary = copies.find(({ routing }) => routing?.primary === true) ?? copies[0];
      if (primary?.seq_no === undefined)
        throw new Failure(
          `Shard ${shard} of ${name} at ${endpoint.name} is not available: wait until the cluster is green.`,
        );
      found[shard] = primary.seq_no.global_checkpoint;
    }
    marks.set(name, found);
    // Writes below a checkpoint are visible after the next refresh.
    await refresh(endpoint, name);
  }
  return marks;
}

async function refresh(endpoint: Endpoint, name: string): Promise<void> {
  const answer = await endpoint.send('POST', `/${encodeURIComponent(name)}/_refresh`);
  if (answer.status >= 400 && answer.status !== 404)
    throw new Failure(`${endpoint.name} refused to refresh ${name}: ${refusalReason(answer)}`);
}

/** True if there are numbers in between. */
export function hasNewer(from: ShardMarks, upTo: ShardMarks): boolean {
  return Object.entries(upTo).some(([shard, seqNo]) => seqNo > (from[shard] ?? -1));
}

/** Living documents written after `from`, up to `upTo`. The next page is requested while one is processed. */
export async function* walkIndex(
  endpoint: Endpoint,
  name: string,
  from: ShardMarks,
  upTo: ShardMarks,
): AsyncGenerator<WalkPage> {
  let marks: ShardMarks = from;
  for (const [shard, last] of Object.entries(upTo)) {
    let after = marks[shard] ?? -1;
    let size = 200;
    if (after >= last) continue;
    let next: Promise<RawHit[]> | undefined = fetchWalkPage(endpoint, name, shard, after, last, size);
    while (next !== undefined) {
      const hits: RawHit[] = await next;
      const isLast: boolean = hits.length < size;
      size = sizeAfter(hits, size);
      if (isLast) next = undefined;
      else {
        after = hits.at(-1)!.seqNo!;
        next = fetchWalkPage(endpoint, name, shard, after, last, size);
        // Awaited after this page; until then its failure must not count as unhandled.
        next.catch(() => {});
      }
      marks = { ...marks, [shard]: isLast ? last : after };
      yield { hits, marks };
    }
  }
}

function sizeAfter(hits: readonly RawHit[], size: number): number {
  const bytes = hits.reduce((sum, { source }) => sum + source.length + 100, 0);
  if (bytes === 0) return size;
  return Math.max(1, Math.min(MOST, size * 4, Math.floor((PAGE_BYTES * hits.length) / bytes)));
}

async function fetchWalkPage(
  endpoint: Endpoint,
  name: string,
  shard: string,
  after: number,
  upTo: number,
  size: number,
): Promise<RawHit[]> {
  const preference = endpoint.kind === 'octavo' ? '' : `?preference=_shards:${shard}`;
  const body = {
    query: { range: { _seq_no: { gt: after, lte: upTo } } },
    sort: [{ _seq_no: 'asc' }],
    size,
    version: true,
    seq_no_primary_term: true,
    track_total_hits: false,
  };
  const path = `/${encodeURIComponent(name)}/_search${preference}`;
  const reply = await endpoint.request('POST', path, JSON.stringify(body));
  requireAllShards(reply, endpoint, name);
  return readHits(reply);
}

/** Throws if a shard did not answer: its documents would be missing. */
function requireAllShards(reply: Buffer, endpoint: Endpoint, name: string): void {
  const head = reply.toString('latin1', 0, 200);
  if (/"timed_out"\s*:\s*true/.test(head) || !/"failed"\s*:\s*0\b/.test(head))
    throw new Failure(
      `${endpoint.name} could not answer for all of ${name}: wait until the cluster is green.`,
    );
}

/** The present documents by id; missing ones are left out. */
export async function fetchDocuments(
  endpoint: Endpoint,
  name: string,
  ids: readonly string[],
): Promise<Map<string, RawHit>> {
  await refresh(endpoint, name);
  const found = new Map<string, RawHit>();
  for (let at = 0; at < ids.length; at += FETCH_SIZE) {
    const values = ids.slice(at, at + FETCH_SIZE);
    const body = { query: { ids: { values } }, size: values.length, version: true, track_total_hits: false };
    const reply = await endpoint.request(
      'POST',
      `/${encodeURIComponent(name)}/_search`,
      JSON.stringify(body),
    );
    requireAllShards(reply, endpoint, name);
    for (const hit of readHits(reply)) found.set(hit.id, hit);
  }
  return found;
}

const FETCH_SIZE = 500;
