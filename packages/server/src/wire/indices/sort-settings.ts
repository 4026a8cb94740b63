// Checks the `index.sort.*` settings of a new index against each other and against its mapping.

import { illegalArgument, type JsonObject, type JsonValue } from '@octavo/engine';
import { parseListSetting } from '../settings/flat-settings.ts';

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  order: ['asc', 'desc'],
  mode: ['min', 'max'],
  missing: ['_last', '_first'],
};

/** Throws illegal_argument_exception for lists of different lengths, unknown words and unknown fields. */
export function checkSortSettings(settings: Readonly<Record<string, string>>, mappings: JsonObject): void {
  const fields = parseListSetting(settings['index.sort.field'] ?? '[]');
  for (const part of Object.keys(ALLOWED)) {
    const key = `index.sort.${part}`;
    if (settings[key] === undefined) continue;
    const words = parseListSetting(settings[key]);
    if (words.length !== fields.length) {
      throw illegalArgument(
        `index.sort.field:[${fields.join(', ')}] ${key}:[${words.join(', ')}], size mismatch`,
      );
    }
    const wrong = words.find((word) => !ALLOWED[part]!.includes(word));
    if (wrong !== undefined) throw illegalArgument(`Illegal ${part}:${wrong}`);
  }
  const unknown = fields.find((field) => !hasField(mappings, field));
  if (unknown !== undefined) throw illegalArgument(`unknown index sort field:[${unknown}]`);
}

/** True for a field of the mapping, by dotted name, multi-fields included. */
function hasField(mappings: JsonObject, name: string): boolean {
  const visit = (properties: JsonValue | undefined, rest: string): boolean => {
    if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return false;
    if (Object.hasOwn(properties, rest)) return true;
    for (let dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.', dot + 1)) {
      const field = properties[rest.slice(0, dot)];
      if (typeof field !== 'object' || field === null || Array.isArray(field)) continue;
      const below = rest.slice(dot + 1);
      if (visit(field['properties'], below) || visit(field['fields'], below)) return true;
    }
    return false;
  };
  return visit(mappings['properties'], name);
}
