// One index as a query sees it: a snapshot with its name, mapping, settings and leaves.

import type { Analyzer } from '../../analysis/analyzer.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { NestedAccess } from '../../nested/view-objects.ts';
import type { LeafView } from '../../segment/leaf.ts';
import type { FrozenStatistics } from './frozen-statistics.ts';

/** One index as one search sees it. */
export interface IndexView {
  readonly name: string;
  readonly uuid: string;
  readonly mapping: Mapping;
  /** Flat settings: `index.query.default_field` → '*'. */
  readonly settings: Readonly<Record<string, string>>;
  /** Aliases of the index, which `_index` matches too. */
  readonly aliases?: readonly string[];
  readonly leaves: readonly LeafView[];
  /** The objects within its documents. Absent if nothing is nested. */
  readonly nested?: NestedAccess | undefined;
  /** Statistics of this snapshot for scores. Without them each plan counts its own. */
  readonly statistics?: FrozenStatistics | undefined;
  /** An analyzer by name, the index's own or a built-in one. */
  analyzer(name: string): Analyzer | undefined;
}
