// What was deleted meanwhile? Octavo tells it as events; of other sources only a comparison of both sides shows it.

import { Failure } from '../failure.ts';
import { reasonOf } from '../io/http.ts';
import type { Place } from './place.ts';
import type { Gone } from './write.ts';

/** What was deleted, by collection. */
export interface Deletions {
  readonly gone: ReadonlyMap<string, readonly Gone[]>;
  readonly next: string;
  readonly more: boolean;
  /** True where some were forgotten before they were read, or are told without a version: only a comparison finds these. */
  readonly lost: boolean;
}

const PATH = '/api/events?format=json&types=document.deleted&limit=1000';

/** Where events go on from now; undefined where the source tells of none. */
export async function newestEvent(source: Place): Promise<string | undefined> {
  if (source.kind !== 'octavo') return undefined;
  const answer = await source.send('GET', PATH);
  if (answer.status === 404) return undefined;
  if (answer.status >= 400)
    throw new Failure(
      `${source.name} does not tell what is deleted: ${reasonOf(answer)}. The key needs the scopes events:read and search:read.`,
    );
  return (JSON.parse(answer.body.toString('utf8')) as { next: string }).next;
}

/** The next ones after a position. */
export async function deletionsAfter(source: Place, after: string): Promise<Deletions> {
  const answer = await source.send('GET', `${PATH}&after=${encodeURIComponent(after)}`);
  if (answer.status === 410 || answer.body.includes('events-lost')) {
    const next = (await newestEvent(source)) ?? after;
    return { gone: new Map(), next, more: false, lost: true };
  }
  if (answer.status >= 400)
    throw new Failure(`${source.name} does not tell what is deleted: ${reasonOf(answer)}`);
  const { events, next, more } = JSON.parse(answer.body.toString('utf8')) as {
    events: { data: { index: string; id: string; version?: number } }[];
    next: string;
    more: boolean;
  };
  const gone = new Map<string, Gone[]>();
  let lost = false;
  for (const { data } of events) {
    // It may have come back in the meantime, and nobody could tell which is newer.
    if (data.version === undefined) {
      lost = true;
      continue;
    }
    const list = gone.get(data.index) ?? [];
    list.push({ id: data.id, version: data.version });
    gone.set(data.index, list);
  }
  return { gone, next, more, lost };
}
