// Reads documents to export in pages of `_id` order, from a server or a data directory. The order needs no
// context on the server, so an interrupted export continues after the last id it wrote.

import type { Engine, JsonObject, Lease } from '@octavo/engine';
import { Failure } from '../failure.ts';
import { type HttpClient, refusalReason } from './http-client.ts';
import { findMember, joinLines, type RawHit, readHits } from './raw-hits.ts';

/** Documents per page. */
export const PAGE = 1000;
const KEEP_ALIVE = '10m';
const KEEP_ALIVE_MS = 600_000;

export interface ExportSource {
  /** The number of matches; asked once, for the progress. */
  total(): Promise<number>;
  /** The documents after an id, or the first ones; empty at the end. */
  after(id: string | undefined): Promise<RawHit[]>;
  close(): Promise<void>;
}

/** From a server, under a point in time: concurrent changes are not visible. */
export async function openHttpSource(
  client: HttpClient,
  index: string,
  query: JsonObject,
): Promise<ExportSource> {
  const path = `/${encodeURIComponent(index)}`;
  const opened = await client.send('POST', `${path}/_search/point_in_time?keep_alive=${KEEP_ALIVE}`);
  if (opened.status >= 400) throw new Failure(`The server refused: ${refusalReason(opened)}`);
  const { pit_id: pit } = JSON.parse(opened.body.toString('utf8')) as { pit_id: string };
  return {
    async total() {
      const reply = await client.request('POST', `${path}/_count`, JSON.stringify({ query }));
      const found = findMember(reply, 0, 'count');
      return found === undefined ? 0 : Number(reply.toString('utf8', found.start, found.end));
    },
    async after(id) {
      const body = {
        query,
        size: PAGE,
        sort: [{ _id: 'asc' }],
        track_total_hits: false,
        pit: { id: pit, keep_alive: KEEP_ALIVE },
        ...(id === undefined ? {} : { search_after: [id] }),
      };
      return readHits(await client.request('POST', '/_search', JSON.stringify(body)));
    },
    async close() {
      await client
        .send('DELETE', '/_search/point_in_time', JSON.stringify({ pit_id: [pit] }))
        .catch(() => {});
      client.close();
    },
  };
}

/** From a data directory. Closes the engine at the end. */
export function openEngineSource(engine: Engine, index: string, query: JsonObject): ExportSource {
  const lease: Lease = engine.openLease({ kind: 'export', keepAliveMs: KEEP_ALIVE_MS });
  const now = Date.now();
  return {
    total: () => engine.count({ indices: [index], query, now }),
    async after(id) {
      if (engine.lease(lease.id, KEEP_ALIVE_MS) === undefined)
        throw new Failure('The exported snapshot has expired: a page took too long.');
      const result = await engine.search({
        indices: [index],
        query,
        size: PAGE,
        sort: [{ _id: 'asc' }],
        trackTotalHits: false,
        snapshot: lease.snapshot,
        now,
        ...(id === undefined ? {} : { searchAfter: [id] }),
      });
      return result.hits.map((hit) => ({
        index: hit.index,
        id: hit.id,
        source: joinLines(Buffer.from(hit.source.buffer, hit.source.byteOffset, hit.source.byteLength)),
      }));
    },
    async close() {
      engine.closeLease(lease.id);
      await engine.close();
    },
  };
}
