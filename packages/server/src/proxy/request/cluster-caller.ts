// What may this caller do with the cluster, and which indices does it mean? The rules are those of the embedded engine;
// names are resolved here, so that the cluster only ever hears of indices that the caller may touch.

import { type Engine, EngineError, type IndexInfo, type JsonObject } from '@octavo/engine';
import type { Principal } from '../../access/callers/principal.ts';
import { type Action, Rules } from '../../access/guard/rules.ts';
import { guardEngine } from '../../access/guard.ts';
import { dateMathName } from '../../patterns/date-name.ts';
import {
  type ResolveOptions,
  resolveOne,
  resolveOptions,
  SEARCH_OPTIONS,
} from '../../wire/resolve/resolve.ts';
import { targetOf } from '../../wire/resolve/target.ts';
import type { Params } from '../../wire/router/route.ts';
import { notOnCluster } from '../empty-engine.ts';
import type { ClusterCatalog } from './cluster-catalog.ts';

/** Indices of the cluster, as a path names them. */
export interface Reach {
  /** The first segment of the path, encoded; undefined where the caller named none and may have all. */
  readonly path: string | undefined;
  /** The same where a point in time has taken the place of the path. */
  readonly names?: string | undefined;
  /** What every document must match to be touched; undefined where there is nothing to hide. */
  readonly narrowing: JsonObject | undefined;
}

/** The first line of an HTTP request to the clusters may have 4,096 bytes. */
const MAX_PATH = 3_000;
/** Resolves to no index, in every endpoint. */
const NOTHING = '*,-*';

/** One caller before a cluster. */
export class ClusterCaller {
  readonly rules: Rules;
  readonly #principal: Principal;
  readonly #catalog: ClusterCatalog;

  constructor(principal: Principal, catalog: ClusterCatalog) {
    this.#principal = principal;
    this.#catalog = catalog;
    this.rules = new Rules(principal);
  }

  /** True where nothing in the cluster is hidden from the caller: its requests go on as they are. */
  get seesAll(): boolean {
    return this.rules.allIndices && this.#principal.documentFilter === undefined;
  }

  get filter(): JsonObject | undefined {
    return this.#principal.documentFilter;
  }

  /** Throws security_exception where its scopes, or the filter it sees through, do not allow it. */
  require(verb: 'read' | 'write' | 'admin', action: Action, index?: string): void {
    this.rules.require(verb, action, index);
  }

  /** Throws where there is something that it may not see. */
  requireAll(action: Action): void {
    if (!this.rules.allIndices) throw this.rules.refusal(action, undefined, 'it is for some indices only');
    if (this.filter !== undefined)
      throw this.rules.refusal(action, undefined, 'it sees documents through a filter');
  }

  /** Throws where it sees documents through a filter, which cannot be held against what is asked. */
  refuseFiltered(action: Action, index?: string): void {
    if (this.filter !== undefined)
      throw this.rules.refusal(action, index, 'on a cluster its document filter cannot be kept here');
  }

  /** The indices that an expression means to this caller. */
  async reach(
    expression: string | undefined,
    params: Params,
    defaults: ResolveOptions = SEARCH_OPTIONS,
  ): Promise<Reach> {
    if (this.seesAll) return { path: undefined, narrowing: undefined };
    const options = resolveOptions(params, defaults);
    const target = await this.#looking((engine) => targetOf(engine, expression, undefined, options));
    const path = target.indices.length === 0 ? NOTHING : target.indices.join(',');
    if (encoded(path).length > MAX_PATH)
      throw notOnCluster('a search over so many indices', 'name fewer of them');
    return { path: encoded(path), narrowing: this.#narrowing(target.indices, target.filters) };
  }

  /** A narrowing that was made before, with the filter that the caller has now. */
  narrowed(before: JsonObject | undefined): JsonObject | undefined {
    if (this.filter === undefined || before === undefined) return this.filter ?? before;
    return { bool: { filter: [this.filter, before] } };
  }

  /** The one index that a single document is read from. */
  async one(name: string): Promise<string> {
    if (this.seesAll) return name;
    return await this.#looking((engine) => {
      const info = resolveOne(engine, name);
      refuseRouted(info, name);
      return info.name;
    });
  }

  /** The one index that a write to a name goes to, which need not be there yet. */
  async writable(name: string, action: Action): Promise<string> {
    if (this.seesAll) return name;
    const plain = dateMathName(name);
    // What is not known may be a new alias: where it leads is looked up now.
    const index =
      writeIndex(await this.#catalog.engine(), plain) ??
      writeIndex(await this.#catalog.engine(true), plain) ??
      plain;
    if (!this.rules.allowsIndex(index)) throw this.rules.refusal(action, name);
    return index;
  }

  /** The same two as segments of a path; undefined leaves the name as it came. */
  async onePath(name: string): Promise<string | undefined> {
    return this.seesAll ? undefined : encoded(await this.one(name));
  }

  async writablePath(name: string, action: Action): Promise<string | undefined> {
    return this.seesAll ? undefined : encoded(await this.writable(name, action));
  }

  /** Indices and aliases that the caller sees; `anew` looks again whatever is known. */
  async view(anew = false): Promise<Engine> {
    return guardEngine(await this.#catalog.engine(anew), this.#principal);
  }

  /** What is asked of the catalog, asked once more where a name leads nowhere. */
  async #looking<T>(ask: (engine: Engine) => T): Promise<T> {
    try {
      return ask(await this.view());
    } catch (error) {
      if (!(error instanceof EngineError) || error.type !== 'index_not_found_exception') throw error;
      return ask(await this.view(true));
    }
  }

  #narrowing(
    indices: readonly string[],
    filters: ReadonlyMap<string, JsonObject> | undefined,
  ): JsonObject | undefined {
    const parts: JsonObject[] = this.filter === undefined ? [] : [this.filter];
    if (filters !== undefined) {
      const free = indices.filter((index) => !filters.has(index));
      const should: JsonObject[] = [...filters].map(([index, filter]) => ({
        bool: { filter: [{ term: { _index: index } }, filter] },
      }));
      if (free.length > 0) should.push({ terms: { _index: free } });
      parts.push({ bool: { should, minimum_should_match: 1 } });
    }
    return parts.length < 2 ? parts[0] : { bool: { filter: parts } };
  }
}

/** The index of a name: itself, or the write index of an alias; undefined for a name that is neither. */
export function writeIndex({ indices }: Engine, name: string): string | undefined {
  if (indices.info(name) !== undefined) return name;
  const holders = indices
    .names()
    .map((each) => indices.info(each))
    .filter((info): info is IndexInfo => info !== undefined && Object.hasOwn(info.aliases, name));
  const writer = holders.find((info) => info.aliases[name]?.isWriteIndex === true);
  const found = writer ?? (holders.length === 1 ? holders[0] : undefined);
  refuseRouted(found, name);
  return found?.name;
}

/** An alias that gives documents a routing would lose it here, where only the name of its index goes on. */
function refuseRouted(info: IndexInfo | undefined, name: string): void {
  const { indexRouting, searchRouting } = info?.aliases[name] ?? {};
  if (indexRouting === undefined && searchRouting === undefined) return;
  throw notOnCluster(
    `a document by the alias [${name}] under this key`,
    'the alias has a routing: name its index, and send the [routing]',
  );
}

/** A segment of a path. Commas stay: they part names. */
export function encoded(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%2C', ',').replaceAll('%2A', '*');
}
