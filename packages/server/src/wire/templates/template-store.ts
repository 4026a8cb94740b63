// Stores templates in the catalog, each as a JSON document as the wire shows it with flat settings.

import {
  type AliasSpec,
  isObject,
  type JsonObject,
  type JsonValue,
  plainNumber,
  plainText,
  type Settings,
} from '@octavo/engine';
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
    components: readAll(settings, COMPONENT_KIND, (stored) => readPart(stored['template'])),
  };
}

function readAll<T>(settings: Settings, kind: string, read: (stored: JsonObject) => T): Map<string, T> {
  const out = new Map<string, T>();
  for (const [name, stored] of settings.list(kind)) if (isObject(stored)) out.set(name, read(stored));
  return out;
}

function readLegacy(stored: JsonObject): LegacyTemplate {
  const { settings, mappings, aliases } = readPart(stored);
  const version = stored['version'];
  return {
    patterns: stringList(stored['index_patterns']),
    order: plainNumber(stored['order'] ?? 0),
    version: typeof version === 'number' ? version : undefined,
    settings: settings ?? {},
    mappings: mappings ?? {},
    aliases: aliases ?? {},
  };
}

/** A stored composable template. */
export function readComposable(stored: JsonObject): ComposableTemplate {
  return {
    patterns: stringList(stored['index_patterns']),
    composedOf: stringList(stored['composed_of']),
    priority: plainNumber(stored['priority'] ?? 0),
    template: readPart(stored['template']),
  };
}

function readPart(stored: JsonValue | undefined): TemplatePart {
  if (!isObject(stored)) return { settings: undefined, mappings: undefined, aliases: undefined };
  const aliases: Record<string, AliasSpec> | undefined =
    stored['aliases'] === undefined ? undefined : parseAliases(stored['aliases'], true);
  return {
    settings: isObject(stored['settings']) ? (stored['settings'] as Record<string, string>) : undefined,
    mappings: isObject(stored['mappings']) ? stored['mappings'] : undefined,
    aliases,
  };
}

/** The strings of a list. */
export function stringList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(plainText) : [];
}
