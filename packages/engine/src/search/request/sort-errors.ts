// Errors for fields that cannot be sorted on, in the peer's words.

import { EngineError, illegalArgument } from '../../errors.ts';
import { noFielddata, textFielddata } from '../../mapping/types/fielddata-errors.ts';
import type { FieldKind } from '../../mapping/types/type.ts';

const METADATA = new Set(['_version', '_source', '_ignored', '_routing', '_field_names']);

/** The error for sorting on a field of a kind that has no sortable values; kind undefined: no such field. */
export function unsortable(path: string, kind: FieldKind | undefined): EngineError {
  if (METADATA.has(path)) {
    return illegalArgument(`Fielddata is not supported on field [${path}] of type [${path}]`);
  }
  if (kind === undefined) {
    return new EngineError('query_shard_exception', `No mapping found for [${path}] in order to sort on`);
  }
  if (kind === 'text' || kind === 'match_only_text') return textFielddata(path);
  if (kind === 'geo_point') {
    return illegalArgument(
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    );
  }
  return noFielddata(path, kind);
}
