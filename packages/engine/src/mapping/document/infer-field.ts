// What does an unknown field become? A template's mapping, or what its first value suggests.

import { FALSE, NUMBER, TRUE } from '../../json/scanner.ts';
import { UTC } from '../dates/zone.ts';
import { type Def, type Dynamic, type FieldDef, readField, readObject } from '../definition/definition.ts';
import { type DetectedType, fillTemplate, findTemplate } from '../definition/dynamic-templates.ts';
import { javaValueText, mapperParsing } from '../definition/type-params.ts';
import type { IndexMapping } from '../index-mapping.ts';
import type { ObjectNode } from '../mapping-nodes.ts';
import { floatOf } from '../types/floats.ts';
import { strictMappingFault } from './document-errors.ts';
import { type Scalar, scalarText } from './write-scalar.ts';

/** The definition of an object that a document brings; undefined where it is left out. */
export function inferObject(
  mapping: IndexMapping,
  node: ObjectNode,
  name: string,
  dynamic: Dynamic,
): Def | undefined {
  const path = node.path === '' ? name : `${node.path}.${name}`;
  const template = findTemplate(mapping.options.templates, name, path, 'object');
  if (dynamic === 'strict' || (dynamic === 'strict_allow_templates' && template === undefined))
    throw strictMappingFault(dynamic, name, node.path);
  if (dynamic === 'false' || (dynamic === 'false_allow_templates' && template === undefined))
    return undefined;
  if (template === undefined) return readObject({}, path, false, 0);
  const json = fillTemplate(template, name, 'object');
  const type = javaValueText(json['type']!);
  if (type !== 'object' && type !== 'nested') return readField(json, type, path, false);
  // What a template says beside these is passed over, as the peer does.
  const known = ['dynamic', 'enabled', 'properties'].filter((key) => Object.hasOwn(json, key));
  const object = Object.fromEntries(known.map((key) => [key, json[key]!]));
  return readObject(object, path, type === 'nested', 0);
}

/** The definition that a first value suggests. */
export function inferField(
  mapping: IndexMapping,
  name: string,
  path: string,
  value: Scalar,
  dynamic: Dynamic,
  parent: string,
): FieldDef | undefined {
  const first = inferType(mapping, value);
  const template = findTemplate(mapping.options.templates, name, path, first.seen);
  if (template === undefined) {
    if (dynamic === 'strict_allow_templates') throw strictMappingFault(dynamic, name, parent);
    return dynamic === 'false_allow_templates' ? undefined : first.def;
  }
  const json = fillTemplate(template, name, first.seen);
  const format = first.def.params['format'];
  if (json['type'] === 'date' && format !== undefined && json['format'] === undefined)
    json['format'] = format;
  const type = javaValueText(json['type']!);
  if (type === 'object' || type === 'nested') {
    throw mapperParsing(
      `object mapping for [${path}] tried to parse field [${name}] as object, but found a concrete value`,
    );
  }
  return readField(json, type, path, false);
}

/** What a scalar looks like, and the plain definition for it. */
export function inferType(mapping: IndexMapping, value: Scalar): { seen: DetectedType; def: FieldDef } {
  if (value.token === TRUE || value.token === FALSE) return { seen: 'boolean', def: field('boolean') };
  if (value.token === NUMBER) {
    return value.integer ? { seen: 'long', def: field('long') } : { seen: 'double', def: field('float') };
  }
  const { options } = mapping;
  const text = scalarText(value);
  if (options.dateDetection !== false && text.length < 100 && /[:/-]/.test(text)) {
    for (const { text: name, format } of mapping.dynamicDates) {
      if (format.read(text, UTC, false) === undefined) continue;
      const plain =
        name === 'strict_date_optional_time' || name === 'strict_date_optional_time||epoch_millis';
      const params = plain
        ? {}
        : name.includes('||')
          ? { format: name, print_format: name.split('||')[0]! }
          : { format: name };
      return { seen: 'date', def: field('date', params) };
    }
  }
  if (options.numericDetection === true && text.length < 400) {
    if (/^[+-]?\d{1,19}$/.test(text)) return { seen: 'long', def: field('long') };
    if (floatOf(text) !== undefined) return { seen: 'double', def: field('float') };
  }
  return { seen: 'string', def: STRING_FIELD };
}

function field(type: string, params: FieldDef['params'] = {}): FieldDef {
  return { kind: 'field', type, params, copyTo: [], fields: new Map() };
}

/** What an unknown string becomes: text, and a keyword beside it. */
const STRING_FIELD: FieldDef = {
  ...field('text'),
  fields: new Map([['keyword', field('keyword', { ignore_above: 256 })]]),
};
