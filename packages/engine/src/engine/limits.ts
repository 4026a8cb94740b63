// Limits of an engine: how much a request may ask for. The server sets them at the start and may change them
// later. Every part holds the object that concerns it and reads it each time.

import {
  DEFAULT_MAPPING_LIMITS as MAPPING,
  type MappingLimits,
  NO_MAPPING_LIMITS,
} from '../mapping/definition/mapping-limits.ts';
import { DEFAULT_QUERY_LIMITS as QUERY } from '../query/limits.ts';
import { DEFAULT_SEARCH_LIMITS, type SearchLimits } from '../search/search-limits.ts';
import { LONGEST_ID, type WriteLimits } from '../write/operation/operation.ts';

/** Limits of an engine. Lowering one does not affect stored documents and mappings. */
export interface EngineLimits {
  /** Hits of one page. @default 10,000 */
  readonly pageSize: number;
  /** Bytes of the sources that one page shows. @default 128 MiB */
  readonly answerBytes: number;
  /**
   * Clauses of a query, the terms that it comes to, and the fields that a pattern in it stands for. @default
   * 1,024
   */
  readonly clauses: number;
  /** Characters of one text that a request has analyzed. @default 262,144 */
  readonly analyzedChars: number;
  /** States of the automaton of a pattern. @default 10,000 */
  readonly automatonStates: number;
  /** Fields of an index without a limit of its own. @default 1,000 */
  readonly fieldsPerIndex: number;
  /** Objects and arrays inside each other in a document, at most 1,000. @default 100 */
  readonly nesting: number;
  /** Bytes of a given id, at most 512. @default 512 */
  readonly idBytes: number;
  /** Leases open at the same time. @default 100,000 */
  readonly openLeases: number;
  /** Longest life of a lease, and of each extension. @default 24 h */
  readonly keepAliveMaxMs: number;
}

/** The defaults. */
export const ENGINE_LIMITS: EngineLimits = Object.freeze({
  pageSize: DEFAULT_SEARCH_LIMITS.maxPageSize,
  answerBytes: DEFAULT_SEARCH_LIMITS.maxPageBytes,
  clauses: QUERY.maxClauses,
  analyzedChars: QUERY.maxTextLength,
  automatonStates: QUERY.maxStates,
  fieldsPerIndex: MAPPING.totalFields,
  nesting: 100,
  idBytes: LONGEST_ID,
  openLeases: 100_000,
  keepAliveMaxMs: 86_400_000,
});

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The limits in force, one object per part of the engine. */
export class LimitsInForce {
  /** Replaced when a search limit changes: memos of a query belong to its limits. */
  search: SearchLimits = DEFAULT_SEARCH_LIMITS;
  /** Unlimited before `enforce`: recovery accepts everything that was acknowledged. */
  readonly mapping: Writable<MappingLimits> = { ...NO_MAPPING_LIMITS };
  readonly writes: Writable<WriteLimits> = { idBytes: 0, nesting: 0 };
  readonly leases: { maxLeases: number; maxKeepAliveMs: number } = { maxLeases: 0, maxKeepAliveMs: 0 };
  #all: EngineLimits;

  constructor(limits: Partial<EngineLimits> = {}) {
    this.#all = { ...ENGINE_LIMITS, ...limits };
    this.#update();
  }

  /** Recovery is over: mapping limits apply from here on. */
  enforce(): void {
    this.mapping.depth = MAPPING.depth;
    this.#update();
  }

  /** Changes the named limits. */
  set(changes: Partial<EngineLimits>): void {
    this.#all = { ...this.#all, ...changes };
    this.#update();
  }

  #update(): void {
    const all = this.#all;
    const query = {
      ...QUERY,
      maxClauses: all.clauses,
      maxFields: all.clauses,
      maxTextLength: all.analyzedChars,
      maxStates: all.automatonStates,
    };
    this.search = {
      ...DEFAULT_SEARCH_LIMITS,
      query,
      maxPageSize: all.pageSize,
      maxPageBytes: all.answerBytes,
    };
    if (this.mapping.depth !== NO_MAPPING_LIMITS.depth) this.mapping.totalFields = all.fieldsPerIndex;
    this.writes.idBytes = all.idBytes;
    this.writes.nesting = all.nesting;
    this.leases.maxLeases = all.openLeases;
    this.leases.maxKeepAliveMs = all.keepAliveMaxMs;
  }
}
