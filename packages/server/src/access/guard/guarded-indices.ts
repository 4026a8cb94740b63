// The indices of an engine as one caller may use them. Wildcards expand to allowed indices only; a forbidden
// name is 403 whether it exists or not.

import { type Engine, EngineError, type IndexStats, type Indices, type Settings } from '@octavo/engine';
import type { Action, CallerRules } from './caller-rules.ts';

/** `counts` are the numbers of visible documents, for a caller with a filter. */
export function guardedIndices(
  engine: Engine,
  rules: CallerRules,
  counts: ReadonlyMap<string, number> | undefined,
): Indices {
  const { indices } = engine;
  const administer = (names: readonly string[], action: Action): void => {
    for (const name of names) rules.requireIndex(name, action);
    rules.require('admin', action, names.join(','));
  };
  return {
    names: () =>
      rules.allIndices ? indices.names() : indices.names().filter((name) => rules.allowsIndex(name)),
    info(name) {
      if (rules.allowsIndex(name)) return indices.info(name);
      // Date math and aliases are not index names: the index they resolve to is checked under its own name.
      if (name.startsWith('<') || isVisibleAlias(engine, rules, name)) return undefined;
      throw rules.refusal('indices:admin/get', name);
    },
    stats(name) {
      rules.require('read', 'indices:monitor/stats', name);
      rules.requireIndex(name, 'indices:monitor/stats');
      if (rules.principal.documentFilter === undefined) return indices.stats(name);
      return { ...NO_FIGURES, docCount: counts?.get(name) ?? 0 };
    },
    async create(name, body) {
      administer([name, ...Object.keys(body.aliases ?? {})], 'indices:admin/create');
      return await indices.create(name, body);
    },
    async delete(names) {
      administer(names, 'indices:admin/delete');
      await indices.delete(names);
    },
    async putMapping(names, mappings) {
      administer(names, 'indices:admin/mapping/put');
      await indices.putMapping(names, mappings);
    },
    async putSettings(changes) {
      administer(Object.keys(changes), 'indices:admin/settings/update');
      await indices.putSettings(changes);
    },
    async updateAliases(actions) {
      for (const action of actions) {
        if ('add' in action) administer([action.add.index, action.add.alias], 'indices:admin/aliases');
        else if ('remove' in action) administer([action.remove.index], 'indices:admin/aliases');
        else administer([action.removeIndex.index], 'indices:admin/delete');
      }
      await indices.updateAliases(actions);
    },
    async setState(names, state) {
      administer(names, 'indices:admin/close');
      await indices.setState(names, state);
    },
    async refresh(names) {
      rules.require('read', 'indices:admin/refresh');
      for (const name of names) rules.requireIndex(name, 'indices:admin/refresh');
      await indices.refresh(names);
    },
    async flush(names) {
      administer(names, 'indices:admin/flush');
      await indices.flush(names);
    },
    async forceMerge(names, maxSegments) {
      administer(names, 'indices:admin/forcemerge');
      await indices.forceMerge(names, maxSegments);
    },
    analyze(index, body) {
      rules.require('read', 'indices:admin/get', index);
      if (index !== undefined) rules.requireIndex(index, 'indices:admin/get');
      return indices.analyze(index, body);
    },
    termVectors(index, request) {
      const action = 'indices:data/read/termvectors';
      rules.require('read', action, index);
      rules.requireIndex(index, action);
      const usesFigures = request.termStatistics || request.fieldStatistics || request.filter !== undefined;
      if (usesFigures && rules.principal.documentFilter !== undefined) {
        const why =
          'it has a document filter, and statistics count documents that it does not see; ask for [field_statistics=false], without [term_statistics] and [filter]';
        throw rules.refusal(action, index, why);
      }
      return indices.termVectors(index, request);
    },
  };
}

/**
 * Templates and cluster settings: every searcher may read them, only callers with all rights may change them.
 */
export function guardedSettings(settings: Settings, rules: CallerRules): Settings {
  return {
    get: (kind, name) => settings.get(kind, name),
    list: (kind) => settings.list(kind),
    async put(kind, name, value) {
      rules.requireCluster('cluster:admin/settings/update');
      await settings.put(kind, name, value);
    },
    async remove(kind, names) {
      rules.requireCluster('cluster:admin/settings/update');
      return await settings.remove(kind, names);
    },
  };
}

const NO_FIGURES: IndexStats = {
  docCount: 0,
  deletedCount: 0,
  segments: 0,
  sourceBytes: 0,
  diskBytes: 0,
  memoryBytes: 0,
  leases: {},
};

/** True for an alias of an index that the caller may use. */
function isVisibleAlias({ indices }: Engine, rules: CallerRules, name: string): boolean {
  return indices
    .names()
    .some((each) => rules.allowsIndex(each) && Object.hasOwn(indices.info(each)?.aliases ?? {}, name));
}

/** The refusal of operations that are never allowed over HTTP. */
export function notForCallers(action: string): EngineError {
  return new EngineError('security_exception', `action [${action}] is not available over HTTP`);
}
