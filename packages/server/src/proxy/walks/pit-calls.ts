// Opens and closes points in time in the cluster, in the dialect of OpenSearch or Elasticsearch.

import { illegalArgument, type JsonObject, stringifyJson } from '@octavo/engine';
import type { Services } from '../../wire/router/route.ts';
import { parseAnswer } from '../client/node-answer.ts';
import { ClusterErrorAnswer, type PeerCluster } from '../client/peer-cluster.ts';
import type { NodeAnswer } from '../client/send.ts';

/** A point in time of the cluster. */
interface OpenedPit {
  readonly id: string;
  readonly answer: NodeAnswer;
}

/** Opens a point in time over indices, `_all` without a path. `query` has more parameters. */
export async function openPit(
  cluster: PeerCluster,
  path: string | undefined,
  keepAlive: string,
  query: Readonly<Record<string, string>> = {},
): Promise<OpenedPit> {
  const isElastic = (await cluster.product()).name === 'elasticsearch';
  const params = new URLSearchParams({ keep_alive: keepAlive, ...query });
  const answer = await cluster.request({
    method: 'POST',
    path: `/${path ?? '_all'}/${isElastic ? '_pit' : '_search/point_in_time'}?${params.toString()}`,
    // A second one that is never used expires by itself.
    repeatable: true,
  });
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const body = parseAnswer(answer.body) as JsonObject;
  return { id: String(body[isElastic ? 'id' : 'pit_id']), answer };
}

/** Closes points in time and says for each whether it existed. */
export async function closePits(cluster: PeerCluster, ids: readonly string[]): Promise<boolean[]> {
  const isElastic = (await cluster.product()).name === 'elasticsearch';
  const close = async (body: JsonObject): Promise<NodeAnswer> =>
    await cluster.request({
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
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const { pits } = parseAnswer(answer.body) as { pits?: { pit_id: string; successful: boolean }[] };
  return ids.map((id) => pits?.some((pit) => pit.pit_id === id && pit.successful) === true);
}

/** True for an answer that says that a point in time, or a shard copy it needs, is lost. */
export function isPitLost({ status, body }: NodeAnswer): boolean {
  if (status === 404) return body.includes('search_context_missing_exception');
  // Shard copies of a lost node are missing until others take over.
  return (
    status >= 500 &&
    /node_not_connected|node_disconnected|node_closed|no_shard_available|search_phase_execution|search_context_missing/.test(
      body.toString('utf8'),
    )
  );
}

/** Throws if a keep alive exceeds `keepAliveMaxMs`. */
export function checkPitKeepAlive(millis: number, { limits }: Pick<Services, 'limits'>): void {
  if (millis <= limits.keepAliveMaxMs) return;
  throw illegalArgument(
    `Keep alive for request (${millis}ms) is too large. It must be less than (${limits.keepAliveMaxMs}ms). ` +
      'This limit is keepAliveMaxMs; the cluster may have a lower one.',
  );
}
