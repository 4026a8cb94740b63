// Prepares a query once: finds the chunks that can hold matches and bounds their scores. Writes a row
// per chunk and its lists side by side, so that searches have nothing to set up.

import {
  ANY,
  CHUNK_BASE,
  CHUNK_BOUND,
  CHUNK_BYTES,
  CHUNK_COUNT,
  CHUNK_LEAF,
  CHUNK_LISTS,
  CHUNK_POSTINGS,
  DENSE_BYTES,
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIELD,
  ENTRY_GROUP,
  ENTRY_LEAST,
  ENTRY_UNIT,
  ENTRY_WEIGHT,
  FIELD_BLOCK_MAX,
  FIELD_CODES,
  FIELD_DENSE,
  FIELD_GROUPS,
  FIELD_LOWS,
  GROUP_BYTES,
  LEAF_BYTES,
  LEAF_SURE,
  LEAF_UNIT,
  LIST_BYTES,
  PHRASE,
  QUERY_CHUNK_ROWS,
  QUERY_CHUNKS,
  QUERY_ENTRIES,
  QUERY_LEAF_ROWS,
  QUERY_LEAVES,
  QUERY_LISTS,
  QUERY_SHAPE,
  QUERY_SHORT,
  QUERY_TERMS,
} from './layout';
import { BLOCK, CODES, DENSE, END, FIELD, LOWS, MAX_CODE, START, TERM, WEIGHT } from './lists';
import { writeRareTerm } from './one/rare-term';

const NONE: i32 = 0x10000;

let shape: i32 = 0;
let terms: i32 = 0;
let row: usize = 0;
let list: usize = 0;

/** Writes the rows of chunks and lists. Returns the number of chunks. */
export function prepare(q: usize): i32 {
  shape = load<i32>(q, QUERY_SHAPE);
  terms = load<i32>(q, QUERY_TERMS);
  const rows: usize = load<u32>(q, QUERY_CHUNK_ROWS);
  const leaves = load<i32>(q, QUERY_LEAVES);
  row = rows;
  list = load<u32>(q, QUERY_LISTS);
  for (let i = 0; i < leaves; i++) {
    const leaf = <usize>load<u32>(q, QUERY_LEAF_ROWS) + <usize>i * LEAF_BYTES;
    const entries = <usize>load<u32>(q, QUERY_ENTRIES) + <usize>(i * terms) * ENTRY_BYTES;
    weigh(leaf, entries);
    for (let chunk = next(entries); chunk < NONE; chunk = next(entries)) put(leaf, entries, chunk);
  }
  const count = <i32>((row - rows) / CHUNK_BYTES);
  store<i32>(q, count, QUERY_CHUNKS);
  if (load<u32>(q, QUERY_SHORT) !== 0) writeRareTerm(q);
  return count;
}

/**
 * Gives each term an integer weight, such that no sum of bounds exceeds 16 bits, and the leaf the unit of
 * these weights.
 */
function weigh(leaf: usize, entries: usize): void {
  const single = shape === PHRASE || terms === 1;
  let sum: f64 = 0;
  let sure: f64 = 1;
  for (let i = 0; i < terms; i++) {
    const entry = entries + <usize>i * ENTRY_BYTES;
    if (load<i32>(entry, ENTRY_GROUP) >= load<i32>(entry, ENTRY_END)) continue;
    sum += load<f64>(entry, ENTRY_UNIT);
    sure = min(sure, load<f64>(entry, ENTRY_LEAST) / load<f64>(entry, ENTRY_UNIT));
  }
  const unit = single ? load<f64>(entries, ENTRY_UNIT) : sum / <f64>(256 - terms);
  store<f64>(leaf, unit, LEAF_UNIT);
  store<f64>(leaf, sure, LEAF_SURE);
  for (let i = 0; i < terms; i++) {
    const entry = entries + <usize>i * ENTRY_BYTES;
    store<i32>(entry, single ? 1 : <i32>Math.ceil(load<f64>(entry, ENTRY_UNIT) / unit), ENTRY_WEIGHT);
  }
}

