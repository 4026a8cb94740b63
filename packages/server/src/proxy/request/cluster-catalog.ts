// Which indices and aliases are there in the cluster? Asked for callers that may not see all of them, and kept for a
// short while. Names that lead nowhere are looked for once more; what a name leads to is checked by its concrete name,
// so an alias that moves meanwhile opens nothing.

import type { AliasSpec, Engine, IndexInfo, JsonObject, JsonValue } from '@octavo/engine';
import { isObject } from '../../wire/router/json-body.ts';
import type { Cluster } from '../client/cluster.ts';
import { documentsElsewhere } from '../empty-engine.ts';

const FRESH_MS = 1_000;
const PATH = '/_all?expand_wildcards=all&flat_settings=true&ignore_unavailable=true';

/** The catalog of a cluster, as an engine that has its indices and nothing in them. */
export class ClusterCatalog {
  readonly #cluster: Cluster;
  #known: { readonly engine: Engine; readonly at: number } | undefined;
  #reading: Promise<Engine> | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Names, aliases, mappings and settings; `anew` looks again whatever is known. O(indices) when it looks. */
  async engine(anew = false): Promise<Engine> {
    const known = this.#known;
    if (!anew && known !== undefined && performance.now() - known.at < FRESH_MS) return known.engine;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return await this.#reading;
  }

  /** Something about indices may have changed. */
  forget(): void {
    this.#known = undefined;
  }

  async #read(): Promise<Engine> {
    const at = performance.now();
    const found = await this.#cluster.json({ method: 'GET', path: PATH, repeatable: true });
    const infos = new Map<string, IndexInfo>();
    for (const [name, each] of Object.entries(found)) {
      if (isObject(each)) infos.set(name, infoOf(name, each));
    }
    const engine = catalogEngine(infos);
    this.#known = { engine, at };
    return engine;
  }
}

/** An engine that knows indices by their names and holds no documents. */
export function catalogEngine(infos: ReadonlyMap<string, IndexInfo>): Engine {
  const nothing = documentsElsewhere();
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
    // The cluster marks an index when it closes it, and takes the mark away when it opens it.
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
