// Empties the server before each test: deletes whatever the previous test may have created.

import type { Client } from './client.ts';
import { ServerGone } from './failed.ts';
import { type Value, writeJson } from './values.ts';

/** The APIs called since the last cleaning; undefined if anything may exist. */
export type UsedApis = ReadonlySet<string> | undefined;

export function usedApis(...sections: readonly (readonly Value[])[]): Set<string> {
  const used = new Set<string>();
  for (const step of sections.flat()) {
    const call = step instanceof Map ? step.get('do') : undefined;
    if (!(call instanceof Map)) continue;
    for (const [name, args] of call) {
      used.add(name);
      if (args instanceof Map && args.has('scroll')) used.add('scroll');
    }
  }
  return used;
}

const LEFTOVERS: readonly [api: string, method: string, target: string][] = [
  ['create_pit', 'DELETE', '/_search/point_in_time/_all'],
  ['scroll', 'DELETE', '/_search/scroll/_all'],
  ['indices.create_data_stream', 'DELETE', '/_data_stream/*'],
  ['indices.put_template', 'DELETE', '/_template/*'],
  ['indices.put_index_template', 'DELETE', '/_index_template/*'],
  ['cluster.put_component_template', 'DELETE', '/_component_template/*'],
];

export async function cleanServer(client: Client, used: UsedApis): Promise<void> {
  const may = (api: string): boolean => used === undefined || used.has(api);
  const quiet = async (method: string, target: string, body?: string): Promise<Value> => {
    try {
      const answer = await client.send(method, target, body);
      return answer.status < 300 ? answer.body : null;
    } catch (error) {
      if (error instanceof ServerGone) throw error;
      return null;
    }
  };
  for (const [api, method, target] of LEFTOVERS.slice(0, 3)) if (may(api)) await quiet(method, target);
  const wiped = await quiet('DELETE', '/*?expand_wildcards=open,closed,hidden&ignore_unavailable=true');
  if (wiped === null) {
    const rows = await quiet('GET', '/_cat/indices?h=index&format=json&expand_wildcards=all');
    for (const row of Array.isArray(rows) ? rows : []) {
      const name = row instanceof Map ? row.get('index') : undefined;
      if (typeof name === 'string' && !name.startsWith('.'))
        await quiet('DELETE', `/${encodeURIComponent(name)}`);
    }
  }
  for (const [api, method, target] of LEFTOVERS.slice(3)) if (may(api)) await quiet(method, target);
  if (may('cluster.put_settings')) {
    const now = await quiet('GET', '/_cluster/settings?flat_settings=true');
    const reset = new Map<string, Value>();
    for (const kind of ['persistent', 'transient']) {
      const set = now instanceof Map ? now.get(kind) : undefined;
      if (set instanceof Map && set.size > 0) reset.set(kind, new Map([['*', null]]));
    }
    if (reset.size > 0) await quiet('PUT', '/_cluster/settings', writeJson(reset));
  }
}
