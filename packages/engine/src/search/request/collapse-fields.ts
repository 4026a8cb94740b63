// Resolves the field of `collapse` against the mappings of indices.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { attachPlace } from '../../place.ts';
import type { IndexView } from '../../query/plan/index-view.ts';

const NUMBERS = [
  'token_count',
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'unsigned_long',
];
const KINDS = new Set<string>(['keyword', ...NUMBERS]);
const OPTIONS = new Set(['field', 'inner_hits', 'max_concurrent_group_searches']);

/**
 * The field to collapse by, in each index: an alias may mean another one in each. Throws the peer's errors for
 * what cannot be collapsed by, or what an index does not map. If `ignoreUnmapped` and another index maps it,
 * the documents of that index have no value.
 */
export function collapseFields(
  collapse: JsonObject,
  views: readonly IndexView[],
  ignoreUnmapped = false,
): readonly (string | undefined)[] {
  for (const name of Object.keys(collapse)) {
    if (!OPTIONS.has(name))
      throw attachPlace(new EngineError('x_content_parse_exception', `[collapse] unknown field [${name}]`), {
        holder: collapse,
        key: name,
        at: 'key',
      });
  }
  const path = collapse['field'];
  if (typeof path !== 'string') {
    throw new EngineError('parsing_exception', '[collapse] requires a [field] to collapse on');
  }
  const fields = views.map((v) => v.mapping.field(path));
  const isUnmapped = (field: FieldType | undefined): boolean => field === undefined;
  if (ignoreUnmapped ? fields.every(isUnmapped) : fields.some(isUnmapped))
    throw illegalArgument(`no mapping found for \`${path}\` in order to collapse on`);
  for (const field of fields) {
    if (field === undefined) continue;
    if (!KINDS.has(field.kind)) {
      throw illegalArgument(
        `unknown type for collapse field \`${path}\`, only keywords and numbers are accepted`,
      );
    }
    if (!field.hasDocValues)
      throw illegalArgument(`cannot collapse on field \`${path}\` without \`doc_values\``);
    if (field.params['index'] === false && collapse['inner_hits'] !== undefined)
      throw illegalArgument(
        `cannot expand \`inner_hits\` for collapse field \`${path}\`, only indexed field can retrieve \`inner_hits\``,
      );
  }
  return fields.map((field) => field?.path);
}
