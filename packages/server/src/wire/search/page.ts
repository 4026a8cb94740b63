// How does a page of a search go out? Plain hits as bytes that are spliced at once; everything else as a tree, which
// `pretty`, `filter_path` and other replies around it can work on.

import type { SearchResult } from '@octavo/engine';
import type { Reply, ReplyObject, Services } from '../route.ts';
import type { SearchCall } from '../search.ts';
import type { Target } from '../target.ts';
import { isPlain, PagePrinter } from './page-printer.ts';
import { searchBody } from './reply.ts';
import type { SearchSpec } from './spec.ts';

/** What stands around the members that every search has, and who prints it. */
export interface PageParts {
  /** Ids of scrolls and points in time. */
  readonly first?: ReplyObject | undefined;
  /** Tokens. */
  readonly last?: ReplyObject | undefined;
  /** The hits, where they have been printed already. */
  readonly hits?: ReplyObject | undefined;
  /** The printer of this target and spec, where there is one already. */
  readonly printer?: PagePrinter | undefined;
}

/** The reply to a search. */
export function pageReply(
  call: SearchCall,
  services: Services,
  target: Target,
  spec: SearchSpec,
  result: SearchResult,
  started: number,
  { first, last, hits, printer }: PageParts = {},
): Reply {
  if (wantsBytes(call) && isPlain(spec) && target.infos.length > 0) {
    const bytes = (printer ?? new PagePrinter(target, spec)).print(spec, result, started, first, last);
    if (bytes !== undefined) return { bytes };
  }
  return { body: { ...first, ...searchBody(services, target, spec, result, started, hits), ...last } };
}

/** True where nothing works on the tree of a reply. */
function wantsBytes({ params, isItem }: SearchCall): boolean {
  return isItem !== true && !params.has('pretty') && !params.has('filter_path');
}
