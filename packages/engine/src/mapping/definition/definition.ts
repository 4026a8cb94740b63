// Reads, merges and prints the definitions of mapping JSON: checked and normalised, without slots or
// analyzers. An object is a tree of them.

import { EngineError, illegalArgument } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { printContexts, readContexts } from './completion-contexts.ts';
import { booleanParam, javaValueText, mapperParsing, PARAMS, readParam } from './type-params.ts';

export type Dynamic = 'true' | 'false' | 'strict' | 'strict_allow_templates' | 'false_allow_templates';

/** A field as the mapping defines it. `params` has what differs from the defaults. */
export interface FieldDef {
  readonly kind: 'field';
  readonly type: string;
  readonly params: JsonObject;
  readonly copyTo: readonly string[];
  readonly fields: ReadonlyMap<string, FieldDef>;
}

interface AliasDef {
  readonly kind: 'alias';
  readonly path: string;
}

export interface ObjectDef {
  readonly kind: 'object';
  readonly nested: boolean;
  readonly dynamic: Dynamic | undefined;
  readonly enabled: boolean;
  /** Other parameters of objects, kept for printing only. */
  readonly params: JsonObject;
  readonly children: ReadonlyMap<string, Def>;
}

export type Def = FieldDef | AliasDef | ObjectDef;

const MAX_JSON_DEPTH = 100;
const DYNAMICS: readonly Dynamic[] = [
  'true',
  'false',
  'strict',
  'strict_allow_templates',
  'false_allow_templates',
];

/** A `dynamic` setting. */
export function readDynamic(value: JsonValue): Dynamic {
  const text = plainText(value) as Dynamic;
  if (DYNAMICS.includes(text)) return text;
  throw convertFault('dynamic.dynamic', value);
}

/** A boolean of an object or of the root. */
export function readFlag(name: string, value: JsonValue): boolean {
  try {
    return booleanParam(value);
  } catch {
    throw convertFault(name, value);
  }
}

