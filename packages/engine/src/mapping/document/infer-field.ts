// Infers the definition of an unknown field: from the first matching dynamic template, else from its
// first value.

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

/** Longer texts are no dates and no numbers. */
const MOST_DETECTED_BYTES = 2_000;

/** The definition of an unknown object; undefined if it is ignored. */
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
  // Other parameters of a template are ignored, as in OpenSearch.
  const known = ['dynamic', 'enabled', 'properties'].filter((key) => Object.hasOwn(json, key));
  const object = Object.fromEntries(known.map((key) => [key, json[key]!]));
  return readObject(object, path, type === 'nested', 0);
}

/** The definition of an unknown field; undefined if it is ignored. */
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

/** The detected type of a scalar, and its default definition. */
export function inferType(mapping: IndexMapping, value: Scalar): { seen: DetectedType; def: FieldDef } {
  if (value.token === TRUE || value.token === FALSE) return { seen: 'boolean', def: field('boolean') };
  if (value.token === NUMBER) {
    return value.integer ? { seen: 'long', def: field('long') } : { seen: 'double', def: field('float') };
  }
  const { options } = mapping;
  // Too long for a date or a number in any encoding: a text of megabytes is not decoded for this.
  if (value.stop - value.start > MOST_DETECTED_BYTES) return { seen: 'string', def: STRING_FIELD };
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

/** The default definition of a string: text with a keyword sub-field. */
const STRING_FIELD: FieldDef = {
  ...field('text'),
  fields: new Map([['keyword', field('keyword', { ignore_above: 256 })]]),
};
