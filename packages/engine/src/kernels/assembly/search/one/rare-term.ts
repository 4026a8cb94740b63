// Searches a term that few documents have (up to MOST_SHORT postings) in all leaves at once. When the
// query is prepared, its postings are laid side by side: document, leaf, tf times length factor, and the
// address of the liveness word. A search is one pass without branches: the rank of a result is the
// number of better ones. Deletions are checked each time; no result is cached.

import {
  CHUNK_BASE,
  CHUNK_BYTES,
  CHUNK_LEAF,
  CHUNK_LISTS,
  LEAF_LIVE,
  LEAF_PLACE,
  LEAF_VISIBLE,
  QUERY_AT,
  QUERY_CAPACITY,
  QUERY_CHUNK_ROWS,
  QUERY_CHUNKS,
  QUERY_COUNT_TO,
  QUERY_HEAP,
  QUERY_SCRATCH,
  QUERY_SEED,
  QUERY_SHORT,
  QUERY_SHORT_COUNT,
  QUERY_SIZE,
  QUERY_TERM_ROWS,
  QUERY_TOTAL,
  SCRATCH_NOTES,
  SHORT_BYTES,
  SHORT_DOC,
  SHORT_HEAD,
  SHORT_PLACE,
  SHORT_TF,
  SHORT_WORD,
  TERM_INVERSES,
  TERM_WEIGHT,
} from '../layout';
import { END, FIELD, freqOf, lowOf, normOf, START } from '../lists';

/**
 * In the scratch of notes: keys, results per rank so far, and a dummy place for results that do not get in.
 */
const KEYS: usize = SCRATCH_NOTES;
const TAKEN: usize = SCRATCH_NOTES + 1024;
const NOWHERE: usize = SCRATCH_NOTES + 2048;

/** Writes the list. REQUIRES: one term, no phrase, the rows of its chunks, room for its postings in fours. */
export function writeRareTerm(q: usize): void {
  const list: usize = load<u32>(q, QUERY_SHORT);
  const ones = list - SHORT_HEAD;
  store<u32>(ones, 0xffffffff);
  const inverses: usize = load<u32>(load<u32>(q, QUERY_TERM_ROWS), TERM_INVERSES);
  const end = <usize>load<u32>(q, QUERY_CHUNK_ROWS) + <usize>load<i32>(q, QUERY_CHUNKS) * CHUNK_BYTES;
  let to = list;
  for (let row: usize = load<u32>(q, QUERY_CHUNK_ROWS); row < end; row += CHUNK_BYTES) {
    const leaf: usize = load<u32>(row, CHUNK_LEAF);
    const live: usize = load<u32>(leaf, LEAF_LIVE);
    const c: usize = load<u32>(row, CHUNK_LISTS);
    for (let p = load<i32>(c, START); p < load<i32>(c, END); p++) {
      const doc = load<i32>(row, CHUNK_BASE) + lowOf(c, p);
      if (doc >= load<i32>(leaf, LEAF_VISIBLE)) break;
      const norm = normOf(load<u32>(c, FIELD), doc);
      const word = live === 0 ? ones : live + ((<usize>(doc >>> 5)) << 2);
      store<i32>(to, doc, SHORT_DOC);
      store<u32>(to, load<u32>(leaf, LEAF_PLACE), SHORT_PLACE);
      store<u32>(to, <u32>word, SHORT_WORD);
      store<f32>(to, <f32>freqOf(c, p, norm) * load<f32>(inverses + (norm << 2)), SHORT_TF);
      to += SHORT_BYTES;
    }
  }
  store<i32>(q, <i32>((to - list) / SHORT_BYTES), QUERY_SHORT_COUNT);
}

