// Which questions are there? In the order in which they are asked: memory before anything else has used some, writes after
// the reads, restarts last.

import type { Question } from './question.ts';
import { ascSortTimestamp } from './questions/asc_sort_timestamp.ts';
import { ascSortWithAfterTimestamp } from './questions/asc_sort_with_after_timestamp.ts';
import { bulk } from './questions/bulk.ts';
import { bulkExistingIds } from './questions/bulk_existing_ids.ts';
import { bulkPartialUpdate } from './questions/bulk_partial_update.ts';
import { bytesWrittenPerJson } from './questions/bytes_written.ts';
import { deepScore } from './questions/deep_score.ts';
import { descSortTimestamp } from './questions/desc_sort_timestamp.ts';
import { descSortWithAfterTimestamp } from './questions/desc_sort_with_after_timestamp.ts';
import { exportScroll } from './questions/export_scroll.ts';
import { exportTokens } from './questions/export_tokens.ts';
import { firstUseOfFilter } from './questions/first_use_of_filter.ts';
import { firstUseOfSort } from './questions/first_use_of_sort.ts';
import { jumpRandomPage } from './questions/jump_random_page.ts';
import { ledger } from './questions/ledger.ts';
import { matchAll } from './questions/match-all.ts';
import { memoryAtRest } from './questions/memory_at_rest.ts';
import { pageInEngine } from './questions/page_in_engine.ts';
import { pageVsStatic } from './questions/page_vs_static.ts';
import { pageWalkUnderIngest } from './questions/page_walk_under_ingest.ts';
import { pagesBackwards } from './questions/pages_backwards.ts';
import { put } from './questions/put_1_16_64.ts';
import { putThenFound } from './questions/put_then_found.ts';
import { range } from './questions/range.ts';
import { readsUnderIngest } from './questions/reads_under_ingest_full_and_half.ts';
import { scroll } from './questions/scroll.ts';
import { scroll10kContexts } from './questions/scroll_10k_contexts.ts';
import { startUp } from './questions/start_up.ts';
import { steadyWrites } from './questions/steady_writes.ts';
import { term } from './questions/term.ts';
import { top10 } from './questions/top10.ts';
import { top10InProcess } from './questions/top10_in_process.ts';

export const QUESTIONS: readonly Question[] = [
  memoryAtRest,
  bytesWrittenPerJson,
  firstUseOfSort,
  firstUseOfFilter,
  matchAll,
  term,
  range,
  descSortTimestamp,
  ascSortTimestamp,
  descSortWithAfterTimestamp,
  ascSortWithAfterTimestamp,
  jumpRandomPage,
  pageInEngine,
  pagesBackwards,
  pageVsStatic,
  top10,
  top10InProcess,
  deepScore,
  scroll,
  exportScroll,
  exportTokens,
  scroll10kContexts,
  bulk,
  bulkExistingIds,
  bulkPartialUpdate,
  put,
  putThenFound,
  steadyWrites,
  pageWalkUnderIngest,
  readsUnderIngest,
  ledger,
  startUp,
];
