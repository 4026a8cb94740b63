// Reads and merges the root settings of a mapping beside its properties: dynamic templates, detection,
// meta fields.

import { illegalArgument } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { dateFormat } from '../dates/date-format.ts';
import {
  type Dynamic,
  isJsonObject,
  type ObjectDef,
  readDynamic,
  readFlag,
  readProperties,
} from './definition.ts';
import { type DynamicTemplate, readDynamicTemplates } from './dynamic-templates.ts';
import { booleanParam, javaValueText, mapperParsing } from './type-params.ts';

/** Settings of the root beside `properties` and `dynamic`. */
export interface RootOptions {
  readonly templates: readonly DynamicTemplate[];
  readonly dateDetection: boolean | undefined;
  readonly numericDetection: boolean | undefined;
  readonly dateFormats: readonly string[] | undefined;
  readonly source: JsonObject | undefined;
  readonly routing: JsonObject | undefined;
  /** `_meta` and settings of meta fields, kept for printing only. */
  readonly rest: JsonObject;
}

const META = new Set([
  '_meta',
  '_field_names',
  '_size',
  '_id',
  '_index',
  '_type',
  '_data_stream_timestamp',
  '_all',
  '_derived',
]);

/** Reads a whole mapping. Errors: mapper_parsing_exception, illegal_argument_exception. */
export function readRoot(json: JsonObject): { def: ObjectDef; options: RootOptions } {
  let dynamic: Dynamic | undefined;
  let enabled = true;
  let options: RootOptions = {
    templates: [],
    dateDetection: undefined,
    numericDetection: undefined,
    dateFormats: undefined,
    source: undefined,
    routing: undefined,
    rest: {},
  };
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === 'properties') continue;
    if (key === 'dynamic') dynamic = readDynamic(value);
    else if (key === 'enabled') enabled = readFlag('enabled', value);
    else if (key === 'date_detection') options = { ...options, dateDetection: readFlag(key, value) };
    else if (key === 'numeric_detection') options = { ...options, numericDetection: readFlag(key, value) };
    else if (key === 'dynamic_date_formats') {
      const dateFormats = (Array.isArray(value) ? value : [value]).map(plainText);
      for (const text of dateFormats) dateFormat(text);
      options = { ...options, dateFormats };
    } else if (key === 'dynamic_templates') options = { ...options, templates: readDynamicTemplates(value) };
    else if (key === '_routing') options = { ...options, routing: readRouting(value) };
    else if (key === '_source') options = { ...options, source: readSource(value) };
    else if (META.has(key) || (key === 'derived' && isJsonObject(value)))
      options = { ...options, rest: { ...options.rest, [key]: value } };
    else unknown.push(`[${key} : ${javaValueText(value)}]`);
  }
  if (unknown.length > 0)
    throw mapperParsing(`Root mapping definition has unsupported parameters:  ${unknown.join(' ')}`);
  const children = readProperties(json['properties'], '');
  return { def: { kind: 'object', nested: false, dynamic, enabled, params: {}, children }, options };
}

function readRouting(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw mapperParsing(`[_routing] config must be an object`);
  const out: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (key !== 'required') throw mapperParsing(`unknown parameter [${key}] on metadata field [_routing]`);
    if (booleanParam(item)) out['required'] = true;
  }
  return out;
}

function readSource(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw mapperParsing(`[_source] config must be an object`);
  const out: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === 'enabled') {
      if (!booleanParam(item)) out['enabled'] = false;
    } else if (key === 'includes' || key === 'excludes')
      out[key] = Array.isArray(item) ? item.map(plainText) : [plainText(item)];
    else if (key.startsWith('recovery_source_')) continue;
    else throw mapperParsing(`unknown parameter [${key}] on metadata field [_source]`);
  }
  return out;
}

/** The root's settings after an update. */
export function mergeOptions(current: RootOptions, update: RootOptions): RootOptions {
  fixed(
    '_routing',
    'required',
    current.routing?.['required'] === true,
    update.routing?.['required'] === true,
    update.routing !== undefined,
  );
  fixed(
    '_source',
    'enabled',
    current.source?.['enabled'] !== false,
    update.source?.['enabled'] !== false,
    update.source !== undefined,
  );
  const templates = current.templates.filter(
    (one) => !update.templates.some((other) => other.name === one.name),
  );
  return {
    templates: update.templates.length === 0 ? current.templates : [...templates, ...update.templates],
    dateDetection: update.dateDetection ?? current.dateDetection,
    numericDetection: update.numericDetection ?? current.numericDetection,
    dateFormats: update.dateFormats ?? current.dateFormats,
    source: update.source ?? current.source,
    routing: update.routing ?? current.routing,
    rest: { ...current.rest, ...update.rest },
  };
}

function fixed(field: string, name: string, before: boolean, after: boolean, given: boolean): void {
  if (given && before !== after) {
    throw illegalArgument(
      `Mapper for [${field}] conflicts with existing mapper:\n\tCannot update parameter [${name}] from [${before}] to [${after}]`,
    );
  }
}
