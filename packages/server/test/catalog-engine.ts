// An engine that has a catalog and no documents: enough for the endpoints about indices, aliases and templates.

import { randomBytes } from 'node:crypto';
import {
  type AliasSpec,
  type Engine,
  EngineError,
  type IndexInfo,
  type Indices,
  type JsonObject,
  type JsonValue,
  type Settings,
} from '@octavo/engine';
import { mergeMappings } from '../src/wire/templates/apply.ts';

type Kept = { -readonly [K in keyof IndexInfo]: IndexInfo[K] };

/** The fake. Everything about documents throws. */
export function catalogEngine(): Engine {
  const indices = catalog();
  const settings = smallDocuments();
  const nothing = (): never => {
    throw new EngineError('unsupported_operation_exception', 'this engine has no documents');
  };
  return {
    indices,
    settings,
    write: nothing,
    get: nothing,
    search: nothing,
    count: nothing,
    snapshot: () => 0,
    openLease: nothing,
    lease: () => undefined,
    closeLease: () => false,
    leases: () => [],
    verify: async () => [],
    close: async () => {},
  } as unknown as Engine;
}

function catalog(): Indices {
  const all = new Map<string, Kept>();
  const need = (name: string): Kept => {
    const info = all.get(name);
    if (info === undefined) throw new EngineError('index_not_found_exception', `no such index [${name}]`);
    return info;
  };
  return {
    names: () => [...all.keys()],
    info: (name) => all.get(name),
    stats: () => ({
      docCount: 0,
      deletedCount: 0,
      segments: 0,
      sourceBytes: 0,
      diskBytes: 208,
      memoryBytes: 0,
    }),
    create: async (name, body) => {
      const mappings = body.mappings ?? {};
      refuseEmptyName(mappings);
      const info: Kept = {
        name,
        uuid: randomBytes(16).toString('base64url'),
        createdAt: Date.now(),
        state: 'open',
        settings: body.settings ?? {},
        mappings,
        aliases: body.aliases ?? {},
      };
      all.set(name, info);
      return info;
    },
    delete: async (names) => {
      for (const name of names) all.delete(name);
    },
    putMapping: async (name, mappings) => {
      refuseEmptyName(mappings);
      need(name).mappings = mergeMappings(need(name).mappings, mappings);
    },
    putSettings: async (name, changes) => {
      const next: Record<string, string> = { ...need(name).settings };
      for (const [key, value] of Object.entries(changes)) {
        if (value === null) delete next[key];
        else next[key] = value;
      }
      need(name).settings = next;
    },
    updateAliases: async (actions) => {
      for (const action of actions) if ('removeIndex' in action) all.delete(action.removeIndex.index);
      for (const action of actions) {
        if ('removeIndex' in action) continue;
        const { index, alias } = 'add' in action ? action.add : action.remove;
        const next: Record<string, AliasSpec> = { ...need(index).aliases };
        if ('add' in action) next[alias] = action.add.spec;
        else delete next[alias];
        need(index).aliases = next;
      }
    },
    setState: async (name, state) => {
      need(name).state = state;
    },
    refresh: async () => {},
    flush: async () => {},
    forceMerge: async () => {},
    analyze: () => ({ tokens: [] }),
  };
}

function refuseEmptyName(mappings: JsonObject): void {
  const properties = mappings['properties'];
  if (typeof properties === 'object' && properties !== null && '' in properties) {
    throw new EngineError('illegal_argument_exception', 'name cannot be empty string');
  }
}

function smallDocuments(): Settings {
  const kinds = new Map<string, Map<string, JsonValue>>();
  const kind = (name: string): Map<string, JsonValue> => {
    let found = kinds.get(name);
    if (found === undefined) kinds.set(name, (found = new Map()));
    return found;
  };
  return {
    get: (of, name) => kind(of).get(name),
    list: (of) => kind(of),
    put: async (of, name, value) => {
      kind(of).set(name, value);
    },
    remove: async (of, name) => kind(of).delete(name),
  };
}