function convertFault(name: string, value: JsonValue): EngineError {
  return new EngineError('illegal_argument_exception', `Could not convert [${name}] to boolean`, {
    causedBy: illegalArgument(
      `Failed to parse value [${javaValueText(value)}] as only [true] or [false] are allowed.`,
    ),
  });
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads `properties`. Keys with dots become objects. */
export function readProperties(json: JsonValue | undefined, path: string, depth = 0): Map<string, Def> {
  const children = new Map<string, Def>();
  if (json === undefined || json === null || (Array.isArray(json) && json.length === 0)) return children;
  if (!isJsonObject(json))
    throw mapperParsing(
      `Expected map for property [properties] on field [${path}] but got ${javaValueText(json)}`,
    );
  if (depth > MAX_JSON_DEPTH) throw mapperParsing('The mapping is nested too deeply');
  for (const [key, value] of Object.entries(json)) {
    if (key === '') throw illegalArgument('name cannot be empty string');
    const names = key.split('.');
    if (names.some((name) => name === '')) {
      throw illegalArgument(`name cannot be empty string: [${key}]`);
    }
    const full = path === '' ? key : `${path}.${key}`;
    const def = readDef(value, full, depth + names.length);
    addDef(children, names, def, path);
  }
  return children;
}

/** Adds a definition below a path, creating objects on the way. */
function addDef(children: Map<string, Def>, names: readonly string[], def: Def, path: string): void {
  const [name, ...rest] = names as [string, ...string[]];
  const full = path === '' ? name : `${path}.${name}`;
  const existing = children.get(name);
  let next: Def;
  if (rest.length === 0) next = def;
  else {
    const inner = new Map<string, Def>();
    addDef(inner, rest, def, full);
    next = { kind: 'object', nested: false, dynamic: undefined, enabled: true, params: {}, children: inner };
  }
  children.set(name, existing === undefined ? next : mergeDefs(existing, next, full));
}

function readDef(json: JsonValue, path: string, depth: number): Def {
  if (!isJsonObject(json)) {
    throw mapperParsing(
      `Expected map for property [fields] on field [${path}] but got a class ${javaClass(json)}`,
    );
  }
  const type = json['type'];
  if (type === undefined) {
    if ('properties' in json || 'enabled' in json || Object.keys(json).length === 0) {
      if (Object.keys(json).length === 0) throw mapperParsing(`No type specified for field [${leaf(path)}]`);
      return readObject(json, path, false, depth);
    }
    throw mapperParsing(`No type specified for field [${leaf(path)}]`);
  }
  const name = javaValueText(type);
  if (name === 'object' || name === 'nested') return readObject(json, path, name === 'nested', depth);
  if (name === 'alias') return readAlias(json, path);
  return readField(json, name, path, false);
}

function leaf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function javaClass(value: JsonValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double';
  return typeof value === 'boolean'
    ? 'java.lang.Boolean'
    : Array.isArray(value)
      ? 'java.util.ArrayList'
      : 'java.lang.String';
}

/** Reads the definition of an object. */
export function readObject(json: JsonObject, path: string, nested: boolean, depth: number): ObjectDef {
  const params: JsonObject = {};
  let dynamic: Dynamic | undefined;
  let enabled = true;
  for (const [key, value] of Object.entries(json)) {
    if (key === 'type' || key === 'properties') continue;
    if (key === 'dynamic') dynamic = readDynamic(value);
    else if (key === 'enabled') enabled = readFlag(`${leaf(path)}.enabled`, value);
    else if (nested && (key === 'include_in_parent' || key === 'include_in_root'))
      params[key] = readFlag(key, value);
    else if (key === 'include_in_all' || key === 'disable_objects') params[key] = value;
    else
      throw mapperParsing(
        `Mapping definition for [${leaf(path)}] has unsupported parameters:  [${key} : ${javaValueText(value)}]`,
      );
  }
  return {
    kind: 'object',
    nested,
    dynamic,
    enabled,
    params,
    children: readProperties(json['properties'], path, depth),
  };
}

function readAlias(json: JsonObject, path: string): AliasDef {
  const target = json['path'];
  if (target === undefined || target === null || target === '') {
    throw mapperParsing(`The [path] property must be specified for field [${leaf(path)}].`);
  }
  for (const key of Object.keys(json)) {
    if (key !== 'type' && key !== 'path') {
      throw mapperParsing(
        `Mapping definition for [${leaf(path)}] has unsupported parameters:  [${key} : ${javaValueText(json[key]!)}]`,
      );
    }
  }
  return { kind: 'alias', path: plainText(target) };
}

/** Reads the definition of one field. `multi`: it is a sub-field. */
export function readField(json: JsonObject, type: string, path: string, multi: boolean): FieldDef {
  const known = Object.hasOwn(PARAMS, type) ? PARAMS[type]! : undefined;
  if (known === undefined)
    throw mapperParsing(`No handler for type [${type}] declared on field [${leaf(path)}]`);
  const params: JsonObject = {};
  const fields = new Map<string, FieldDef>();
  let copyTo: string[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === 'type') continue;
    if (key === 'fields') {
      readMultiFields(value, path, fields);
      continue;
    }
    if (key === 'copy_to') {
      if (multi)
        throw mapperParsing(
          `copy_to in multi fields is not allowed. Found the copy_to in field [${leaf(path)}] which is within a multi field.`,
        );
      copyTo = Array.isArray(value) ? value.map(plainText) : [plainText(value)];
      continue;
    }
    const spec = Object.hasOwn(known, key) ? known[key] : undefined;
    if (spec === undefined && type === 'flat_object') {
      const strange = Object.keys(json).filter((name) => name !== 'type' && !Object.hasOwn(known, name));
      const list = strange.map((name) => `[${name} : ${javaValueText(json[name]!)}]`);
      throw mapperParsing(
        `Mapping definition for [${leaf(path)}] has unsupported parameters:  ${list.join(' ')}`,
      );
    }
    if (spec === undefined)
      throw mapperParsing(`unknown parameter [${key}] on mapper [${leaf(path)}] of type [${type}]`);
    const read = readParam(key, spec, value, leaf(path), type);
    if (read !== spec.fallback) params[key] = read;
  }
  if (type === 'scaled_float' && params['scaling_factor'] === undefined)
    throw illegalArgument('Field [scaling_factor] is required');
  if (type === 'constant_keyword' && params['value'] === undefined) {
    throw new EngineError('parse_exception', `Field [${leaf(path)}] is missing required parameter [value]`);
  }
  const shingles = params['max_shingle_size'];
  if (type === 'search_as_you_type' && params['doc_values'] === true)
    throw mapperParsing(`Cannot set [doc_values] on field of type [${type}]`);
  if (typeof shingles === 'number' && (shingles < 2 || shingles > 4))
    throw mapperParsing(`[max_shingle_size] must be at least [2] and at most [4], got [${shingles}]`);
  const prefixes = params['index_prefixes'];
  if (isJsonObject(prefixes)) params['index_prefixes'] = { min_chars: 2, max_chars: 5, ...prefixes };
  return { kind: 'field', type, params, copyTo, fields };
}

