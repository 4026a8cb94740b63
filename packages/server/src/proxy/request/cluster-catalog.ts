// The indices and aliases of the cluster, for callers that may not see all of them. Cached for one second;
// unknown names are looked up again. Access is checked by concrete index names, so an alias that moves
// meanwhile grants nothing.

import {
  type AliasSpec,
  type Engine,
  type IndexInfo,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@octavo/engine';
import type { PeerCluster } from '../client/peer-cluster.ts';
import { createEmptyEngine } from '../empty-engine.ts';

const FRESH_MS = 1_000;
const PATH = '/_all?expand_wildcards=all&flat_settings=true&ignore_unavailable=true';

/** The catalog of a cluster, as an engine with indices and no documents. */
export class ClusterCatalog {
  readonly #cluster: PeerCluster;
  #cached: { readonly engine: Engine; readonly at: number } | undefined;
  #reading: Promise<Engine> | undefined;

  constructor(cluster: PeerCluster) {
    this.#cluster = cluster;
  }

  /** Names, aliases, mappings and settings. `anew` bypasses the cache. O(indices) per read. */
  async engine(anew = false): Promise<Engine> {
    const cached = this.#cached;
    if (!anew && cached !== undefined && performance.now() - cached.at < FRESH_MS) return cached.engine;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return await this.#reading;
  }

  /** Drops the cache: indices may have changed. */
  invalidate(): void {
    this.#cached = undefined;
  }

  async #read(): Promise<Engine> {
    const at = performance.now();
    const found = await this.#cluster.requestJson({ method: 'GET', path: PATH, repeatable: true });
    const infos = new Map<string, IndexInfo>();
    for (const [name, each] of Object.entries(found)) {
      if (isObject(each)) infos.set(name, infoOf(name, each));
    }
    const engine = createCatalogEngine(infos);
    this.#cached = { engine, at };
    return engine;
  }
}

/** An engine with the given indices and no documents. */
function createCatalogEngine(infos: ReadonlyMap<string, IndexInfo>): Engine {
  const nothing = createEmptyEngine();
  const names = [...infos.keys()].sort();
  return {
    ...nothing,
    indices: { ...nothing.indices, names: () => names, info: (name) => infos.get(name) },
  };
}

function infoOf(name: string, { aliases, mappings, settings }: JsonObject): IndexInfo {
  const flat = isObject(settings) ? settings : {};
  const text = (key: string): string => String(flat[key] ?? '');
  return {
    name,
    uuid: text('index.uuid'),
    createdAt: Number(text('index.creation_date')),
    // The cluster sets this mark when it closes an index, and removes it when it opens the index.
    state: flat['index.verified_before_close'] === 'true' ? 'close' : 'open',
    settings: Object.fromEntries(Object.entries(flat).map(([key, value]) => [key, settingText(value)])),
    mappings: isObject(mappings) ? mappings : {},
    aliases: Object.fromEntries(
      Object.entries(isObject(aliases) ? aliases : {}).map(([alias, spec]) => [alias, aliasOf(spec)]),
    ),
  };
}

function settingText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function aliasOf(value: JsonValue): AliasSpec {
  const spec = isObject(value) ? value : {};
  const { filter, index_routing: indexRouting, search_routing: searchRouting } = spec;
  return {
    ...(isObject(filter) ? { filter } : {}),
    ...(typeof indexRouting === 'string' ? { indexRouting } : {}),
    ...(typeof searchRouting === 'string' ? { searchRouting } : {}),
    ...(spec['is_write_index'] === true ? { isWriteIndex: true } : {}),
    ...(spec['is_hidden'] === true ? { isHidden: true } : {}),
  };
}
