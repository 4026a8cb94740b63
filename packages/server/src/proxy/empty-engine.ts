// What is the engine of a server whose documents are in a cluster? One that holds nothing: no indices, no commits, and
// settings that last as long as the process where there is no directory beside the records. Whoever asks it for documents has taken a wrong turn, and is told.

import {
  type ChangeBatch,
  type Engine,
  EngineError,
  type Indices,
  type JsonValue,
  type OpenSettings,
  type Settings,
} from '@octavo/engine';

/** The engine of a server that keeps no documents. Its settings last where it has a directory; closing it closes them. */
export function documentsElsewhere(kept?: OpenSettings): Engine {
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
  };
  const nothing: ChangeBatch = { changes: [], next: { commit: 0 }, more: false, completeFrom: 0 };
  return {
    indices,
    settings: kept?.settings ?? passingSettings(),
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
    close: async () => kept?.close(),
  };
}

/** The refusal of what is there only where the documents are here. */
export function notOnCluster(what: string, instead?: string): EngineError {
  const hint = instead === undefined ? '' : `; ${instead}`;
  return new EngineError(
    'not_on_cluster_exception',
    `${what} cannot be had from the cluster that holds the documents${hint} (see docs/cluster.md)`,
  );
}

function refuse(): never {
  throw notOnCluster('this');
}

async function refuseLater(): Promise<never> {
  throw notOnCluster('this');
}

function passingSettings(): Settings {
  const kinds = new Map<string, Map<string, JsonValue>>();
  const of = (kind: string): Map<string, JsonValue> => {
    let known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, (known = new Map()));
    return known;
  };
  return {
    get: (kind, name) => kinds.get(kind)?.get(name),
    list: (kind) => of(kind),
    async put(kind, name, value) {
      of(kind).set(name, value);
    },
    remove: async (kind, name) => of(kind).delete(name),
  };
}