function readMultiFields(json: JsonValue, path: string, into: Map<string, FieldDef>): void {
  if (Array.isArray(json) && json.length === 0) return;
  if (!isJsonObject(json)) {
    throw mapperParsing(
      `expected map for property [fields] on field [${javaValueText(json)}] or [fields] but got a class ${javaClass(json)}`,
    );
  }
  for (const [name, value] of Object.entries(json)) {
    if (name === '' || name.includes('.')) {
      throw mapperParsing(
        `Field name [${name}] which is a multi field of [${leaf(path)}] cannot contain '.'`,
      );
    }
    if (!isJsonObject(value))
      throw illegalArgument(`Illegal field [${name}], only fields can be specified inside fields`);
    const type = value['type'];
    if (type === undefined) throw mapperParsing(`no type specified for property [${name}]`);
    const text = javaValueText(type);
    if (text === 'object' || text === 'nested' || text === 'alias')
      throw mapperParsing(`Type [${text}] cannot be used in multi field`);
    into.set(name, readField(value, text, `${path}.${name}`, true));
  }
}

/** Copies members by name: safe for any name if `into` has no prototype. */
export function copyInto(into: JsonObject, from: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(from)) into[key] = value;
  return into;
}

const PRINTED: readonly string[] = [
  ...['analyzer', 'search_analyzer'],
  ...['preserve_separators', 'preserve_position_increments', 'max_input_length'],
];

/** The definition as `GET _mapping` shows it. Children in the order of their names. */
function printDef(def: Def): JsonObject {
  const out = Object.create(null) as JsonObject;
  if (def.kind === 'alias') {
    out['type'] = 'alias';
    out['path'] = def.path;
    return out;
  }
  if (def.kind === 'object') {
    if (def.nested) out['type'] = 'nested';
    if (def.dynamic !== undefined) out['dynamic'] = def.dynamic;
    if (!def.enabled) out['enabled'] = false;
    copyInto(out, def.params);
    if (def.children.size > 0) out['properties'] = printChildren(def.children);
    if (
      !def.nested &&
      (def.children.size === 0 || def.dynamic !== undefined || !def.enabled) &&
      def.children.size === 0
    ) {
      out['type'] = 'object';
    }
    return out;
  }
  out['type'] = def.type;
  if (def.type === 'completion') {
    // All of them are printed, as the peer does.
    for (const name of PRINTED) {
      const value = def.params[name] ?? PARAMS['completion']![name]!.fallback;
      if (value !== null) out[name] = value;
    }
  }
  if (def.type === 'search_as_you_type') {
    out['doc_values'] = false;
    out['max_shingle_size'] = 3;
  }
  // A search analyzer is always printed with the analyzer that it differs from.
  if (def.params['search_analyzer'] !== undefined) out['analyzer'] ??= 'default';
  copyInto(out, def.params);
  if (def.type === 'completion' && def.params['contexts'] !== undefined)
    out['contexts'] = printContexts(readContexts(def.params['contexts'], ''));
  if (def.copyTo.length > 0) out['copy_to'] = [...def.copyTo];
  if (def.fields.size > 0) out['fields'] = printChildren(def.fields);
  return out;
}

