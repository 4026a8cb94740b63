// What was deleted meanwhile? Octavo tells it as events; of other sources only a comparison of both sides shows it.

import { Failure } from '../failure.ts';
import { refusalReason } from '../io/http-client.ts';
import type { Deletion } from './bulk-writes.ts';
import type { Endpoint } from './endpoint.ts';

/** What was deleted, by collection. */
export interface Deletions {
  readonly byCollection: ReadonlyMap<string, readonly Deletion[]>;
  readonly next: string;
  readonly more: boolean;
  /** True where some were forgotten before they were read, or are told without a version: only a comparison finds these. */
  readonly hasGaps: boolean;
}

const PATH = '/api/events?format=json&types=document.deleted&limit=1000';

/** Where events go on from now; undefined where the source tells of none. */
export async function newestEventPosition(source: Endpoint): Promise<string | undefined> {
  if (source.kind !== 'octavo') return undefined;
  const answer = await source.send('GET', PATH);
  if (answer.status === 404) return undefined;
  if (answer.status >= 400)
    throw new Failure(
      `${source.name} does not tell what is deleted: ${refusalReason(answer)}. The key needs the scopes events:read and search:read.`,
    );
  return (JSON.parse(answer.body.toString('utf8')) as { next: string }).next;
}

/** The next ones after a position. */
export async function readDeletions(source: Endpoint, after: string): Promise<Deletions> {
  const answer = await source.send('GET', `${PATH}&after=${encodeURIComponent(after)}`);
  if (answer.status === 410 || answer.body.includes('events-lost')) {
    const next = (await newestEventPosition(source)) ?? after;
    return { byCollection: new Map(), next, more: false, hasGaps: true };
  }
  if (answer.status >= 400)
    throw new Failure(`${source.name} does not tell what is deleted: ${refusalReason(answer)}`);
  const { events, next, more } = JSON.parse(answer.body.toString('utf8')) as {
    events: { data: { index: string; id: string; version?: number } }[];
    next: string;
    more: boolean;
  };
  const byCollection = new Map<string, Deletion[]>();
  let hasGaps = false;
  for (const { data } of events) {
    // It may have come back in the meantime, and nobody could tell which is newer.
    if (data.version === undefined) {
      hasGaps = true;
      continue;
    }
    const list = byCollection.get(data.index) ?? [];
    list.push({ id: data.id, version: data.version });
    byCollection.set(data.index, list);
  }
  return { byCollection, next, more, hasGaps };
}
