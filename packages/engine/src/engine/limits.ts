// How much may be asked of an engine? Limits that whoever serves it sets, at its start or later: each room holds the part
// that concerns it, and asks it each time.

import {
  DEFAULT_MAPPING_LIMITS as MAPPING,
  type MappingLimits,
  NO_MAPPING_LIMITS,
} from '../mapping/definition/mapping-limits.ts';
import { DEFAULT_QUERY_LIMITS as QUERY } from '../query/limits.ts';
import { DEFAULT_SEARCH_LIMITS, type SearchLimits } from '../search/search-limits.ts';
import { LONGEST_ID, type WriteLimits } from '../write/operation/operation.ts';

/** Limits of an engine. What is written, and the mapping that took it, stay when one is lowered. */
export interface EngineLimits {
  /** Hits of one page. @default 10,000 */
  readonly pageSize: number;
  /** Clauses of a query, the terms that it comes to, and the fields that a pattern in it stands for. @default 1,024 */
  readonly clauses: number;
  /** States of the automaton of a pattern. @default 10,000 */
  readonly automatonStates: number;
  /** Fields of an index that sets no limit of its own. @default 1,000 */
  readonly fieldsPerIndex: number;
  /** Objects and arrays inside each other in a document, at most 1,000. @default 100 */
  readonly nesting: number;
  /** Bytes of an id that is given, at most 512. @default 512 */
  readonly idBytes: number;
  /** Leases that may be open together. @default 100,000 */
  readonly openLeases: number;
  /** Longest life of a lease, and of each extension. @default 24 h */
  readonly keepAliveMaxMs: number;
}

/** What holds where nothing is set. */
export const ENGINE_LIMITS: EngineLimits = Object.freeze({
  pageSize: DEFAULT_SEARCH_LIMITS.maxPageSize,
  clauses: QUERY.maxClauses,
  automatonStates: QUERY.maxStates,
  fieldsPerIndex: MAPPING.totalFields,
  nesting: 100,
  idBytes: LONGEST_ID,
  openLeases: 100_000,
  keepAliveMaxMs: 86_400_000,
});

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The limits in force, as the rooms of an engine ask for them. */
export class LimitsInForce {
  /** Another object when a limit of searches changes: what is remembered of a query belongs to its limits. */
  search: SearchLimits = DEFAULT_SEARCH_LIMITS;
  /** None before `begin`: what was acknowledged comes back. */
  readonly mapping: Writable<MappingLimits> = { ...NO_MAPPING_LIMITS };
  readonly writes: Writable<WriteLimits> = { idBytes: 0, nesting: 0 };
  readonly leases: { maxLeases: number; maxKeepAliveMs: number } = { maxLeases: 0, maxKeepAliveMs: 0 };
  #all: EngineLimits;

  constructor(limits: Partial<EngineLimits> = {}) {
    this.#all = { ...ENGINE_LIMITS, ...limits };
    this.#tell();
  }

  /** What was there before has come back. */
  enforce(): void {
    this.mapping.depth = MAPPING.depth;
    this.#tell();
  }

  /** Changes those that are named. */
  set(changes: Partial<EngineLimits>): void {
    this.#all = { ...this.#all, ...changes };
    this.#tell();
  }

  #tell(): void {
    const all = this.#all;
    const query = {
      ...QUERY,
      maxClauses: all.clauses,
      maxFields: all.clauses,
      maxStates: all.automatonStates,
    };
    this.search = { ...DEFAULT_SEARCH_LIMITS, query, maxPageSize: all.pageSize };
    if (this.mapping.depth !== NO_MAPPING_LIMITS.depth) this.mapping.totalFields = all.fieldsPerIndex;
    this.writes.idBytes = all.idBytes;
    this.writes.nesting = all.nesting;
    this.leases.maxLeases = all.openLeases;
    this.leases.maxKeepAliveMs = all.keepAliveMaxMs;
  }
}