function headOf(entry: usize): usize {
  return (
    <usize>load<u32>(load<u32>(entry, ENTRY_FIELD), FIELD_GROUPS) +
    <usize>load<i32>(entry, ENTRY_GROUP) * GROUP_BYTES
  );
}

/** The next chunk with one of the terms, or with all of them for conjunctions; NONE at the end. */
function next(entries: usize): i32 {
  const all = shape !== ANY;
  while (true) {
    let chunk: i32 = all ? -1 : NONE;
    let same = true;
    for (let i = 0; i < terms; i++) {
      const entry = entries + <usize>i * ENTRY_BYTES;
      if (load<i32>(entry, ENTRY_GROUP) >= load<i32>(entry, ENTRY_END)) {
        if (all) return NONE;
        continue;
      }
      const own = <i32>load<u16>(headOf(entry), 8);
      if (i > 0 && own !== chunk) same = false;
      if (all ? own > chunk : own < chunk) chunk = own;
    }
    if (!all || same) return chunk;
    for (let i = 0; i < terms; i++) pass(entries + <usize>i * ENTRY_BYTES, chunk);
  }
}

/** Passes over the groups before a chunk. */
function pass(entry: usize, chunk: i32): void {
  const end = load<i32>(entry, ENTRY_END);
  let group = load<i32>(entry, ENTRY_GROUP);
  let head = headOf(entry);
  for (; group < end && <i32>load<u16>(head, 8) < chunk; group++) head += GROUP_BYTES;
  store<i32>(entry, group, ENTRY_GROUP);
}

/** Writes the row of a chunk and its lists, and moves all terms past it. */
function put(leaf: usize, entries: usize, chunk: i32): void {
  let count = 0;
  let postings = 0;
  let most = shape === PHRASE ? 255 : 0;
  store<u32>(row, <u32>leaf, CHUNK_LEAF);
  store<u32>(row, <u32>list, CHUNK_LISTS);
  store<i32>(row, chunk << 16, CHUNK_BASE);
  for (let i = 0; i < terms; i++) {
    const entry = entries + <usize>i * ENTRY_BYTES;
    const group = load<i32>(entry, ENTRY_GROUP);
    if (group >= load<i32>(entry, ENTRY_END)) continue;
    const head = headOf(entry);
    if (<i32>load<u16>(head, 8) !== chunk) continue;
    open(entry, head, i);
    const own = load<i32>(list, MAX_CODE);
    if (shape === PHRASE) most = min(most, own);
    else most += own * load<i32>(list, WEIGHT);
    postings += load<i32>(list, END) - load<i32>(list, START);
    count++;
    list += LIST_BYTES;
    store<i32>(entry, group + 1, ENTRY_GROUP);
  }
  store<i32>(row, count, CHUNK_COUNT);
  store<i32>(row, postings, CHUNK_POSTINGS);
  store<f64>(row, <f64>most * load<f64>(leaf, LEAF_UNIT), CHUNK_BOUND);
  row += CHUNK_BYTES;
}

function open(entry: usize, head: usize, term: i32): void {
  const field: usize = load<u32>(entry, ENTRY_FIELD);
  const dense = <usize>load<i32>(head, 12) * DENSE_BYTES;
  store<i32>(list, load<i32>(head), START);
  store<i32>(list, load<i32>(head, GROUP_BYTES), END);
  store<u32>(list, load<u32>(field, FIELD_BLOCK_MAX) + load<u32>(head, 4), BLOCK);
  store<i32>(list, <i32>load<u8>(head, 10), MAX_CODE);
  store<i32>(list, load<i32>(entry, ENTRY_WEIGHT), WEIGHT);
  store<u32>(list, load<u8>(head, 11) !== 0 ? load<u32>(field, FIELD_DENSE) + <u32>dense : 0, DENSE);
  store<i32>(list, term, TERM);
  store<u32>(list, load<u32>(field, FIELD_LOWS), LOWS);
  store<u32>(list, load<u32>(field, FIELD_CODES), CODES);
  store<u32>(list, <u32>field, FIELD);
}
