// All questions in the order of a run: memory before other questions have used some, writes after reads,
// restarts last.

import type { Question } from '../measure/question.ts';
import { aggregations } from './aggregations/aggregations.ts';
import { pagesBesideAggregations } from './aggregations/pages_beside_aggregations.ts';
import { exportScroll } from './exports/export_scroll.ts';
import { exportTokens } from './exports/export_tokens.ts';
import { scroll } from './exports/scroll.ts';
import { scroll10kContexts } from './exports/scroll_10k_contexts.ts';
import { ascSortTimestamp } from './lists/asc_sort_timestamp.ts';
import { ascSortWithAfterTimestamp } from './lists/asc_sort_with_after_timestamp.ts';
import { descSortTimestamp } from './lists/desc_sort_timestamp.ts';
import { descSortWithAfterTimestamp } from './lists/desc_sort_with_after_timestamp.ts';
import { firstUseOfSort } from './lists/first_use_of_sort.ts';
import { jumpRandomPage } from './lists/jump_random_page.ts';
import { pageByDepth } from './lists/page_by_depth.ts';
import { pageBySize } from './lists/page_by_size.ts';
import { pageInEngine } from './lists/page_in_engine.ts';
import { pageVsBare } from './lists/page_vs_bare.ts';
import { pageWalkUnderIngest } from './lists/page_walk_under_ingest.ts';
import { pagesBackwards } from './lists/pages_backwards.ts';
import { readsUnderIngest } from './lists/reads_under_ingest_full_and_half.ts';
import { deepScore } from './searches/deep_score.ts';
import { firstUseOfFilter } from './searches/first_use_of_filter.ts';
import { matchAll } from './searches/match-all.ts';
import { newTexts } from './searches/new_texts.ts';
import { range } from './searches/range.ts';
import { term } from './searches/term.ts';
import { top10 } from './searches/top10.ts';
import { top10InProcess } from './searches/top10_in_process.ts';
import { ledger } from './server/ledger.ts';
import { memoryAtRest } from './server/memory_at_rest.ts';
import { startUp } from './server/start_up.ts';
import { bulk } from './writes/bulk.ts';
import { bulkExistingIds } from './writes/bulk_existing_ids.ts';
import { bulkPartialUpdate } from './writes/bulk_partial_update.ts';
import { bytesWrittenPerJson } from './writes/bytes_written.ts';
import { put } from './writes/put_1_16_64.ts';
import { putThenFound } from './writes/put_then_found.ts';
import { steadyWrites } from './writes/steady_writes.ts';

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
  pageByDepth,
  pageInEngine,
  pagesBackwards,
  pageVsBare,
  top10,
  newTexts,
  top10InProcess,
  deepScore,
  aggregations,
  pagesBesideAggregations,
  pageBySize,
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
