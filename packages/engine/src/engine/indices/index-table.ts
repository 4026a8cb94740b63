// All indices by name, and the operations on whole indices. Each change is one catalog commit; the run-time
// state follows it. Changes run one after the other, so that two never start from the same state.

import { randomBytes } from 'node:crypto';
import { analyzeRequest } from '../../analysis/analyze.ts';
import { buildAnalysis, buildAnalysisSteps } from '../../analysis/registry.ts';
import type { AliasSpec, FieldTerms, IndexInfo, IndexStats, Indices, TermVectorsRequest } from '../../api.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogChange } from '../../catalog/manifest-format.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { type MappingLimits, mappingLimits } from '../../mapping/definition/mapping-limits.ts';
import { mergeMapping, parseMappingSteps, rereadMapping } from '../../mapping/index-mapping.ts';
import { refuseMetadata } from '../../mapping/refused-mappings.ts';
import { termVectors } from '../../query/term-vectors.ts';
import { nextTurn, startSliced } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { Maintenance } from '../../write/maintenance/maintenance.ts';
import { isBlocked, refuseBlocked, refuseSettings } from './index-blocks.ts';
import {
  decodeIndex,
  encodeIndex,
  hasManualRefresh,
  type IndexRecord,
  PRESET_SETTINGS,
} from './index-codec.ts';
import { indexInfo } from './index-info.ts';
import { changeMappings, sealOldMapping } from './mapping-changes.ts';
import { SourceBytes } from './source-bytes.ts';

type AliasAction = Parameters<Indices['updateAliases']>[0][number];

/** What the indices need of the engine. */
interface IndexTableEnvironment {
  readonly catalog: Catalog;
  readonly maintenance: Maintenance;
  readonly published: () => number;
  /** Default limits of mappings. */
  readonly mappingLimits: MappingLimits;
  /** Characters of one text that a request has analyzed. */
  readonly maxTextLength: () => number;
  /** Bytes in log files per byte of source. */
  readonly storedShare: () => number;
  readonly now: () => number;
  /** Resolves when every write queued before the call is published. */
  readonly awaitWrites: () => Promise<void>;
  /** Publishes a commit without documents. */
  readonly commitEmpty: () => Promise<unknown>;
  /** The oldest snapshot that a lease holds; infinity if there is none. */
  readonly oldestLease: () => number;
  /** Open leases for an index, by kind. */
  readonly countLeases: (index: string) => Readonly<Record<string, number>>;
  /** Frees the memory, files and leases of a deleted index. */
  readonly releaseIndex: (state: IndexState) => Promise<void>;
  /** Called after each change, before its caller is answered. */
  readonly onChange: () => void;
}

/** New settings of an index, checked and not yet saved. */
interface ChangedSettings {
  readonly state: IndexState;
  readonly next: Record<string, string>;
  readonly analysis: IndexState['analysis'];
  /** If the mapping has to be read again. */
  readonly mappingLimits: MappingLimits | undefined;
}

/** All indices of an engine, by concrete name. */
export class IndexTable implements Indices {
  readonly #env: IndexTableEnvironment;
  readonly byName: Map<string, IndexState>;
  #nextNumber: number;
  /** Indices that the next commit refreshes. */
  readonly #toRefresh = new Set<IndexState>();
  readonly #sourceBytes = new SourceBytes();
  #chain: Promise<unknown> = Promise.resolve();

  constructor(env: IndexTableEnvironment, states: Iterable<IndexState>, nextNumber: number) {
    this.#env = env;
    this.#nextNumber = nextNumber;
    this.byName = new Map([...states].map((state) => [state.info.name, state]));
  }

  /** Names by number. O(indices). */
  numbered(): ReadonlyMap<number, string> {
    return new Map([...this.byName.values()].map((state) => [state.number, state.info.name]));
  }

  names(): string[] {
    return [...this.byName.keys()].sort();
  }

  info(name: string): IndexInfo | undefined {
    const state = this.byName.get(name);
    return state && indexInfo(state);
  }

  /** The index with this name; throws the peer's 404 if there is none. */
  state(name: string): IndexState {
    const state = this.byName.get(name);
    if (state === undefined) throw indexNotFound(name);
    return state;
  }

