// What does a query need to know of an index? One snapshot of it: its name, its mapping and its leaves.

import type { Analyzer } from '../../analysis/analyzer.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { LeafView } from '../../segment/leaf.ts';
import type { FrozenStatistics } from './frozen-statistics.ts';

/** One index as one search sees it. */
export interface IndexView {
  readonly name: string;
  readonly uuid: string;
  readonly mapping: Mapping;
  /** Flat settings: `index.query.default_field` → '*'. */
  readonly settings: Readonly<Record<string, string>>;
  /** Aliases of the index: `_index` matches them too. */
  readonly aliases?: readonly string[];
  readonly leaves: readonly LeafView[];
  /** What scores of this snapshot are made of, once it has been asked for; counted anew each time where missing. */
  readonly statistics?: FrozenStatistics | undefined;
  /** An analyzer by name, the index's own or a built-in one. */
  analyzer(name: string): Analyzer | undefined;
}
