// Runs the search of the engine over views that a test has made.

import type { SearchRequest, SearchResult } from '../src/api.ts';
import type { IndexView } from '../src/query/plan/index-view.ts';
import { Deadline, runInSlices } from '../src/search/deadline.ts';
import { search } from '../src/search/search.ts';
import type { SearchServices } from '../src/search/services.ts';

/** Searches views to the end, and copies the page. */
export async function executeSearch(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  snapshot: number,
): Promise<SearchResult> {
  const deadline = new Deadline(request, services.clock);
  const page = await runInSlices(search(views, request, services, snapshot, deadline), deadline);
  return page.result();
}