  /**
   * The index that a write to this name goes to: an index, or the write index of an alias; undefined if
   * unknown.
   */
  writeTarget(name: string): IndexState | undefined {
    const direct = this.byName.get(name);
    if (direct !== undefined) return direct;
    const holders = [...this.byName.values()].filter((state) => Object.hasOwn(state.info.aliases, name));
    if (holders.length === 0) return undefined;
    const writers = holders.filter((state) => state.info.aliases[name]!.isWriteIndex === true);
    if (writers.length === 1) return writers[0];
    if (holders.length === 1 && holders[0]!.info.aliases[name]!.isWriteIndex !== false) return holders[0];
    throw illegalArgument(
      `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
    );
  }

  isAlias(name: string): boolean {
    return [...this.byName.values()].some((state) => Object.hasOwn(state.info.aliases, name));
  }

  stats(name: string): IndexStats {
    const state = this.state(name);
    const snapshot = state.visibleCommit(this.#env.published());
    let docCount = 0;
    let all = 0;
    let segments = 0;
    let sourceBytes = 0;
    for (const { docs, deaths } of state.ranges()) {
      const count = docs.countAt(snapshot);
      if (count > 0) segments++;
      all += count;
      docCount += count - deaths.countAt(snapshot);
      sourceBytes += this.#sourceBytes.ofFirst(docs, count);
    }
    const segmentBytes = state.segments.reduce((sum, entry) => sum + entry.meta.bytes, 0);
    const tailBytes = state.tails.reduce((sum, tail) => sum + tail.bytes, 0);
    return {
      docCount,
      deletedCount: all - docCount,
      segments,
      sourceBytes,
      diskBytes: segmentBytes + Math.round(sourceBytes * this.#env.storedShare()),
      memoryBytes: segmentBytes + tailBytes,
      leases: this.#env.countLeases(name),
    };
  }

  create(name: string, body: Parameters<Indices['create']>[1]): Promise<IndexInfo> {
    return this.#exclusively(async () => {
      const existing = this.byName.get(name);
      if (existing !== undefined) {
        throw new EngineError(
          'resource_already_exists_exception',
          `index [${name}/${existing.info.uuid}] already exists`,
          {
            details: { index: name, index_uuid: existing.info.uuid },
          },
        );
      }
      if (this.isAlias(name)) {
        throw new EngineError(
          'invalid_index_name_exception',
          `Invalid index name [${name}], already exists as alias`,
          { details: { index: name } },
        );
      }
      const uuid = randomBytes(16).toString('base64url');
      const createdAt = this.#env.now();
      const settings: Record<string, string> = {
        ...PRESET_SETTINGS,
        'index.replication.type': 'DOCUMENT',
        'index.provided_name': name,
        ...body.settings,
        'index.creation_date': String(createdAt),
        'index.uuid': uuid,
        'index.version.created': '137227827',
      };
      const record: IndexRecord = {
        name,
        uuid,
        createdAt,
        state: 'open',
        settings,
        aliases: body.aliases ?? {},
      };
      for (const alias of Object.keys(record.aliases)) this.#checkAlias(alias, name);
      const number = this.#nextNumber;
      const reading = { limits: this.#env.mappingLimits, isKept: false };
      const analysis = await startSliced(buildAnalysisSteps(settings));
      const published = this.#env.published();
      const state = await startSliced(
        decodeIndex(number, record, body.mappings ?? {}, published, reading, analysis),
      );
      refuseMetadata(state.mapping);
      const mapping = state.mapping.toJson();
      await nextTurn();
      await this.#env.catalog.commit([
        { put: ['index', String(number), encodeIndex(state.info)] },
        { put: ['mapping', String(number), mapping] },
        { put: ['engine', 'nextIndex', number + 1] },
      ]);
      this.#nextNumber = number + 1;
      this.byName.set(name, state);
      return this.info(name)!;
    });
  }

  delete(names: readonly string[]): Promise<void> {
    return this.#exclusively(async () => {
      const states = names.map((name) => this.state(name));
      for (const { info } of states) refuseBlocked(info, 'delete');
      await this.#commitWithout(states, []);
      for (const state of states) await this.#env.releaseIndex(state);
    });
  }

  /** Commits changes and removes indices from the catalog. No write comes between the last that is awaited and the removal. */
  async #commitWithout(states: readonly IndexState[], changes: readonly CatalogChange[]): Promise<void> {
    for (const state of states) this.byName.delete(state.info.name);
    try {
      if (states.length > 0) await this.#env.awaitWrites();
      await this.#env.catalog.commit([...changes, ...states.flatMap(removal)]);
    } catch (error) {
      for (const state of states) this.byName.set(state.info.name, state);
      throw error;
    }
  }

  async putMapping(names: readonly string[], mappings: JsonObject): Promise<void> {
    const changed = await this.#exclusively(async () => {
      const states = names.map((name) => this.state(name));
      // Dynamic fields arrive with writes: start from the mapping they made.
      await this.#env.awaitWrites();
      return await changeMappings(this.#env.catalog, states, function* (current) {
        const merged = yield* mergeMapping(current, mappings);
        refuseMetadata(merged, current);
        return merged;
      });
    });
    for (const state of changed) await sealOldMapping(this.#env.maintenance, state);
  }

  putSettings(changes: Readonly<Record<string, Record<string, string | null>>>): Promise<void> {
    return this.#exclusively(async () => {
      const changed: ChangedSettings[] = [];
      for (const [name, settings] of Object.entries(changes))
        changed.push(await startSliced(this.#nextSettings(this.state(name), settings)));
      await this.#change(changed.map(({ state, next }) => [state, { settings: next }]));
      // Writes accepted before a block are visible when the block is acknowledged.
      if (changed.some(({ state }) => isBlocked(state.info, 'write'))) await this.#env.awaitWrites();
      for (const one of changed) await this.#applySettings(one);
    });
  }

  /** Throws if a setting is refused. */
  *#nextSettings(
    state: IndexState,
    settings: Record<string, string | null>,
  ): Generator<void, ChangedSettings, undefined> {
    refuseSettings(state.info, settings);
    const next: Record<string, string> = { ...state.info.settings };
    for (const [key, value] of Object.entries(settings)) {
      if (value === null) delete next[key];
      else next[key] = value;
    }
    const analysis = yield* buildAnalysisSteps(next);
    const isOfMapping = Object.keys(settings).some((key) =>
      /^index\.(?:analysis|mapping|similarity)/.test(key),
    );
    const limits = mappingLimits(next, this.#env.mappingLimits);
    if (isOfMapping) yield* parseMappingSteps(state.mapping.toJson(), analysis, { limits });
    return { state, next, analysis, mappingLimits: isOfMapping ? limits : undefined };
  }

  async #applySettings({ state, next, analysis, mappingLimits }: ChangedSettings): Promise<void> {
    state.analysis = analysis;
    if (mappingLimits !== undefined) {
      state.reparseMappings((mapping) => rereadMapping(mapping, analysis, mappingLimits));
      await sealOldMapping(this.#env.maintenance, state);
    }
    const isManual = hasManualRefresh(next);
    if (isManual && !state.refreshes.isManual)
      state.refreshes.record(this.#env.published(), 'refreshed', this.#env.oldestLease());
    if (!isManual && state.refreshes.isManual) await this.#refresh([state]);
  }

  updateAliases(actions: readonly AliasAction[]): Promise<void> {
    return this.#exclusively(async () => {
      const aliases = new Map<IndexState, Record<string, AliasSpec>>();
      const removed = new Set<IndexState>();
      const of = (name: string): Record<string, AliasSpec> => {
        const state = this.state(name);
        refuseBlocked(state.info, 'change');
        if (!aliases.has(state)) aliases.set(state, { ...state.info.aliases });
        return aliases.get(state)!;
      };
      for (const action of actions)
        if ('removeIndex' in action) removed.add(this.state(action.removeIndex.index));
      for (const { info } of removed) refuseBlocked(info, 'change');
      for (const action of actions) {
        if ('add' in action) {
          this.#checkAlias(action.add.alias, action.add.index, removed);
          of(action.add.index)[action.add.alias] = action.add.spec;
        } else if ('remove' in action) delete of(action.remove.index)[action.remove.alias];
      }
      this.#checkWriteIndices(aliases);
      // The checks of 10,000 actions take a turn, and saving them another one.
      await nextTurn();
      const changes = Array.from(aliases, ([state, map]) => ({
        put: ['index', String(state.number), encodeIndex({ ...state.info, aliases: map })] as const,
      }));
      await this.#commitWithout([...removed], changes);
      for (const [state, map] of aliases) state.info = { ...state.info, aliases: map };
      for (const state of removed) await this.#env.releaseIndex(state);
    });
  }

  setState(names: readonly string[], open: 'open' | 'close'): Promise<void> {
    return this.#exclusively(async () => {
      const states = names.map((name) => this.state(name));
      for (const { info } of states) refuseBlocked(info, 'change');
      await this.#change(states.map((state) => [state, { state: open }]));
    });
  }

  async refresh(names: readonly string[]): Promise<void> {
    const published = this.#env.published();
    const behind = names
      .map((name) => this.state(name))
      .filter((state) => state.refreshes.hasUnrefreshed(published));
    if (behind.length > 0) await this.#refresh(behind);
  }

  async flush(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#env.maintenance.flush(this.state(name));
  }

  async forceMerge(names: readonly string[], maxSegments: number): Promise<void> {
    if (!(maxSegments >= 1))
      throw illegalArgument(`max_num_segments must be at least 1, got [${maxSegments}]`);
    for (const name of names) await this.#env.maintenance.forceMerge(this.state(name), maxSegments);
  }

  *analyze(index: string | undefined, body: JsonObject): Generator<void, JsonObject, undefined> {
    const state = index === undefined ? undefined : this.state(index);
    const analysis = state?.analysis ?? buildAnalysis({});
    return yield* analyzeRequest(analysis, state?.mapping, body, this.#env.maxTextLength());
  }

  termVectors(index: string, request: TermVectorsRequest): ReadonlyMap<string, FieldTerms> {
    const state = this.state(index);
    const { mapping, analysis } = state;
    const leaves = state.leavesAt(state.visibleCommit(this.#env.published()));
    return termVectors({ mapping, analysis, leaves }, request, this.#env.maxTextLength());
  }

  /** Called with every published commit, before a snapshot of it can be taken. */
  publish(commit: number): void {
    for (const state of this.#toRefresh) this.#recordRefresh(state, commit);
    this.#toRefresh.clear();
  }

  /**
   * Refreshes indices with a commit of its own: a lease taken before, on the newest commit, must not have the
   * same number as one taken afterwards, which sees more.
   */
  async #refresh(states: readonly IndexState[]): Promise<void> {
    for (const state of states) this.#toRefresh.add(state);
    await this.#env.commitEmpty();
    // On a full disk there was no commit: refresh at the published one.
    for (const state of states)
      if (this.#toRefresh.delete(state)) this.#recordRefresh(state, this.#env.published());
  }

  #recordRefresh(state: IndexState, commit: number): void {
    const sees = hasManualRefresh(state.info.settings) ? 'refreshed' : 'own';
    state.refreshes.record(commit, sees, this.#env.oldestLease());
  }

  /** Saves changes of infos in one commit, then applies them. */
  async #change(changes: readonly (readonly [IndexState, Partial<IndexInfo>])[]): Promise<void> {
    const changed = changes.map(([state, change]) => ({ state, info: { ...state.info, ...change } }));
    await this.#env.catalog.commit(
      changed.map(({ state, info }) => ({ put: ['index', String(state.number), encodeIndex(info)] })),
    );
    for (const { state, info } of changed) state.info = info;
  }

  #checkAlias(alias: string, index: string, removed: ReadonlySet<IndexState> = new Set()): void {
    const clash = this.byName.get(alias);
    if ((clash === undefined || removed.has(clash)) && alias !== index) return;
    throw new EngineError(
      'invalid_alias_name_exception',
      `Invalid alias name [${alias}]: an index or data stream exists with the same name as the alias`,
      {
        details: { index: alias },
      },
    );
  }

  #checkWriteIndices(changed: ReadonlyMap<IndexState, Record<string, AliasSpec>>): void {
    const writers = new Map<string, string>();
    for (const state of this.byName.values()) {
      for (const [alias, spec] of Object.entries(changed.get(state) ?? state.info.aliases)) {
        if (spec.isWriteIndex !== true) continue;
        const other = writers.get(alias);
        if (other !== undefined) throw illegalStateOfAlias(alias, [other, state.info.name].sort());
        writers.set(alias, state.info.name);
      }
    }
  }

  #exclusively<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#chain.then(change).finally(this.#env.onChange);
    this.#chain = done.catch(() => {});
    return done;
  }
}

/** Removes all documents of an index from the catalog. */
function removal(state: IndexState): { remove: [string, string] }[] {
  return ['index', 'mapping', 'segments'].map((kind) => ({ remove: [kind, String(state.number)] }));
}

function illegalStateOfAlias(alias: string, indices: readonly string[]): EngineError {
  return illegalArgument(`alias [${alias}] has more than one write index [${indices.join(',')}]`);
}

/** The peer's 404 for an index. */
export function indexNotFound(name: string): EngineError {
  return new EngineError('index_not_found_exception', `no such index [${name}]`, {
    details: { index: name, index_uuid: '_na_', 'resource.type': 'index_or_alias', 'resource.id': name },
  });
}
