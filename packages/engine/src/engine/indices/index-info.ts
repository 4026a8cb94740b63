// The public description of an index (`indices.info`), and the definition the index had when it was given
// out. A cursor hands the description of its first page back: its later pages read the index with that
// mapping (`SearchRequest.as`), which lives as long as the description is referenced.

import type { IndexInfo } from '../../api.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';

/** An index as a request reads it: its definition, mapping and analysis, the current ones or earlier ones. */
export type MappedIndex = Pick<IndexState, 'info' | 'mapping' | 'analysis'>;

/** The last description of an index. */
const last = new WeakMap<IndexState, IndexInfo>();
const mappedIndices = new WeakMap<IndexInfo, MappedIndex>();

/** The description of an index: frozen, and the same object until the index changes. */
export function indexInfo(state: IndexState): IndexInfo {
  const { info, mapping, analysis } = state;
  const before = last.get(state);
  const known = before && mappedIndices.get(before);
  if (known?.info === info && known.mapping === mapping) return before!;
  let printed: JsonObject | undefined;
  const description: IndexInfo = Object.freeze({
    ...info,
    // Serialized on first use: most callers read settings only.
    get mappings() {
      return (printed ??= deepFreeze(mapping.toJson()));
    },
  });
  last.set(state, description);
  mappedIndices.set(description, { info, mapping, analysis });
  return description;
}

/**
 * The definition an index had when this description was given out; the current one if it is unchanged or the
 * description is of another index.
 */
export function mappedIndexAt(description: IndexInfo, state: IndexState): MappedIndex {
  const isPast = description.uuid === state.info.uuid && description !== indexInfo(state);
  return (isPast ? mappedIndices.get(description) : undefined) ?? state;
}

/** Freezes a mapping: all callers share it. */
function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) deepFreeze(each);
    Object.freeze(value);
  }
  return value;
}
