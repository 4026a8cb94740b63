// Which documents does a collection hold, and which were written since? Every write of a document has a sequence number,
// above all that its shard has given before, so a walk in that order needs no context, goes on from any number, and meets
// what was written meanwhile at its end: copying and following are the same walk. Deletions leave nothing to meet.

import { Failure } from '../failure.ts';
import { hitsOf, type RawHit } from '../io/hits.ts';
import { reasonOf } from '../io/http.ts';
import type { Place } from './place.ts';

/** The last sequence number of each shard; -1 is before the first. Octavo has one, called 0. */
export type Marks = Readonly<Record<string, number>>;

/** A page of a walk. */
export interface Page {
  readonly hits: readonly RawHit[];
  /** Behind it. */
  readonly marks: Marks;
}

/** Bytes that a page should have, so that neither side has to hold more than it can. */
const PAGE_BYTES = 6_000_000;
const MOST = 2_000;

/** Up to where each collection is written completely. A collection that is gone has no entry. */
export async function marksOf(place: Place, names: readonly string[]): Promise<Map<string, Marks>> {
  if (names.length === 0) return new Map();
  return place.kind === 'octavo' ? await newestWrites(place, names) : await checkpoints(place, names);
}

/** What Octavo shows is complete: the newest write is the mark. */
async function newestWrites(place: Place, names: readonly string[]): Promise<Map<string, Marks>> {
  const marks = new Map<string, Marks>();
  for (const name of names) {
    const body = { size: 1, _source: false, seq_no_primary_term: true, track_total_hits: false };
    await refresh(place, name);
    const answer = await place.send(
      'POST',
      `/${encodeURIComponent(name)}/_search`,
      JSON.stringify({ ...body, sort: [{ _seq_no: 'desc' }] }),
    );
    if (answer.status === 404) continue;
    if (answer.status >= 400) throw new Failure(`${place.name} refused to list ${name}: ${reasonOf(answer)}`);
    marks.set(name, { 0: hitsOf(answer.body)[0]?.seqNo ?? -1 });
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

/** Writes run side by side in a cluster: up to its global checkpoint all copies of a shard have all of them. */
async function checkpoints(place: Place, names: readonly string[]): Promise<Map<string, Marks>> {
  // Many names make a path too long: then all are asked for.
  const path = names.length > 50 ? '' : `/${names.map(encodeURIComponent).join(',')}`;
  const reply = await place.ask('GET', `${path}/_stats/docs?level=shards&ignore_unavailable=true`);
  const { indices = {} } = JSON.parse(reply.toString('utf8')) as ShardStats;
  const marks = new Map<string, Marks>();
  for (const name of names) {
    const shards = indices[name]?.shards;
    if (shards === undefined) continue;
    const found: Record<string, number> = {};
    for (const [shard, copies] of Object.entries(shards)) {
      const primary = copies.find(({ routing }) => routing?.primary === true) ?? copies[0];
      if (primary?.seq_no === undefined)
        throw new Failure(
          `Shard ${shard} of ${name} at ${place.name} is not there: wait until the cluster is green.`,
        );
      found[shard] = primary.seq_no.global_checkpoint;
    }
    marks.set(name, found);
    // What is below a checkpoint is searched after the next refresh.
    await refresh(place, name);
  }
  return marks;
}

async function refresh(place: Place, name: string): Promise<void> {
  const answer = await place.send('POST', `/${encodeURIComponent(name)}/_refresh`);
  if (answer.status >= 400 && answer.status !== 404)
    throw new Failure(`${place.name} refused to refresh ${name}: ${reasonOf(answer)}`);
}

/** True where there is something between. */
export function isBehind(from: Marks, upTo: Marks): boolean {
  return Object.entries(upTo).some(([shard, seqNo]) => seqNo > (from[shard] ?? -1));
}

/** What is alive and was written after `from`, up to `upTo`. The next page is asked for while one is worked on. */
export async function* walk(place: Place, name: string, from: Marks, upTo: Marks): AsyncGenerator<Page> {
  let marks: Marks = from;
  for (const [shard, last] of Object.entries(upTo)) {
    let after = marks[shard] ?? -1;
    let size = 200;
    if (after >= last) continue;
    let next: Promise<RawHit[]> | undefined = pageOf(place, name, shard, after, last, size);
    while (next !== undefined) {
      const hits: RawHit[] = await next;
      const isLast: boolean = hits.length < size;
      size = sizeAfter(hits, size);
      if (isLast) next = undefined;
      else {
        after = hits.at(-1)!.seqNo!;
        next = pageOf(place, name, shard, after, last, size);
        // It is awaited after the page before it is done; until then its failure is nobody's.
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

async function pageOf(
  place: Place,
  name: string,
  shard: string,
  after: number,
  upTo: number,
  size: number,
): Promise<RawHit[]> {
  const preference = place.kind === 'octavo' ? '' : `?preference=_shards:${shard}`;
  const body = {
    query: { range: { _seq_no: { gt: after, lte: upTo } } },
    sort: [{ _seq_no: 'asc' }],
    size,
    version: true,
    seq_no_primary_term: true,
    track_total_hits: false,
  };
  const path = `/${encodeURIComponent(name)}/_search${preference}`;
  const reply = await place.ask('POST', path, JSON.stringify(body));
  requireWhole(reply, place, name);
  return hitsOf(reply);
}

/** A search that some shard did not answer lacks its documents. */
function requireWhole(reply: Buffer, place: Place, name: string): void {
  const head = reply.toString('latin1', 0, 200);
  if (/"timed_out"\s*:\s*true/.test(head) || !/"failed"\s*:\s*0\b/.test(head))
    throw new Failure(`${place.name} could not answer for all of ${name}: wait until the cluster is green.`);
}

/** Documents by their ids, as they are now; those that are not there are left out. */
export async function fetchDocuments(
  place: Place,
  name: string,
  ids: readonly string[],
): Promise<Map<string, RawHit>> {
  await refresh(place, name);
  const found = new Map<string, RawHit>();
  for (let at = 0; at < ids.length; at += FETCHED) {
    const values = ids.slice(at, at + FETCHED);
    const body = { query: { ids: { values } }, size: values.length, version: true, track_total_hits: false };
    const reply = await place.ask('POST', `/${encodeURIComponent(name)}/_search`, JSON.stringify(body));
    requireWhole(reply, place, name);
    for (const hit of hitsOf(reply)) found.set(hit.id, hit);
  }
  return found;
}

const FETCHED = 500;
