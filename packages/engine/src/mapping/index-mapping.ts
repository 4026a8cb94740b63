// The mapping of an index: an immutable tree of objects, fields with sub-fields, and aliases, with the
// settings of the root. A change creates a new tree that shares the unchanged parts.

import type { Analysis } from '../analysis/registry.ts';
import type { Similarity } from '../analysis/similarities.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonObject } from '../json/value.ts';
import { runToEnd } from '../turn.ts';
import { type DateFormat, dateFormat } from './dates/date-format.ts';
import { copyInto, type Def, mergeObjects, printChildren } from './definition/definition.ts';
import { DEFAULT_MAPPING_LIMITS, type MappingLimits } from './definition/mapping-limits.ts';
import { mergeOptions, type RootOptions, readRoot } from './definition/mapping-root.ts';
import { mapperParsing } from './definition/type-params.ts';
import { Field, SlotAllocator } from './field.ts';
import type { FieldSpec } from './field-spec.ts';
import {
  buildNode,
  copyNode,
  countFields,
  depthOf,
  type MappingNode,
  type ObjectNode,
  putChild,
} from './mapping-nodes.ts';
import { keywordType } from './types/keywords.ts';
import type { FieldType, Mapping } from './types/type.ts';
import { matchesPattern } from './wildcards.ts';

/** Date formats that unknown strings are tried against by default. */
const DYNAMIC_DATES: readonly string[] = [
  'strict_date_optional_time',
  'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis',
];

/** The mapping of an index. */
export class IndexMapping implements Mapping {
  readonly root: ObjectNode;
  readonly options: RootOptions;
  readonly analysis: Analysis;
  readonly limits: MappingLimits;
  readonly slots: SlotAllocator;
  /** The field for the paths of ignored values (`_ignored`). */
  readonly ignored: FieldSpec;
  readonly dynamicDates: readonly { text: string; format: DateFormat }[];
  #size: number;
  #flat: Map<string, FieldType> | undefined;
  #nested: readonly ObjectNode[] | undefined;
  #aliases: Map<string, string> | undefined;

  constructor(
    root: ObjectNode,
    options: RootOptions,
    analysis: Analysis,
    limits: MappingLimits,
    slots: SlotAllocator,
    ignored: FieldSpec,
    size: number,
  ) {
    this.root = root;
    this.options = options;
    this.analysis = analysis;
    this.limits = limits;
    this.slots = slots;
    this.ignored = ignored;
    this.#size = size;
    this.dynamicDates = (options.dateFormats ?? DYNAMIC_DATES).map((text) => ({
      text,
      format: dateFormat(text),
    }));
  }

  /** Objects, fields, sub-fields and aliases. */
  get size(): number {
    return this.#size;
  }

  get slotCount(): number {
    return this.slots.count;
  }

  get similarity(): Similarity {
    return this.analysis.similarities.default;
  }

  get routingRequired(): boolean {
    return this.options.routing?.['required'] === true;
  }

  get sourceEnabled(): boolean {
    return this.options.source?.['enabled'] !== false;
  }

  get sourceFilter():
    | { readonly includes: readonly string[]; readonly excludes: readonly string[] }
    | undefined {
    const list = (name: string): string[] => {
      const value = this.options.source?.[name];
      return Array.isArray(value) ? value.map(plainText) : typeof value === 'string' ? [value] : [];
    };
    const includes = list('includes');
    const excludes = list('excludes');
    return includes.length + excludes.length === 0 ? undefined : { includes, excludes };
  }

