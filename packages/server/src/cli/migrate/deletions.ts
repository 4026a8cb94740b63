// Deletions during a move. Octavo reports them as events; for other sources only a comparison finds them.

import { Failure } from '../failure.ts';
import { refusalReason } from '../io/http-client.ts';
import type { Deletion } from './bulk-writes.ts';
import type { Endpoint } from './endpoint.ts';

export interface Deletions {
  readonly byIndex: ReadonlyMap<string, readonly Deletion[]>;
  readonly next: string;
  readonly more: boolean;
  /**
   * True if deletions expired before they were read, or came without a version: only a comparison finds
   * these.
   */
  readonly hasGaps: boolean;
}

const PATH = '/api/events?format=json&types=document.deleted&limit=1000';

/** The present end of the event stream; undefined if the source has no events. */
export async function newestEventPosition(source: Endpoint): Promise<string | undefined> {
  if (source.kind !== 'octavo') return undefined;
  const answer = await source.send('GET', PATH);
  if (answer.status === 404) return undefined;
  if (answer.status >= 400)
    throw new Failure(
      `${source.name} does not report deletions: ${refusalReason(answer)}. The key needs the scopes events:read and search:read.`,
    );
  return (JSON.parse(answer.body.toString('utf8')) as { next: string }).next;
}

/** Reads the deletions after a position. */
export async function readDeletions(source: Endpoint, after: string): Promise<Deletions> {
  const answer = await source.send('GET', `${PATH}&after=${encodeURIComponent(after)}`);
  if (answer.status === 410 || answer.body.includes('events-lost')) {
    const next = (await newestEventPosition(source)) ?? after;
    return { byIndex: new Map(), next, more: false, hasGaps: true };
  }
  if (answer.status >= 400)
    throw new Failure(`${source.name} does not report deletions: ${refusalReason(answer)}`);
  const { items, next, more } = JSON.parse(answer.body.toString('utf8')) as {
    items: { data: { index: string; id: string; version?: number } }[];
    next: string;
    more: boolean;
  };
  const byIndex = new Map<string, Deletion[]>();
  let hasGaps = false;
  for (const { data } of items) {
    // The document may have been recreated, and nothing says which is newer.
    if (data.version === undefined) {
      hasGaps = true;
      continue;
    }
    const list = byIndex.get(data.index) ?? [];
    list.push({ id: data.id, version: data.version });
    byIndex.set(data.index, list);
  }
  return { byIndex, next, more, hasGaps };
}
