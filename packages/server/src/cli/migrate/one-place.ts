// Do two addresses lead to one place? A server has many names (localhost, 127.0.0.1, that of a proxy), a cluster many nodes:
// both tell which nodes they are.

import { parseJson } from '@octavo/engine';
import { isObject } from '../../json/json-body.ts';
import type { Place } from './place.ts';

/** True where both have a node in common; false where one does not tell. */
export async function isOnePlace(a: Place, b: Place): Promise<boolean> {
  const [some, others] = await Promise.all([nodesOf(a), nodesOf(b)]);
  return some.some((id) => others.includes(id));
}

/** Ids of nodes: each is given once in the world. */
async function nodesOf(place: Place): Promise<string[]> {
  const { status, body } = await place.send('GET', '/_nodes/_all/http?filter_path=nodes.*.name');
  if (status !== 200) return [];
  const answer = parseJson(body);
  const nodes = isObject(answer) ? answer['nodes'] : undefined;
  return isObject(nodes) ? Object.keys(nodes) : [];
}
