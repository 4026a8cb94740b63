// Flat settings: one dotted key, one string. The wire takes and gives settings nested or flat; a list is
// stored as the compact JSON text of its strings (see IndexInfo).

import { EngineError, type JsonObject, type JsonValue } from '@octavo/engine';

/** Flat settings; null removes a key. */
export type FlatSettings = Record<string, string | null>;

/** The depth to which settings may nest. */
const MAX_DEPTH = 20;

/**
 * `{index: {sort: {field: ['a']}}}` → `{'index.sort.field': '["a"]'}`. Throws settings_exception for lists of
 * objects.
 */
export function flattenSettings(settings: JsonObject): FlatSettings {
  const flat: FlatSettings = Object.create(null) as FlatSettings;
  const walk = (value: JsonValue, key: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw cannotLoad(`settings are nested more than ${MAX_DEPTH} deep at [${key}]`);
    if (value === null) flat[key] = null;
    else if (Array.isArray(value)) flat[key] = listText(value.map((item) => listItem(item, key)));
    else if (typeof value === 'object') {
      for (const name of Object.keys(value))
        walk(value[name]!, key === '' ? name : `${key}.${name}`, depth + 1);
    } else flat[key] = String(value);
  };
  walk(settings, '', 0);
  return flat;
}

function listItem(item: JsonValue, key: string): string {
  if (item === null || typeof item === 'object') {
    throw cannotLoad(`only value lists are allowed in serialized settings, as in [${key}]`);
  }
  return String(item);
}

function cannotLoad(why: string): EngineError {
  return new EngineError('settings_exception', `Failed to load settings: ${why}`);
}

/** The settings with every key below `index.`, as index settings are stored. */
export function withIndexPrefix(flat: FlatSettings): FlatSettings {
  const out: FlatSettings = Object.create(null) as FlatSettings;
  for (const key of Object.keys(flat)) {
    out[key.startsWith('index.') || key === '*' ? key : `index.${key}`] = flat[key]!;
  }
  return out;
}

/** The text of a list setting. */
export function listText(items: readonly string[]): string {
  return JSON.stringify(items);
}

/** The items of a list in its stored form; undefined for a plain string. */
export function listItems(text: string): string[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === 'string') ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The items of a list setting in either form: `["a","b"]` or `a,b`. */
export function parseListSetting(text: string): string[] {
  return (
    listItems(text) ??
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  );
}

/** Settings as the wire shows them: flat with sorted keys, or nested; lists as arrays. */
export function showSettings(flat: Readonly<Record<string, string>>, asFlat: boolean): JsonObject {
  const root: JsonObject = Object.create(null) as JsonObject;
  for (const key of Object.keys(flat).sort()) {
    const value: JsonValue = listItems(flat[key]!) ?? flat[key]!;
    if (asFlat) root[key] = value;
    else place(root, key.split('.'), value);
  }
  return root;
}

/**
 * Sets a nested value. If a prefix has a value itself (`merge.policy` beside `merge.policy.x`), the rest
 * stays one dotted key.
 */
function place(root: JsonObject, path: readonly string[], value: JsonValue): void {
  let node = root;
  let at = 0;
  for (; at < path.length - 1; at++) {
    const below = node[path[at]!];
    if (below === undefined) node = node[path[at]!] = Object.create(null) as JsonObject;
    else if (typeof below === 'object' && below !== null && !Array.isArray(below)) node = below;
    else break;
  }
  node[path.slice(at).join('.')] = value;
}
