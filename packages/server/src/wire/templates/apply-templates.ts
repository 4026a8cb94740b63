// Applies templates to a new index: the composable template of the highest priority with its components, or,
// if none fits, every legacy template in order. The request wins over both.

import { type AliasSpec, isObject, type JsonObject } from '@octavo/engine';
import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import type { IndexBody } from './index-body.ts';

/** A legacy template (`_template`). */
export interface LegacyTemplate extends IndexBody {
  readonly patterns: readonly string[];
  readonly order: number;
  readonly version: number | undefined;
}

/**
 * The part of a composable or component template that goes into an index; members that were not given are
 * undefined.
 */
export interface TemplatePart {
  readonly settings: Record<string, string> | undefined;
  readonly mappings: JsonObject | undefined;
  readonly aliases: Record<string, AliasSpec> | undefined;
}

/** A composable template (`_index_template`). */
export interface ComposableTemplate {
  readonly patterns: readonly string[];
  readonly composedOf: readonly string[];
  readonly priority: number;
  readonly template: TemplatePart;
}

/** All templates by name. */
export interface Templates {
  readonly legacy: ReadonlyMap<string, LegacyTemplate>;
  readonly composable: ReadonlyMap<string, ComposableTemplate>;
  readonly components: ReadonlyMap<string, TemplatePart>;
}

/** The name of the composable template for an index; undefined if none fits. */
export function findComposable(name: string, templates: Templates): string | undefined {
  let best: string | undefined;
  let bestPriority = -1;
  for (const [id, template] of templates.composable) {
    if (!matchesAnyWildcard(template.patterns, name) || template.priority <= bestPriority) continue;
    best = id;
    bestPriority = template.priority;
  }
  return best;
}

/** The names of the legacy templates for an index, the lowest order first. */
export function findLegacy(name: string, templates: Templates): string[] {
  return [...templates.legacy.keys()]
    .filter((id) => matchesAnyWildcard(templates.legacy.get(id)!.patterns, name))
    .sort((a, b) => templates.legacy.get(a)!.order - templates.legacy.get(b)!.order || (a < b ? -1 : 1));
}

/** The body of a new index: the templates that fit its name, overlaid by `body`. */
export function applyTemplates(name: string, templates: Templates, body: IndexBody): IndexBody {
  let merged: IndexBody = { settings: {}, mappings: {}, aliases: {} };
  for (const layer of layersFor(name, templates)) merged = overlay(merged, layer);
  merged = overlay(merged, body);
  return { ...merged, aliases: withIndexName(merged.aliases, name) };
}

function layersFor(name: string, templates: Templates): TemplatePart[] {
  const composable = findComposable(name, templates);
  if (composable === undefined) return findLegacy(name, templates).map((id) => templates.legacy.get(id)!);
  const { composedOf, template } = templates.composable.get(composable)!;
  return [...composedOf.flatMap((id) => templates.components.get(id) ?? []), template];
}

function overlay(below: IndexBody, above: TemplatePart): IndexBody {
  return {
    settings: { ...below.settings, ...above.settings },
    mappings: above.mappings === undefined ? below.mappings : mergeMappings(below.mappings, above.mappings),
    aliases: { ...below.aliases, ...above.aliases },
  };
}

/** The aliases with the index name in place of `{index}`, which templates may use. */
function withIndexName(aliases: Record<string, AliasSpec>, name: string): Record<string, AliasSpec> {
  const out: Record<string, AliasSpec> = {};
  for (const alias of Object.keys(aliases)) out[alias.replaceAll('{index}', name)] = aliases[alias]!;
  return out;
}

/**
 * Merges two mappings. Objects are merged; other values, and fields whose type changes, are replaced by those
 * above.
 */
export function mergeMappings(below: JsonObject, above: JsonObject): JsonObject {
  const out: JsonObject = Object.create(null) as JsonObject;
  for (const key of Object.keys(below)) out[key] = below[key]!;
  for (const key of Object.keys(above)) {
    const [lower, upper] = [out[key], above[key]!];
    out[key] =
      isObject(lower) && isObject(upper) && sameType(lower, upper) ? mergeMappings(lower, upper) : upper;
  }
  return out;
}

/** True for two objects of a mapping, which are merged; a leaf is replaced as a whole. */
function sameType(lower: JsonObject, upper: JsonObject): boolean {
  const [a, b] = [lower['type'], upper['type']];
  return typeof a !== 'string' && typeof b !== 'string'
    ? true
    : isObject(lower['properties']) && isObject(upper['properties']);
}
