// Stores templates in the catalog, each as a JSON document as the wire shows it with flat settings.

import type { AliasSpec, JsonObject, JsonValue, Settings } from '@octavo/engine';
import { plainNumber, plainText } from '@octavo/engine';
import { isObject } from '../../json/json-body.ts';
import { parseAliases } from '../aliases/alias-spec.ts';
import type { ComposableTemplate, LegacyTemplate, TemplatePart, Templates } from './apply-templates.ts';

/** Kinds of small documents in the catalog. */
export const LEGACY_KIND = 'template';
export const COMPOSABLE_KIND = 'index_template';
export const COMPONENT_KIND = 'component_template';

/** All templates. */
export function readTemplates(settings: Settings): Templates {
  return {
    legacy: readAll(settings, LEGACY_KIND, readLegacy),
    composable: readAll(settings, COMPOSABLE_KIND, readComposable),
    components: readAll(settings, COMPONENT_KIND, (kept) => readPart(kept['template'])),
  };
}

function readAll<T>(settings: Settings, kind: string, read: (kept: JsonObject) => T): Map<string, T> {
  const out = new Map<string, T>();
  for (const [name, kept] of settings.list(kind)) if (isObject(kept)) out.set(name, read(kept));
  return out;
}

function readLegacy(kept: JsonObject): LegacyTemplate {
  const { settings, mappings, aliases } = readPart(kept);
  const version = kept['version'];
  return {
    patterns: stringList(kept['index_patterns']),
    order: plainNumber(kept['order'] ?? 0),
    version: typeof version === 'number' ? version : undefined,
    settings: settings ?? {},
    mappings: mappings ?? {},
    aliases: aliases ?? {},
  };
}

/** A stored composable template. */
export function readComposable(kept: JsonObject): ComposableTemplate {
  return {
    patterns: stringList(kept['index_patterns']),
    composedOf: stringList(kept['composed_of']),
    priority: plainNumber(kept['priority'] ?? 0),
    template: readPart(kept['template']),
  };
}

function readPart(kept: JsonValue | undefined): TemplatePart {
  if (!isObject(kept)) return { settings: undefined, mappings: undefined, aliases: undefined };
  const aliases: Record<string, AliasSpec> | undefined =
    kept['aliases'] === undefined ? undefined : parseAliases(kept['aliases'], true);
  return {
    settings: isObject(kept['settings']) ? (kept['settings'] as Record<string, string>) : undefined,
    mappings: isObject(kept['mappings']) ? kept['mappings'] : undefined,
    aliases,
  };
}

/** The strings of a list. */
export function stringList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(plainText) : [];
}
