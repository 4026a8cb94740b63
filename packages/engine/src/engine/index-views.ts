// What does one search see? A view per index: its mapping and the leaves that a snapshot shows, nothing copied.

import type { FrozenStatistics } from '../query/plan/frozen-statistics.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { LeafView } from '../segment/leaf.ts';
import type { ReadScope } from '../tail/tail.ts';
import type { IndexState } from '../write/index-state/index-state.ts';
import type { IndexReading } from './indices/index-info.ts';

type Views = WeakMap<readonly LeafView[], { of: readonly unknown[]; view: IndexView }>;

/** The last view of leaves: the same object until something about the index changes. */
const views: Views = new WeakMap();
/** The last view of leaves that are read as their index was. */
const formerViews: Views = new WeakMap();

/** The index as snapshot S shows it, read as it is, or as it was. */
export function indexView(
  state: IndexState,
  snapshot: number,
  statistics?: FrozenStatistics,
  wanted?: ReadScope,
  reading: IndexReading = state,
): IndexView {
  const leaves = state.view(snapshot, wanted);
  const { info, mapping, analysis } = reading;
  const known = reading === state ? views : formerViews;
  const last = known.get(leaves);
  const [lastInfo, lastMapping, lastAnalysis, lastStatistics] = last?.of ?? [];
  if (
    last !== undefined &&
    lastInfo === info &&
    lastMapping === mapping &&
    lastAnalysis === analysis &&
    lastStatistics === statistics
  ) {
    return last.view;
  }
  const view: IndexView = {
    name: info.name,
    uuid: info.uuid,
    mapping,
    settings: info.settings,
    aliases: Object.keys(info.aliases),
    leaves,
    statistics,
    analyzer: (name) => analysis.get(name),
  };
  known.set(leaves, { of: [info, mapping, analysis, statistics], view });
  return view;
}
