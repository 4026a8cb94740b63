// The engine of a server whose documents are in a cluster: no indices, no commits, and refusals for
// everything else. Its settings are stored if there is a data directory, else they live in memory.

import {
  type ChangeBatch,
  type Engine,
  EngineError,
  type Indices,
  type JsonValue,
  type OpenSettings,
  type Settings,
} from '@octavo/engine';

/** Creates an engine without documents. `stored` has its settings; closing the engine closes them. */
export function createEmptyEngine(stored?: OpenSettings): Engine {
  const indices: Indices = {
    names: () => [],
    info: () => undefined,
    stats: refuse,
    create: refuseLater,
    delete: refuseLater,
    putMapping: refuseLater,
    putSettings: refuseLater,
    updateAliases: refuseLater,
    setState: refuseLater,
    refresh: refuseLater,
    flush: refuseLater,
    forceMerge: refuseLater,
    analyze: refuse,
    termVectors: refuse,
  };
  const nothing: ChangeBatch = { changes: [], next: { commit: 0 }, more: false, completeFrom: 0 };
  return {
    indices,
    settings: stored?.settings ?? createMemorySettings(),
    write: refuseLater,
    get: refuse,
    search: refuseLater,
    searchPage: () => refuse(),
    count: refuseLater,
    snapshot: () => 0,
    changes: async () => nothing,
    onCommit: () => () => {},
    openLease: refuse,
    lease: () => undefined,
    closeLease: () => false,
    leases: () => [],
    verify: refuseLater,
    copy: refuseLater,
    close: async () => stored?.close(),
  };
}

/** The error for what only the embedded store can do. */
export function notOnCluster(what: string, instead?: string): EngineError {
  const hint = instead === undefined ? '' : `; ${instead}`;
  return new EngineError(
    'not_on_cluster_exception',
    `${what} is not supported while the documents are in a cluster${hint} (see docs/cluster.md)`,
  );
}

function refuse(): never {
  throw notOnCluster('this');
}

async function refuseLater(): Promise<never> {
  throw notOnCluster('this');
}

function createMemorySettings(): Settings {
  const kinds = new Map<string, Map<string, JsonValue>>();
  const of = (kind: string): Map<string, JsonValue> => {
    let values = kinds.get(kind);
    if (values === undefined) kinds.set(kind, (values = new Map()));
    return values;
  };
  return {
    get: (kind, name) => kinds.get(kind)?.get(name),
    list: (kind) => of(kind),
    async put(kind, name, value) {
      of(kind).set(name, value);
    },
    remove: async (kind, names) => names.filter((name) => of(kind).delete(name)).length > 0,
  };
}
