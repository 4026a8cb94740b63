// What is told of an index, and how was the index read when that was told? Walks hand back what they were told at their beginning:
// the mapping that goes with it lives for as long as somebody has it.

import type { IndexInfo } from '../../api.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';

/** How an index is read. */
export type IndexReading = Pick<IndexState, 'info' | 'mapping' | 'analysis'>;

/** What was last told of an index. */
const last = new WeakMap<IndexState, IndexInfo>();
const readings = new WeakMap<IndexInfo, IndexReading>();

/** What is told of an index: frozen, and the same object until something about it changes. */
export function indexInfo(state: IndexState): IndexInfo {
  const { info, mapping, analysis } = state;
  const before = last.get(state);
  const known = before && readings.get(before);
  if (known?.info === info && known.mapping === mapping) return before!;
  let printed: JsonObject | undefined;
  const told: IndexInfo = Object.freeze({
    ...info,
    // Printed only where somebody looks: most callers want settings.
    get mappings() {
      return (printed ??= deepFreeze(mapping.toJson()));
    },
  });
  last.set(state, told);
  readings.set(told, { info, mapping, analysis });
  return told;
}

/** How an index was read when this was told of it; as it is now where that is so still, or where it was another index. */
export function readingAt(told: IndexInfo, state: IndexState): IndexReading {
  const isPast = told.uuid === state.info.uuid && told !== indexInfo(state);
  return (isPast ? readings.get(told) : undefined) ?? state;
}

/** Nobody who is shown a mapping may change it: others are shown the same. */
function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) deepFreeze(each);
    Object.freeze(value);
  }
  return value;
}
