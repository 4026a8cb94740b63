// How does the catalog keep an index? As three documents by its number, because three parties change them: 'index' (what
// a caller set), 'mapping' (which documents extend) and 'segments' (which maintenance replaces).

import { buildAnalysis } from '../../analysis/registry.ts';
import type { AliasSpec, IndexInfo } from '../../api.ts';
import type { JsonObject } from '../../json/value.ts';
import {
  DEFAULT_MAPPING_LIMITS,
  type MappingLimits,
  mappingLimits,
} from '../../mapping/definition/mapping-limits.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { refuseMetadata, refuseNested } from '../../mapping/refused-mappings.ts';
import { IndexState } from '../../write/index-state/index-state.ts';
import { RefreshHistory } from '../../write/leases/refresh-history.ts';

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

/** How the mapping of an index is read: under which limits, where it sets none, and whether it was taken before. */
export interface MappingOptions {
  readonly limits: MappingLimits;
  readonly isKept: boolean;
}

/** The state of an index from its record; segments are loaded afterwards. */
export function decodeIndex(
  number: number,
  record: IndexRecord,
  mappings: JsonObject,
  refreshed: number,
  { limits, isKept }: MappingOptions,
): IndexState {
  const analysis = buildAnalysis(record.settings);
  return new IndexState(
    number,
    { ...record, mappings },
    parseMapping(mappings, analysis, { limits: mappingLimits(record.settings, limits), isAccepted: isKept }),
    analysis,
    refreshHistoryOf(record.settings, refreshed),
  );
}

/** Whether searches wait for refreshes, and which commit they see until there is one. */
export function refreshHistoryOf(
  settings: Readonly<Record<string, string>>,
  refreshed: number,
): RefreshHistory {
  return hasManualRefresh(settings) ? new RefreshHistory(refreshed) : new RefreshHistory();
}

export function hasManualRefresh(settings: Readonly<Record<string, string>>): boolean {
  return settings['index.refresh_interval'] === '-1';
}

/**
 * Throws what making an index with these settings (flat) and mappings would throw, where so many fields are allowed that
 * set nothing else.
 */
export function checkMappings(
  settings: Readonly<Record<string, string>>,
  mappings: JsonObject,
  fieldsPerIndex: number = DEFAULT_MAPPING_LIMITS.totalFields,
): void {
  const limits = mappingLimits(settings, { ...DEFAULT_MAPPING_LIMITS, totalFields: fieldsPerIndex });
  const mapping = parseMapping(mappings, buildAnalysis(settings), { limits });
  refuseNested(mapping);
  refuseMetadata(mapping);
}