/** Searches the whole list. The results are sorted. */
export function searchRareTerm(q: usize): void {
  const list: usize = load<u32>(q, QUERY_SHORT);
  const count = load<i32>(q, QUERY_SHORT_COUNT);
  const scratch: usize = load<u32>(q, QUERY_SCRATCH);
  const weight = load<f32>(load<u32>(q, QUERY_TERM_ROWS), TERM_WEIGHT);
  const seed = load<f64>(q, QUERY_SEED);
  let key = scratch + KEYS;
  let living = 0;
  let found = 0;
  for (let at = list, end = list + <usize>count * SHORT_BYTES; at < end; at += SHORT_BYTES, key += 4) {
    const lives = <i32>(load<u32>(load<u32>(at, SHORT_WORD)) >>> (load<u32>(at, SHORT_DOC) & 31)) & 1;
    const score = weight - weight / (<f32>1 + load<f32>(at, SHORT_TF));
    const isIn = lives & <i32>(<f64>score >= seed);
    living += lives;
    found += isIn;
    // Scores are not negative, so their bits sort like them.
    store<i32>(key, reinterpret<i32>(score) | (isIn - 1));
  }
  v128.store(key, i32x4.splat(-1));
  const size = min(found, load<i32>(q, QUERY_CAPACITY));
  place(list, count, scratch, load<u32>(q, QUERY_HEAP), size);
  store<i32>(q, size, QUERY_SIZE);
  store<i32>(q, load<i32>(q, QUERY_CHUNKS), QUERY_AT);
  if (load<i32>(q, QUERY_COUNT_TO) >= 0) store<i32>(q, living, QUERY_TOTAL);
}

/** Writes the best results to their ranks. Compares four keys with all others at a time. */
function place(list: usize, count: i32, scratch: usize, heap: usize, size: i32): void {
  const keys = scratch + KEYS;
  const end = keys + ((<usize>count) << 2);
  for (let at = scratch + TAKEN; at <= scratch + TAKEN + <usize>count; at += 16)
    v128.store(at, i32x4.splat(0));
  let posting = list;
  for (let own = keys; own < end; own += 16) {
    const four = v128.load(own);
    const k0 = v128.shuffle<i32>(four, four, 0, 0, 0, 0);
    const k1 = v128.shuffle<i32>(four, four, 1, 1, 1, 1);
    const k2 = v128.shuffle<i32>(four, four, 2, 2, 2, 2);
    const k3 = v128.shuffle<i32>(four, four, 3, 3, 3, 3);
    let n0 = i32x4.splat(0);
    let n1 = n0;
    let n2 = n0;
    let n3 = n0;
    for (let at = keys; at < end; at += 16) {
      const others = v128.load(at);
      n0 = i32x4.sub(n0, i32x4.gt_s(others, k0));
      n1 = i32x4.sub(n1, i32x4.gt_s(others, k1));
      n2 = i32x4.sub(n2, i32x4.gt_s(others, k2));
      n3 = i32x4.sub(n3, i32x4.gt_s(others, k3));
    }
    const n01 = i32x4.add(v128.shuffle<i32>(n0, n1, 0, 4, 1, 5), v128.shuffle<i32>(n0, n1, 2, 6, 3, 7));
    const n23 = i32x4.add(v128.shuffle<i32>(n2, n3, 0, 4, 1, 5), v128.shuffle<i32>(n2, n3, 2, 6, 3, 7));
    const better = i32x4.add(v128.shuffle<i64>(n01, n23, 0, 2), v128.shuffle<i64>(n01, n23, 1, 3));
    put(i32x4.extract_lane(better, 0), i32x4.extract_lane(four, 0), posting, scratch, heap, size);
    put(
      i32x4.extract_lane(better, 1),
      i32x4.extract_lane(four, 1),
      posting + SHORT_BYTES,
      scratch,
      heap,
      size,
    );
    put(
      i32x4.extract_lane(better, 2),
      i32x4.extract_lane(four, 2),
      posting + 2 * SHORT_BYTES,
      scratch,
      heap,
      size,
    );
    put(
      i32x4.extract_lane(better, 3),
      i32x4.extract_lane(four, 3),
      posting + 3 * SHORT_BYTES,
      scratch,
      heap,
      size,
    );
    posting += 4 * SHORT_BYTES;
  }
}

/** Writes one result behind all better ones, and behind equal ones that came before. */
function put(better: i32, key: i32, posting: usize, scratch: usize, heap: usize, size: i32): void {
  const taken = scratch + TAKEN + <usize>better;
  const before = <i32>load<u8>(taken);
  store<u8>(taken, before + 1);
  const rank = better + before;
  const to = select<usize>(heap + ((<usize>rank) << 4), scratch + NOWHERE, rank < size);
  store<f64>(to, <f64>reinterpret<f32>(key));
  store<u64>(to, load<u64>(posting, SHORT_DOC), 8);
}
