// Dynamic templates: read, matched against unknown fields (the first match wins), and filled in.

import { illegalArgument } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { matchesPattern } from '../wildcards.ts';
import { isJsonObject } from './definition.ts';
import { javaValueText, mapperParsing } from './type-params.ts';

/** The type that dynamic mapping detects for a value. */
export type DetectedType = 'object' | 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary';

const SEEN: readonly DetectedType[] = ['object', 'string', 'long', 'double', 'boolean', 'date', 'binary'];
/** The field type for a detected type: the default of templates, and the value of `{dynamic_type}`. */
export const DEFAULT_TYPE: Readonly<Record<DetectedType, string>> = {
  object: 'object',
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  binary: 'binary',
};

/** One dynamic template. */
export interface DynamicTemplate {
  readonly name: string;
  /** The template as it was sent. */
  readonly json: JsonObject;
  readonly mapping: JsonObject;
  readonly seen: DetectedType | undefined;
  readonly match: readonly string[];
  readonly unmatch: readonly string[];
  readonly pathMatch: readonly string[];
  readonly pathUnmatch: readonly string[];
}

/** Reads `dynamic_templates`. */
export function readDynamicTemplates(json: JsonValue): DynamicTemplate[] {
  if (!Array.isArray(json))
    throw mapperParsing('Dynamic template syntax error. An array of named objects is expected.');
  return json.map((entry) => {
    if (!isJsonObject(entry) || Object.keys(entry).length !== 1)
      throw mapperParsing('A dynamic template must be defined with a name');
    const [name, body] = Object.entries(entry)[0]!;
    if (!isJsonObject(body)) throw mapperParsing('A dynamic template must be defined with a name');
    return readTemplate(name, body);
  });
}

function readTemplate(name: string, body: JsonObject): DynamicTemplate {
  let seen: DetectedType | undefined;
  const lists: Record<string, string[]> = { match: [], unmatch: [], path_match: [], path_unmatch: [] };
  let mapping: JsonObject | undefined;
  for (const [key, value] of Object.entries(body)) {
    if (key === 'mapping') {
      if (!isJsonObject(value)) throw mapperParsing('template must have mapping set');
      mapping = value;
    } else if (key === 'match_mapping_type') {
      if (value === '*') continue;
      if (!SEEN.includes(value as DetectedType)) {
        throw illegalArgument(
          `No field type matched on [${javaValueText(value)}], possible values are [${SEEN.join(', ')}]`,
        );
      }
      seen = value as DetectedType;
    } else if (key === 'match_pattern') {
      if (value !== 'simple')
        throw illegalArgument(
          `[match_pattern] [${javaValueText(value)}] of template [${name}] is not supported: use [simple]`,
        );
    } else if (Object.hasOwn(lists, key))
      lists[key] = Array.isArray(value) ? value.map(plainText) : [plainText(value)];
    else throw illegalArgument(`Illegal dynamic template parameter: [${key}]`);
  }
  if (mapping === undefined) throw mapperParsing('template must have mapping set');
  const conditions = Object.values(lists).some((list) => list.length > 0) || 'match_mapping_type' in body;
  if (!conditions)
    throw mapperParsing(
      `template must have match, path_match or match_mapping_type set ${javaValueText(body)}`,
    );
  return {
    name,
    json: body,
    mapping,
    seen,
    match: lists['match']!,
    unmatch: lists['unmatch']!,
    pathMatch: lists['path_match']!,
    pathUnmatch: lists['path_unmatch']!,
  };
}

/** The first template for a field, or undefined. */
export function findTemplate(
  templates: readonly DynamicTemplate[],
  name: string,
  path: string,
  seen: DetectedType,
): DynamicTemplate | undefined {
  const any = (patterns: readonly string[], text: string): boolean =>
    patterns.some((pattern) => matchesPattern(pattern, text));
  return templates.find(
    (template) =>
      (template.seen === undefined || template.seen === seen) &&
      (template.match.length === 0 || any(template.match, name)) &&
      !any(template.unmatch, name) &&
      (template.pathMatch.length === 0 || any(template.pathMatch, path)) &&
      !any(template.pathUnmatch, path),
  );
}

/** The mapping of a template with `{name}` and `{dynamic_type}` filled in, and its type. */
export function fillTemplate(template: DynamicTemplate, name: string, seen: DetectedType): JsonObject {
  const type = DEFAULT_TYPE[seen];
  const fill = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') {
      return value
        .replaceAll('{name}', name)
        .replaceAll('{dynamic_type}', type)
        .replaceAll('{dynamicType}', type);
    }
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value)) return value;
    const out = Object.create(null) as JsonObject;
    for (const [key, item] of Object.entries(value)) out[plainText(fill(key))] = fill(item);
    return out;
  };
  const filled = fill(template.mapping) as JsonObject;
  if (filled['type'] === undefined) filled['type'] = type;
  return filled;
}
