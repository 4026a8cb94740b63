// An index in the catalog: three documents by its number, because three parties change them. 'index' is what
// callers set, 'mapping' is extended by documents, 'segments' is replaced by maintenance.

import { type Analysis, buildAnalysis } from '../../analysis/registry.ts';
import type { AliasSpec, IndexInfo } from '../../api.ts';
import type { JsonObject } from '../../json/value.ts';
import {
  DEFAULT_MAPPING_LIMITS,
  type MappingLimits,
  mappingLimits,
} from '../../mapping/definition/mapping-limits.ts';
import { parseMapping, parseMappingSteps } from '../../mapping/index-mapping.ts';
import { refuseMetadata } from '../../mapping/refused-mappings.ts';
import { IndexState } from '../../write/index-state/index-state.ts';
import { RefreshHistory } from '../../write/leases/refresh-history.ts';

/** Defaults for settings that the creator of an index leaves out. One machine cannot hold replicas, so there are none. */
export const PRESET_SETTINGS = {
  'index.number_of_shards': '1',
  'index.number_of_replicas': '0',
} as const;

/** An index as the catalog keeps it. */
export interface IndexRecord {
  readonly name: string;
  readonly uuid: string;
  readonly createdAt: number;
  readonly state: 'open' | 'close';
  readonly settings: Record<string, string>;
  readonly aliases: Record<string, AliasSpec>;
}

/** The record of an index. */
export function encodeIndex({ name, uuid, createdAt, state, settings, aliases }: IndexInfo): JsonObject {
  const specs = Object.entries(aliases).map(([alias, spec]) => [alias, { ...spec } as JsonObject] as const);
  return {
    name,
    uuid,
    createdAt,
    state,
    settings: { ...settings },
    aliases: Object.fromEntries(specs),
  };
}

/** How the mapping of an index is parsed: the default limits, and whether it was accepted before. */
export interface MappingOptions {
  readonly limits: MappingLimits;
  readonly isKept: boolean;
}

/** The state of an index from its record, without segments, in steps. */
export function* decodeIndex(
  number: number,
  record: IndexRecord,
  mappings: JsonObject,
  refreshed: number,
  { limits, isKept }: MappingOptions,
  analysis: Analysis = buildAnalysis(record.settings),
): Generator<void, IndexState, undefined> {
  const own = { limits: mappingLimits(record.settings, limits), isAccepted: isKept };
  const mapping = yield* parseMappingSteps(mappings, analysis, own);
  const refreshes = refreshHistoryOf(record.settings, refreshed);
  return new IndexState(number, { ...record, mappings }, mapping, analysis, refreshes);
}

/**
 * The refresh history of an index at a start: with manual refreshes, searches see commit `refreshed` at
 * first.
 */
function refreshHistoryOf(settings: Readonly<Record<string, string>>, refreshed: number): RefreshHistory {
  return hasManualRefresh(settings) ? new RefreshHistory(refreshed) : new RefreshHistory();
}

export function hasManualRefresh(settings: Readonly<Record<string, string>>): boolean {
  return settings['index.refresh_interval'] === '-1';
}

/**
 * Throws what creating an index with these flat settings and mappings would throw. `fieldsPerIndex` is the
 * default limit of fields.
 */
export function checkMappings(
  settings: Readonly<Record<string, string>>,
  mappings: JsonObject,
  fieldsPerIndex: number = DEFAULT_MAPPING_LIMITS.totalFields,
): void {
  const limits = mappingLimits(settings, { ...DEFAULT_MAPPING_LIMITS, totalFields: fieldsPerIndex });
  const mapping = parseMapping(mappings, buildAnalysis(settings), { limits });
  refuseMetadata(mapping);
}