  field(path: string): FieldType | undefined {
    const flat = this.#fields();
    const found = flat.get(path) ?? flat.get(this.#aliases!.get(path) ?? '');
    if (found !== undefined || !path.includes('.')) return found;
    return this.#flatField(path);
  }

  fields(): Iterable<FieldType> {
    return this.#fields().values();
  }

  matching(pattern: string): string[] {
    const flat = this.#fields();
    if (!pattern.includes('*')) return flat.has(pattern) || this.#aliases!.has(pattern) ? [pattern] : [];
    return [...flat.keys(), ...this.#aliases!.keys()].filter((path) => matchesPattern(pattern, path));
  }

  isObject(path: string): boolean {
    return this.node(path)?.kind === 'object';
  }

  isNested(path: string): boolean {
    const node = this.node(path);
    return node?.kind === 'object' && node.def.nested;
  }

  get nestedPaths(): readonly string[] {
    return this.nestedNodes.map(({ path }) => path);
  }

  /** The nested objects, outer ones before those within them. */
  get nestedNodes(): readonly ObjectNode[] {
    if (this.#nested !== undefined) return this.#nested;
    const found: ObjectNode[] = [];
    const walk = (node: MappingNode): void => {
      if (node.kind !== 'object') return;
      if (node.def.nested) found.push(node);
      for (const child of node.children.values()) walk(child);
    };
    walk(this.root);
    return (this.#nested = found);
  }

  /** The node at a path. Sub-fields are not nodes. */
  node(path: string): MappingNode | undefined {
    let node: MappingNode | undefined = this.root;
    if (path === '') return node;
    for (const name of path.split('.')) {
      if (node?.kind !== 'object') return undefined;
      node = node.children.get(name);
    }
    return node;
  }

  toJson(): JsonObject {
    const { options } = this;
    const out = Object.create(null) as JsonObject;
    if (this.root.def.dynamic !== undefined) out['dynamic'] = this.root.def.dynamic;
    copyInto(out, options.rest);
    if (options.routing !== undefined && Object.keys(options.routing).length > 0)
      out['_routing'] = options.routing;
    if (options.source !== undefined && Object.keys(options.source).length > 0)
      out['_source'] = options.source;
    if (options.dateFormats !== undefined) out['dynamic_date_formats'] = [...options.dateFormats];
    if (options.templates.length > 0) {
      out['dynamic_templates'] = options.templates.map((template) => ({ [template.name]: template.json }));
    }
    if (options.dateDetection !== undefined) out['date_detection'] = options.dateDetection;
    if (options.numericDetection !== undefined) out['numeric_detection'] = options.numericDetection;
    if (!this.root.def.enabled) out['enabled'] = false;
    if (this.root.def.children.size > 0) out['properties'] = printChildren(this.root.def.children);
    return out;
  }

  /**
   * The mapping with one more definition below an existing object. `own` has the objects that were created for the same
   * document and that nobody else sees: they are extended in place, so a document costs one copy of what it extends,
   * however many fields it adds. Errors: limits; the contents of `own` are invalid afterwards.
   */
  add(parent: string, name: string, def: Def, own: Set<object>): IndexMapping {
    const grown = own.has(this) ? this : this.#with(copyNode(this.root, own), this.options, this.#size);
    own.add(grown);
    let node = grown.root;
    for (const key of parent === '' ? [] : parent.split('.')) {
      let below = node.children.get(key) as ObjectNode;
      if (!own.has(below)) putChild(node, key, (below = copyNode(below, own)));
      node = below;
    }
    const path = parent === '' ? name : `${parent}.${name}`;
    putChild(node, name, runToEnd(buildNode(path, def, this.analysis, this.slots, undefined)));
    grown.#size += countFields(def);
    grown.#flat = undefined;
    checkLimits(grown, path.split('.').length - (def.kind === 'object' ? 0 : 1));
    if (def.kind === 'object' && def.nested) {
      grown.#nested = undefined;
      checkNested(grown);
    }
    return grown;
  }

  /**
   * The mapping after an update, in steps of at most 20 ms for 10,000 fields. Errors: illegal_argument_exception, and
   * those of reading a mapping.
   */
  *merge(update: JsonObject): Generator<void, IndexMapping, undefined> {
    const read = readRoot(update);
    yield;
    const def = mergeObjects(
      this.root.def,
      { ...read.def, enabled: 'enabled' in update ? read.def.enabled : this.root.def.enabled },
      '',
    );
    const options = mergeOptions(this.options, read.options);
    yield;
    const root = (yield* buildNode('', def, this.analysis, this.slots, this.root)) as ObjectNode;
    yield;
    const merged = this.#with(root, options, countFields(def) - 1);
    checkLimits(merged, depthOf(def));
    checkNested(merged);
    checkAliases(merged);
    return merged;
  }

  /** The same fields under other limits. */
  withLimits(limits: MappingLimits): IndexMapping {
    return this.#with(this.root, this.options, this.#size, limits);
  }

  #with(root: ObjectNode, options: RootOptions, size: number, limits = this.limits): IndexMapping {
    return new IndexMapping(root, options, this.analysis, limits, this.slots, this.ignored, size);
  }

  #fields(): Map<string, FieldType> {
    if (this.#flat !== undefined) return this.#flat;
    const flat = new Map<string, FieldType>();
    const aliases = new Map<string, string>();
    const addField = (field: Field): void => {
      flat.set(field.path, field);
      for (const sub of field.multi) addField(sub);
    };
    const walk = (node: MappingNode): void => {
      if (node.kind === 'field') addField(node.field);
      else if (node.kind === 'alias') aliases.set(node.path, node.def.path);
      else for (const child of node.children.values()) walk(child);
    };
    walk(this.root);
    this.#aliases = aliases;
    return (this.#flat = flat);
  }

  /**
   * A key below a flat_object: a keyword whose terms are `key=value` (with the full path, as in OpenSearch).
   */
  #flatField(path: string): FieldType | undefined {
    for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      const field = this.#fields().get(path.slice(0, dot));
      if (field?.kind !== 'flat_object' || !(field instanceof Field)) continue;
      const part = field.keys!;
      return {
        path: part.path,
        kind: 'keyword',
        spec: part,
        params: field.params,
        searchable: true,
        hasDocValues: false,
        similarity: this.similarity,
        analyzer: undefined,
        searchAnalyzer: undefined,
        searchQuoteAnalyzer: undefined,
        numeric: undefined,
        bytes: keywordType(undefined, `${path}=`),
        range: undefined,
      };
    }
    return undefined;
  }
}

/**
 * The specs of all fields by names that are the same in every reading of the mapping. (Slots depend on its history.)
 */
export function fieldSpecsByName(mapping: Mapping): Map<string, FieldSpec> {
  const named = new Map<string, FieldSpec>([['', (mapping as IndexMapping).ignored]]);
  for (const field of (mapping as IndexMapping).fields()) {
    named.set(field.path, field.spec);
    if (!(field instanceof Field)) continue;
    if (field.keys !== undefined) named.set(`${field.path}=`, field.keys);
    if (field.inputs !== undefined) named.set(field.inputs.path, field.inputs.spec);
  }
  for (const { nested } of (mapping as IndexMapping).nestedNodes) named.set(nested!.path, nested!);
  return named;
}

function checkLimits(mapping: IndexMapping, depth: number): void {
  const { totalFields, depth: maxDepth } = mapping.limits;
  if (mapping.size > totalFields)
    throw illegalArgument(`Limit of total fields [${totalFields}] has been exceeded`);
  if (depth >= maxDepth) {
    throw illegalArgument(`Limit of mapping depth [${maxDepth}] has been exceeded`);
  }
}

function checkNested(mapping: IndexMapping): void {
  const { nestedFields } = mapping.limits;
  if (mapping.nestedNodes.length > nestedFields)
    throw illegalArgument(`Limit of nested fields [${nestedFields}] has been exceeded`);
}

function checkAliases(mapping: IndexMapping): void {
  const walk = (node: MappingNode): void => {
    if (node.kind === 'object') for (const child of node.children.values()) walk(child);
    else if (node.kind === 'alias') {
      const target = node.def.path;
      const fault = `Invalid [path] value [${target}] for field alias [${node.path}]: an alias must refer to an existing field in the mappings.`;
      if (target === node.path) {
        throw mapperParsing(
          `Invalid [path] value [${target}] for field alias [${node.path}]: an alias cannot refer to itself.`,
        );
      }
      if (mapping.node(target)?.kind === 'alias') {
        throw mapperParsing(
          `Invalid [path] value [${target}] for field alias [${node.path}]: an alias cannot refer to another alias.`,
        );
      }
      if (mapping.field(target) === undefined) throw mapperParsing(fault);
    }
  };
  walk(mapping.root);
}

interface ParseOptions {
  readonly limits?: MappingLimits;
  /** The mapping was accepted before, perhaps under other limits, so limits are not checked. */
  readonly isAccepted?: boolean;
}

/** As `parseMappingSteps`, at once. */
export function parseMapping(json: JsonObject, analysis: Analysis, options?: ParseOptions): Mapping {
  return runToEnd(parseMappingSteps(json, analysis, options));
}

/**
 * Reads the mapping of a new index, in steps. Errors: mapper_parsing_exception `Failed to parse mapping [_doc]: …` with its
 * cause.
 */
export function* parseMappingSteps(
  json: JsonObject,
  analysis: Analysis,
  options: ParseOptions = {},
): Generator<void, Mapping, undefined> {
  const { limits = DEFAULT_MAPPING_LIMITS, isAccepted = false } = options;
  const names = Object.keys(json);
  if (names.length === 1 && names[0] === '_doc')
    throw illegalArgument('The mapping definition cannot be nested under a type');
  let mapping: IndexMapping;
  try {
    const read = readRoot(json);
    yield;
    const slots = new SlotAllocator();
    const ignored = slots.take({ path: '_ignored', index: 'docs', norms: false, column: 'none' });
    const root = (yield* buildNode('', read.def, analysis, slots, undefined)) as ObjectNode;
    mapping = new IndexMapping(
      root,
      read.options,
      analysis,
      limits,
      slots,
      ignored,
      countFields(read.def) - 1,
    );
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError('mapper_parsing_exception', `Failed to parse mapping [_doc]: ${error.message}`, {
      causedBy: error,
    });
  }
  if (!isAccepted) {
    checkLimits(mapping, depthOf(mapping.root.def));
    checkNested(mapping);
  }
  checkAliases(mapping);
  return mapping;
}

/** The same mapping under other settings, whose limits it may exceed. All fields keep their slots. */
export function rereadMapping(current: Mapping, analysis: Analysis, limits: MappingLimits): Mapping {
  const { root: before, slots, ignored, size } = current as IndexMapping;
  const { def, options } = readRoot(current.toJson());
  const root = runToEnd(buildNode('', def, analysis, slots, before)) as ObjectNode;
  return new IndexMapping(root, options, analysis, limits, slots, ignored, size);
}

/** The mapping after `PUT _mapping`, in steps: a new one, slots of known fields kept. */
export function mergeMapping(current: Mapping, update: JsonObject): Generator<void, Mapping, undefined> {
  return (current as IndexMapping).merge(update);
}
