// Resolves lists of fields such as `["title^3", "body.*"]`. Patterns are expanded over the mapping; fields
// that cannot be searched as text are left out unless they are named.

import { listOf } from '../../analysis/params.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { Planner } from '../plan/planner.ts';
import { isSearchable } from './field-value.ts';
import { isMeta } from './metadata.ts';

/** A field, or a pattern of fields, with its boost. */
export interface WeightedField {
  readonly path: string;
  readonly boost: number;
}

/** Reads `title^3`. */
export function parseWeightedField(text: string): WeightedField {
  const caret = text.indexOf('^');
  if (caret < 0) return { path: text, boost: 1 };
  const number = text.slice(caret + 1);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(number)) {
    throw new EngineError('number_format_exception', `For input string: "${number}"`);
  }
  const boost = Math.fround(Number(number));
  if (boost < 0) throw illegalArgument(`negative [boost] are not allowed in [${text}]`);
  return { path: text.slice(0, caret), boost };
}

/** The fields that queries without a field list search, and whether these are all fields. */
export function defaultFields(planner: Planner): { list: WeightedField[]; all: boolean } {
  const setting = planner.view.settings['index.query.default_field'];
  const set = setting === undefined ? [] : listOf(setting);
  const names = set.length === 0 ? ['*'] : set;
  return { list: names.map(parseWeightedField), all: names.length === 1 && names[0] === '*' };
}

/**
 * Expands patterns. Of a name or pattern that is given twice the last boost counts; the boosts of a field that several of them
 * name are multiplied. Paths that are not mapped stay as they are.
 */
export function expandFields(planner: Planner, list: readonly WeightedField[]): WeightedField[] {
  const found = new Map<string, number>();
  const add = (path: string, boost: number): void => {
    found.set(path, Math.fround((found.get(path) ?? 1) * boost));
  };
  for (const [path, boost] of new Map(list.map((each) => [each.path, each.boost]))) {
    if (!path.includes('*')) {
      const field = planner.field(path);
      // Keys of a flat_object share one dictionary: their path tells them apart.
      add(field === undefined || field.bytes?.prefix !== undefined ? path : field.path, boost);
      continue;
    }
    for (const each of planner.view.mapping.matching(path)) {
      const field = planner.field(each);
      if (field !== undefined && !isMeta(each) && takesText(field)) add(field.path, boost);
    }
  }
  const limit = planner.limits.maxFields;
  if (found.size > limit) {
    throw illegalArgument(`field expansion matches too many fields, limit: ${limit}, got: ${found.size}`);
  }
  return [...found].map(([path, boost]) => ({ path, boost }));
}

/** Whether texts can be searched in the field. */
function takesText(field: FieldType): boolean {
  switch (field.kind) {
    case 'binary':
    case 'geo_point':
    case 'object':
    case 'alias':
    case 'unsupported':
    case 'rank_feature':
    case 'rank_features':
      return false;
    default:
      // As in the peer, the columns of ranges are not looked through where all fields are meant.
      return field.range === undefined ? isSearchable(field) : field.searchable;
  }
}
