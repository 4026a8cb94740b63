// What a filter may ask for when it is made: other parts of the same index.

import type { Analyzer } from './analyzer.ts';
import type { TokenFilter } from './chain.ts';

export interface PartSource {
  /** A filter by name; undefined when unknown. */
  filter(name: string): TokenFilter | undefined;
  /** An analyzer that exists without configuration; undefined when unknown. */
  builtInAnalyzer(name: string): Analyzer | undefined;
}
