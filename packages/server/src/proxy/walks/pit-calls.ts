// How is a point in time opened and closed in the cluster? In the words of OpenSearch or of Elasticsearch, whichever it is.

import { illegalArgument, type JsonObject, stringifyJson } from '@octavo/engine';
import type { Services } from '../../wire/router/route.ts';
import { type Cluster, ClusterAnswered } from '../client/cluster.ts';
import { readAnswer } from '../client/node-answer.ts';
import type { NodeAnswer } from '../client/send.ts';

/** A point in time as the cluster has it. */
export interface OpenedPit {
  readonly id: string;
  /** The whole answer. */
  readonly answer: NodeAnswer;
}

/** Opens one over indices, `_all` where there is no path. `query` has more parameters. */
export async function openPit(
  cluster: Cluster,
  path: string | undefined,
  keepAlive: string,
  query: Readonly<Record<string, string>> = {},
): Promise<OpenedPit> {
  const isElastic = (await cluster.product()).name === 'elasticsearch';
  const params = new URLSearchParams({ keep_alive: keepAlive, ...query });
  const answer = await cluster.ask({
    method: 'POST',
    path: `/${path ?? '_all'}/${isElastic ? '_pit' : '_search/point_in_time'}?${params.toString()}`,
    // One that is opened twice and never used runs out by itself.
    repeatable: true,
  });
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const body = readAnswer(answer.body) as JsonObject;
  return { id: String(body[isElastic ? 'id' : 'pit_id']), answer };
}

/** Closes some; says of each whether it was there. */
export async function closePits(cluster: Cluster, ids: readonly string[]): Promise<boolean[]> {
  const isElastic = (await cluster.product()).name === 'elasticsearch';
  const close = async (body: JsonObject): Promise<NodeAnswer> =>
    await cluster.ask({
      method: 'DELETE',
      path: isElastic ? '/_pit' : '/_search/point_in_time',
      body: Buffer.from(stringifyJson(body), 'utf8'),
      repeatable: true,
    });
  if (isElastic) {
    const answers = await Promise.all(ids.map((id) => close({ id })));
    return answers.map((answer) => answer.status < 400);
  }
  const answer = await close({ pit_id: [...ids] });
  if (answer.status === 404) return ids.map(() => false);
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const { pits } = readAnswer(answer.body) as { pits?: { pit_id: string; successful: boolean }[] };
  return ids.map((id) => pits?.some((pit) => pit.pit_id === id && pit.successful) === true);
}

/** True for an answer that says that a point in time, or a copy that it stood on, is gone. */
export function hasLost({ status, body }: NodeAnswer): boolean {
  if (status === 404) return body.includes('search_context_missing_exception');
  // Where a node went away, its copies are missing until others have taken over.
  return (
    status >= 500 &&
    /node_not_connected|node_disconnected|node_closed|no_shard_available|search_phase_execution|search_context_missing/.test(
      body.toString('utf8'),
    )
  );
}

/** Throws where a life is asked for that is longer than `keepAliveMaxMs`. */
export function checkLife(millis: number, { limits }: Pick<Services, 'limits'>): void {
  if (millis <= limits.keepAliveMaxMs) return;
  throw illegalArgument(
    `Keep alive for request (${millis}ms) is too large. It must be less than (${limits.keepAliveMaxMs}ms). ` +
      'This limit is keepAliveMaxMs; the cluster may have a lower one.',
  );
}
