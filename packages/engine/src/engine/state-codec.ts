// How does the catalog keep an index? As three documents by its number, because three parties change them: 'index' (what
// a caller set), 'mapping' (which documents extend) and 'segments' (which maintenance replaces).

import { type Analysis, buildAnalysis } from '../analysis/registry.ts';
import type { AliasSpec, IndexInfo } from '../api.ts';
import type { JsonObject } from '../json/value.ts';
import { type MappingLimits, parseMapping } from '../mapping/mapping.ts';
import { refuseMetadata, refuseNested } from '../mapping/supported.ts';
import { IndexState } from '../write/index-state.ts';
import { Visibility } from '../write/visibility.ts';

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

/** The state of an index from its record; segments are loaded afterwards. */
export function decodeIndex(
  number: number,
  record: IndexRecord,
  mappings: JsonObject,
  refreshed: number,
): IndexState {
  const analysis = analysisOf(record.settings);
  return new IndexState(
    number,
    { ...record, mappings },
    parseMapping(mappings, analysis, { limits: mappingLimits(record.settings) }),
    analysis,
    visibilityOf(record.settings, refreshed),
  );
}

/** Whether searches wait for refreshes, and which commit they see until there is one. */
export function visibilityOf(settings: Readonly<Record<string, string>>, refreshed: number): Visibility {
  return holdsRefreshes(settings) ? new Visibility(refreshed) : new Visibility();
}

export function holdsRefreshes(settings: Readonly<Record<string, string>>): boolean {
  return settings['index.refresh_interval'] === '-1';
}

/** Throws what making an index with these settings (flat) and mappings would throw. */
export function checkMappings(settings: Readonly<Record<string, string>>, mappings: JsonObject): void {
  const mapping = parseMapping(mappings, analysisOf(settings), { limits: mappingLimits(settings) });
  refuseNested(mapping);
  refuseMetadata(mapping);
}

/** The analyzers that flat settings define. */
export function analysisOf(settings: Readonly<Record<string, string>>): Analysis {
  return buildAnalysis(settings);
}

/** Limits of the mapping that flat settings set. */
export function mappingLimits(settings: Readonly<Record<string, string>>): Partial<MappingLimits> {
  const totalFields = settings['index.mapping.total_fields.limit'];
  const depth = settings['index.mapping.depth.limit'];
  return {
    ...(totalFields !== undefined && { totalFields: Number(totalFields) }),
    ...(depth !== undefined && { depth: Number(depth) }),
  };
}
