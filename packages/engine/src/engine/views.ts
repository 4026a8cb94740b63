// What does one search see? A view per index: its mapping and the leaves that a snapshot shows, nothing copied.

import type { FrozenStatistics } from '../query/frozen.ts';
import type { IndexView } from '../query/view.ts';
import type { IndexState } from '../write/index-state.ts';

/** The index as snapshot S shows it. */
export function viewOf(state: IndexState, snapshot: number, statistics?: FrozenStatistics): IndexView {
  return {
    name: state.info.name,
    uuid: state.info.uuid,
    mapping: state.mapping,
    settings: state.info.settings,
    aliases: Object.keys(state.info.aliases),
    leaves: state.view(snapshot),
    statistics,
    analyzer: (name) => state.analysis.get(name),
  };
}
