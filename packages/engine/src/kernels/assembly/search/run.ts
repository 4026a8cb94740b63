// Runs a search over the leaves of an arena, chunk by chunk, with one score limit that only rises:
// chunks whose bound is below it are skipped. After about as many postings as the caller allows, the
// position is saved in the query's record and the call returns, so that the search can check its
// deadline.

import { bestOfAll, isHopeless } from './all/best-of-all';
import { bestOfPhrase, restrictedPhrase } from './all/phrase';
import { bestOfAny } from './any/best-of-any';
import { count as popcount } from './bits';
import { beginCodes } from './codes';
import { areDense, countChunk, enterTally } from './count-matches';
import {
  ANY,
  CHUNK_BOUND,
  CHUNK_BYTES,
  CHUNK_LEAF,
  LEAF_ACCEPT,
  LEAF_DOCS,
  LEAF_EXCLUDED,
  LEAF_FLAGS,
  PHRASE,
  QUERY_AT,
  QUERY_CHUNK_ROWS,
  QUERY_CHUNKS,
  QUERY_COUNT_TO,
  QUERY_SHORT,
  QUERY_TERMS,
  QUERY_TOTAL,
  RESTRICTION_CHECKED,
  RESTRICTION_LEADS,
} from './layout';
import { orderByLength } from './list-order';
import { base, beginLists, enterLists, postings, shape } from './lists';
import { bestOfTerm } from './one/best-of-term';
import { searchRareTerm } from './one/rare-term';
import { scoreRestricted } from './restricted';
import { beginTop, canGetIn, enterTop, saveTop, sortTop } from './top';

/** A restriction to fewer than 1/32 of a leaf's documents leads: its documents are scored one by one. */
const MOST_FEW: i32 = 32;
/** Work of a chunk beside its postings, and of a skipped one. */
const CHUNK_WORK: i32 = 1024;
const PASS_WORK: i32 = 8;

let single: bool = false;
let total: i32 = 0;

/** Continues the search for about `work` postings. 1 when there is more to do, 0 at the end. */
export function run(q: usize, work: i32): i32 {
  if (load<u32>(q, QUERY_SHORT) !== 0) {
    searchRareTerm(q);
    return 0;
  }
  beginCodes();
  beginTop(q);
  beginLists(q);
  single = shape === PHRASE || load<i32>(q, QUERY_TERMS) === 1;
  total = load<i32>(q, QUERY_TOTAL);
  const countTo = load<i32>(q, QUERY_COUNT_TO);
  const chunks = load<i32>(q, QUERY_CHUNKS);
  let at = load<i32>(q, QUERY_AT);
  let row = <usize>load<u32>(q, QUERY_CHUNK_ROWS) + <usize>at * CHUNK_BYTES;
  for (let left = work; at < chunks && left > 0; at++, row += CHUNK_BYTES) {
    const counting = total <= countTo;
    if (!counting && !canGetIn(load<f64>(row, CHUNK_BOUND))) left -= PASS_WORK;
    else left -= search(row, counting);
  }
  if (at >= chunks) sortTop();
  saveTop(q);
  store<i32>(q, at, QUERY_AT);
  store<i32>(q, total, QUERY_TOTAL);
  return at < chunks ? 1 : 0;
}

/** Searches a chunk. Returns the work done. */
function search(row: usize, counting: bool): i32 {
  const leaf: usize = load<u32>(row, CHUNK_LEAF);
  const accept: usize = load<u32>(leaf, LEAF_ACCEPT);
  let flags = load<i32>(leaf, LEAF_FLAGS);
  if (accept !== 0 && (flags & RESTRICTION_CHECKED) === 0) {
    flags |= RESTRICTION_CHECKED | restrictedTo(leaf, accept);
    store<i32>(leaf, flags, LEAF_FLAGS);
  }
  if ((flags & LEAF_EXCLUDED) !== 0) return PASS_WORK;
  enterTop(leaf);
  enterTally(leaf);
  enterLists(row);
  if ((flags & RESTRICTION_LEADS) !== 0) {
    total +=
      shape === PHRASE
        ? restrictedPhrase(accept, counting)
        : scoreRestricted(accept, load<i32>(leaf, LEAF_DOCS));
  } else if (shape === PHRASE) total += bestOfPhrase(counting);
  else if (single) {
    bestOfTerm();
    if (counting) total += countChunk();
  } else if (shape === ANY) {
    const found = bestOfAny(leaf, load<i32>(leaf, LEAF_DOCS) - base, counting);
    if (counting) total += found < 0 ? countChunk() : found;
  } else total += conjunction(counting);
  return CHUNK_WORK + postings;
}

/** Whether a restriction leads. */
function restrictedTo(leaf: usize, accept: usize): i32 {
  const docs = load<i32>(leaf, LEAF_DOCS);
  const bytes = (<usize>((docs + 127) >>> 7)) << 4;
  return popcount(accept, bytes) * MOST_FEW < docs ? RESTRICTION_LEADS : 0;
}

function conjunction(counting: bool): i32 {
  const hopeless = isHopeless();
  if (hopeless && !counting) return 0;
  orderByLength();
  // Bitmaps alone give the count.
  const apart = counting && areDense();
  const matches = hopeless && apart ? 0 : bestOfAll(counting && !apart);
  return apart ? countChunk() : counting ? matches : 0;
}
