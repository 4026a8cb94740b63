// The view of one index for one search: its mapping and the leaves that a snapshot shows. Nothing is copied.

import { accessObjects } from '../nested/view-objects.ts';
import type { FrozenStatistics } from '../query/plan/frozen-statistics.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { SearchServices } from '../search/services.ts';
import type { LeafView } from '../segment/leaf.ts';
import type { ReadScope } from '../tail/minis/mini-lists.ts';
import type { IndexState } from '../write/index-state/index-state.ts';
import type { MappedIndex } from './indices/index-info.ts';

type Views = WeakMap<readonly LeafView[], { of: readonly unknown[]; view: IndexView }>;

// The last view of some leaves. Plans and runs are memoized by the view, so it is one object until the index changes.
//
//   key           the leaves
//   bound         one view per list of leaves, freed with the list
//   invalidation  another definition, mapping, analysis or statistics
//   benefit       without it the memos of plans and runs never have an entry for a view
const views: Views = new WeakMap();
/** The same for searches that read the index as it was (`SearchRequest.as`). */
const formerViews: Views = new WeakMap();

/** The view of an index at a snapshot. `index` is its current definition by default, or an earlier one. */
export function indexView(
  state: IndexState,
  snapshot: number,
  services: SearchServices,
  statistics?: FrozenStatistics,
  scope?: ReadScope,
  index: MappedIndex = state,
): IndexView {
  const leaves = state.leavesAt(snapshot, scope);
  const { info, mapping, analysis } = index;
  const known = index === state ? views : formerViews;
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
    nested:
      mapping.nestedPaths.length === 0
        ? undefined
        : accessObjects(services.caches.objects, info.uuid, leaves, mapping, services.readSource),
    statistics,
    analyzer: (name) => analysis.get(name),
  };
  known.set(leaves, { of: [info, mapping, analysis, statistics], view });
  return view;
}
