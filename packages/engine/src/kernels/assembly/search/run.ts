// How does a search go over the leaves of an arena? Leaf after leaf, chunk after chunk, with one limit that rises all
// the way; when the work that the caller allows is done, where it stood stays in the query's record.

import { bestOfAll, isHopeless, orderByLength } from './all';
import { bestOfAny } from './any';
import { count as popcount } from './bits';
import { beginCodes } from './codes';
import { scoreFew } from './few';
import {
  ANY,
  BEGUN,
  COUNTED,
  COUNTING,
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIELD,
  ENTRY_GROUP,
  ENTRY_UNIT,
  ENTRY_WEIGHT,
  FEW,
  FIELD_GROUPS,
  GROUP_BYTES,
  LEAF_ACCEPT,
  LEAF_BYTES,
  LEAF_DOCS,
  LEAF_FLAGS,
  PHRASE,
  QUERY_COUNT_TO,
  QUERY_ENTRIES,
  QUERY_LEAF,
  QUERY_LEAF_ROWS,
  QUERY_LEAVES,
  QUERY_TERMS,
  QUERY_TOTAL,
} from './layout';
import { base, beginLists, nextChunk, postings, shape } from './lists';
import { bestOfPhrase, fewOfPhrase } from './phrase';
import { areDense, countChunk, enterTally, seesAll } from './tally';
import { bestOfTerm } from './term';
import { beginTop, enterTop, saveTop, sortTop } from './top';

/** A restriction to fewer documents than 1 / this of a leaf leads. */
const MOST_FEW: i32 = 32;
/** What a chunk costs beside its postings. */
const CHUNK_WORK: i32 = 1024;

let terms: i32 = 0;
let total: i32 = 0;
let countTo: i32 = 0;

/** Searches on, for about so many postings. 1 when there is more to do, 0 at the end. */
export function run(q: usize, work: i32): i32 {
  beginCodes();
  beginTop(q);
  beginLists(q);
  terms = load<i32>(q, QUERY_TERMS);
  total = load<i32>(q, QUERY_TOTAL);
  countTo = load<i32>(q, QUERY_COUNT_TO);
  const leaves = load<i32>(q, QUERY_LEAVES);
  let left = work;
  let at = load<i32>(q, QUERY_LEAF);
  for (; at < leaves && left > 0; ) {
    const leaf = <usize>load<u32>(q, QUERY_LEAF_ROWS) + <usize>at * LEAF_BYTES;
    const entries = <usize>load<u32>(q, QUERY_ENTRIES) + <usize>(at * terms) * ENTRY_BYTES;
    left = search(leaf, entries, left);
    if (left > 0) at++;
  }
  if (at >= leaves) sortTop();
  saveTop(q);
  store<i32>(q, at, QUERY_LEAF);
  store<i32>(q, total, QUERY_TOTAL);
  return at < leaves ? 1 : 0;
}

/** Searches a leaf. Returns what is left of the work, nothing where chunks may be left. */
function search(leaf: usize, entries: usize, work: i32): i32 {
  if (isEmpty(entries)) return work;
  const single = shape === PHRASE || terms === 1;
  enterTop(leaf, single ? load<f64>(entries, ENTRY_UNIT) : weigh(entries));
  enterTally(leaf);
  if ((load<i32>(leaf, LEAF_FLAGS) & BEGUN) === 0) begin(leaf, entries);
  let left = work;
  while (nextChunk(entries)) {
    chunk(leaf, single);
    left -= CHUNK_WORK + postings;
    if (left <= 0) return 0;
  }
  return left;
}

/** Whether a leaf has no document to offer: a term is missing, or all are. */
function isEmpty(entries: usize): bool {
  let found = 0;
  for (let i = 0; i < terms; i++) {
    const entry = entries + <usize>i * ENTRY_BYTES;
    if (load<i32>(entry, ENTRY_GROUP) < load<i32>(entry, ENTRY_END)) found++;
    else if (shape !== ANY) return true;
  }
  return found === 0;
}

/** Gives each term a whole-number weight, so that no sum of bounds leaves 16 bits; returns the unit they are in. */
function weigh(entries: usize): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < terms; i++) {
    const entry = entries + <usize>i * ENTRY_BYTES;
    if (load<i32>(entry, ENTRY_GROUP) < load<i32>(entry, ENTRY_END)) sum += load<f64>(entry, ENTRY_UNIT);
  }
  const unit = sum / <f64>(256 - terms);
  for (let i = 0; i < terms; i++) {
    const entry = entries + <usize>i * ENTRY_BYTES;
    store<i32>(entry, <i32>Math.ceil(load<f64>(entry, ENTRY_UNIT) / unit), ENTRY_WEIGHT);
  }
  return unit;
}

/** What is decided once a leaf: whether a restriction leads, and whether the postings alone give the count. */
function begin(leaf: usize, entries: usize): void {
  let flags = load<i32>(leaf, LEAF_FLAGS) | BEGUN;
  if (total <= countTo) flags |= COUNTING;
  const accept: usize = load<u32>(leaf, LEAF_ACCEPT);
  const docs = load<i32>(leaf, LEAF_DOCS);
  if (accept !== 0) {
    const bytes = (<usize>((docs + 127) >>> 7)) << 4;
    if (popcount(accept, bytes) * MOST_FEW < docs) flags |= FEW;
  }
  if ((flags & COUNTING) !== 0 && terms === 1 && shape !== PHRASE && seesAll()) {
    const groups: usize = load<u32>(load<u32>(entries, ENTRY_FIELD), FIELD_GROUPS);
    const first = groups + <usize>load<i32>(entries, ENTRY_GROUP) * GROUP_BYTES;
    total += load<i32>(groups + <usize>load<i32>(entries, ENTRY_END) * GROUP_BYTES) - load<i32>(first);
    flags |= COUNTED;
  }
  store<i32>(leaf, flags, LEAF_FLAGS);
}

function chunk(leaf: usize, single: bool): void {
  const flags = load<i32>(leaf, LEAF_FLAGS);
  const counting = (flags & COUNTING) !== 0;
  const docs = load<i32>(leaf, LEAF_DOCS);
  if ((flags & FEW) !== 0) {
    const accept: usize = load<u32>(leaf, LEAF_ACCEPT);
    total += shape === PHRASE ? fewOfPhrase(accept, counting) : scoreFew(accept, docs);
    return;
  }
  if (shape === PHRASE) {
    total += bestOfPhrase(counting);
    return;
  }
  if (single) bestOfTerm();
  else if (shape === ANY) bestOfAny(docs - base);
  else {
    const hopeless = isHopeless();
    if (hopeless && !counting) return;
    orderByLength();
    // Bitmaps alone give the count.
    const apart = counting && areDense();
    if (!hopeless || !apart) {
      const matches = bestOfAll(counting && !apart);
      if (!apart && counting) total += matches;
    }
    if (apart) total += countChunk();
    return;
  }
  if (counting && (flags & COUNTED) === 0) total += countChunk();
}