export function printChildren(children: ReadonlyMap<string, Def>): JsonObject {
  const out = Object.create(null) as JsonObject;
  for (const name of [...children.keys()].sort()) out[name] = printDef(children.get(name)!);
  return out;
}

/** Merges an update into a definition. Errors: illegal_argument_exception in OpenSearch's words. */
function mergeDefs(current: Def, update: Def, path: string): Def {
  if (current.kind === 'alias' || update.kind === 'alias') {
    if (current.kind === update.kind) return update;
    if (current.kind === 'object' || update.kind === 'object') throw mixed(path);
    throw illegalArgument(
      current.kind === 'alias'
        ? `Cannot merge a field alias mapping [${path}] with a mapping that is not for a field alias.`
        : `Cannot merge a field mapping [${path}] with a mapping that is for a field alias.`,
    );
  }
  if (current.kind === 'object' || update.kind === 'object') {
    if (current.kind !== update.kind) throw mixed(path);
    return mergeObjects(current as ObjectDef, update as ObjectDef, path);
  }
  return mergeFields(current, update, path);
}

function mixed(path: string): EngineError {
  return illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
}

export function mergeObjects(current: ObjectDef, update: ObjectDef, path: string): ObjectDef {
  if (current.nested !== update.nested) {
    throw illegalArgument(
      current.nested
        ? 'cannot change object mapping from nested to non-nested'
        : 'cannot change object mapping from non-nested to nested',
    );
  }
  if (current.enabled !== update.enabled) {
    throw new EngineError(
      'mapper_exception',
      `the [enabled] parameter can't be updated for the object mapping [${path}]`,
    );
  }
  const children = new Map(current.children);
  for (const [name, def] of update.children) {
    const existing = children.get(name);
    children.set(
      name,
      existing === undefined ? def : mergeDefs(existing, def, path === '' ? name : `${path}.${name}`),
    );
  }
  return {
    ...current,
    dynamic: update.dynamic ?? current.dynamic,
    params: { ...current.params, ...update.params },
    children,
  };
}

function mergeFields(current: FieldDef, update: FieldDef, path: string): FieldDef {
  if (current.type !== update.type) {
    throw illegalArgument(
      `mapper [${path}] cannot be changed from type [${current.type}] to [${update.type}]`,
    );
  }
  const conflicts: string[] = [];
  for (const [name, spec] of Object.entries(PARAMS[current.type]!)) {
    const before = current.params[name] ?? spec.fallback;
    const after = update.params[name] ?? spec.fallback;
    if (spec.update === 'always' || javaValueText(before) === javaValueText(after)) continue;
    if (spec.update === 'off' && before === true) continue;
    conflicts.push(
      `\tCannot update parameter [${name}] from [${javaValueText(before)}] to [${javaValueText(after)}]`,
    );
  }
  if (conflicts.length > 0) {
    throw illegalArgument(`Mapper for [${path}] conflicts with existing mapper:\n${conflicts.join('\n')}`);
  }
  const fields = new Map(current.fields);
  for (const [name, def] of update.fields) {
    const existing = fields.get(name);
    fields.set(name, existing === undefined ? def : mergeFields(existing, def, `${path}.${name}`));
  }
  return { ...update, fields };
}
