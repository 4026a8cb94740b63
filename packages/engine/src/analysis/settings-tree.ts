// A part of the settings of an index as a tree: they come flat (`index.analysis.analyzer.my.type`), nested, or mixed.

import { illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** The part of settings below a group such as `analysis`, nested. */
export function settingsTree(settings: JsonObject, group: string): JsonObject {
  const root = Object.create(null) as JsonObject;
  for (const [key, value] of Object.entries(settings)) put(root, key.split('.'), value, 0);
  const index = root['index'];
  const nested = isTree(index) ? index[group] : undefined;
  const direct = root[group];
  const merged = Object.create(null) as JsonObject;
  if (isTree(direct)) for (const [key, value] of Object.entries(direct)) put(merged, [key], value, 0);
  if (isTree(nested)) for (const [key, value] of Object.entries(nested)) put(merged, [key], value, 0);
  return merged;
}

function put(into: JsonObject, path: readonly string[], value: JsonValue, depth: number): void {
  const head = path[0]!;
  if (path.length > 1 || isTree(value)) {
    if (depth > 20) throw illegalArgument('analysis settings are nested too deeply');
    const below = isTree(into[head]) ? into[head] : (into[head] = Object.create(null) as JsonObject);
    if (path.length > 1) put(below, path.slice(1), value, depth + 1);
    else if (isTree(value)) {
      for (const [key, item] of Object.entries(value)) put(below, key.split('.'), item, depth + 1);
    }
  } else into[head] = value;
}

export function isTree(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
