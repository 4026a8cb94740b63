// Turns (document, position) pairs into the postings of their terms, as `PostingsWriter` in
// segment/postings does: one group per term, because all documents are in the first chunk.

import {
  BLOCK_MASK,
  BLOCK_MAX,
  BLOCKS,
  BYTES,
  CODE_TABLE,
  CODED,
  CODES,
  DENSE,
  DENSE_POSTINGS,
  EXCEPTION_COUNT,
  EXCEPTIONS,
  FREQ_TABLE,
  GROUPS,
  HALVES,
  LENGTH_PARTS,
  LOWS,
  MOST_IN_TWO,
  NORMS,
  OFFSETS,
  PAIRS,
  POSITION_BYTES,
  POSTINGS,
  RESIDUES,
  RUNS,
  TERM_FREQS,
  TERMS,
} from './layout';

/**
 * Writes the postings of pairs of two words each; POSTINGS, BYTES, BLOCKS and EXCEPTION_COUNT are updated.
 */
export function postings(head: usize): void {
  write<u64>(head);
}

/** As `postings`, for pairs of one word each: the document, and two bytes of position. */
export function narrowPostings(head: usize): void {
  write<u32>(head);
}

function documentAt<Pair>(pair: usize): u32 {
  return sizeof<Pair>() === 4 ? load<u32>(pair) >>> 16 : load<u32>(pair);
}

function positionAt<Pair>(pair: usize): u32 {
  return sizeof<Pair>() === 4 ? load<u32>(pair) & 0xffff : load<u32>(pair, 4);
}

function write<Pair>(head: usize): void {
  const pairs: usize = load<u32>(head, PAIRS);
  let run: usize = load<u32>(head, RUNS);
  const lastRun = run + ((<usize>load<u32>(head, TERMS)) << 3);
  let group: usize = load<u32>(head, GROUPS);
  let termFreq: usize = load<u32>(head, TERM_FREQS);
  const norms: usize = load<u32>(head, NORMS);
  const table: usize = load<u32>(head, CODE_TABLE);
  const freqs: usize = load<u32>(head, FREQ_TABLE);
  const lows: usize = load<u32>(head, LOWS);
  const codes: usize = load<u32>(head, CODES);
  const residues: usize = load<u32>(head, RESIDUES);
  const offsets: usize = load<u32>(head, OFFSETS);
  const halves: usize = load<u32>(head, HALVES);
  const firstPosting = load<u32>(head, POSTINGS);
  const firstSixteen = firstPosting >>> 4;
  const firstByte = load<u32>(head, BYTES);
  const firstBlock = load<u32>(head, BLOCKS);
  const bytes: usize = load<u32>(head, POSITION_BYTES);
  let byte = bytes;
  const blockMax: usize = load<u32>(head, BLOCK_MAX);
  let block: usize = blockMax - 1;
  let exception: usize = load<u32>(head, EXCEPTIONS);
  const exceptions = exception;
  let p = firstPosting;

  for (; run < lastRun; run += 8) {
    let pair = pairs + <usize>load<u32>(run) * sizeof<Pair>();
    const to = pairs + <usize>load<u32>(run, 4) * sizeof<Pair>();
    const start = p;
    let groupMax: u32 = 0;
    store<u32>(group, p);
    store<u32>(group, firstBlock + <u32>(block + 1 - blockMax), 4);
    store<u32>(termFreq, <u32>((to - pair) / sizeof<Pair>()));
    termFreq += 4;
    while (pair < to) {
      const doc = documentAt<Pair>(pair);
      if ((p & 7) === 0) {
        const at = <usize>((p >>> 4) - firstSixteen);
        const place = firstByte + <u32>(byte - bytes);
        if ((p & 15) === 0) {
          store<u32>(offsets + (at << 2), place);
          store<u8>(halves + at, 0);
        } else {
          const half = place - load<u32>(offsets + (at << 2));
          store<u8>(halves + at, half < 256 ? half : 0);
        }
      }
      const first = pair;
      let before: u32 = 0;
      let bits: u32 = 0;
      do {
        const position = positionAt<Pair>(pair);
        let distance = position - before;
        before = position;
        bits |= 1 << (position & 7);
        while (distance > MOST_IN_TWO) {
          store<u8>(byte++, 0x80 | (distance & 0x7f));
          distance >>>= 7;
        }
        // Whether a distance takes a second byte is unpredictable: no branch on it.
        const long = (63 - distance) >>> 31;
        store<u8>(byte, (long << 7) | (distance & 0x7f));
        store<u8>(byte, distance >>> 7, 1);
        byte += 1 + <usize>long;
        pair += sizeof<Pair>();
      } while (pair < to && documentAt<Pair>(pair) === doc);
      store<u8>(byte - 1, load<u8>(byte - 1) | 0x40);
      const tf = <u32>((pair - first) / sizeof<Pair>());
      const norm: u32 = norms === 0 ? 1 : load<u8>(norms + <usize>doc);
      const code: u32 = tf < CODED ? load<u8>(table + <usize>((tf << 8) | norm)) : computed(head, tf, norm);
      const at = <usize>(p - firstPosting);
      store<u16>(lows + (at << 1), doc);
      store<u8>(codes + at, code);
      store<u8>(residues + at, bits);
      if (((p - start) & BLOCK_MASK) === 0) store<u8>(++block, code);
      else if (code > load<u8>(block)) store<u8>(block, code);
      groupMax = max(groupMax, code);
      if (<u32>load<u8>(freqs + <usize>((norm << 8) | code)) !== tf) {
        store<u32>(exception, p);
        store<u32>(exception, tf, 4);
        exception += 8;
      }
      p++;
    }
    store<u32>(group, (groupMax << 16) | (p - start >= DENSE_POSTINGS ? DENSE : 0), 8);
    store<u32>(group, 0, 12);
    group += 16;
  }
  store<u32>(head, p, POSTINGS);
  store<u32>(head, firstByte + <u32>(byte - bytes), BYTES);
  store<u32>(head, firstBlock + <u32>(block + 1 - blockMax), BLOCKS);
  store<u32>(head, <u32>((exception - exceptions) >>> 3), EXCEPTION_COUNT);
}

/** The code of a frequency beyond the table, as `ScoreCodes.code` (segment/postings/score-codes.ts). */
function computed(head: usize, tf: u32, norm: u32): u32 {
  const part = load<f64>(<usize>load<u32>(head, LENGTH_PARTS) + ((<usize>norm) << 3));
  return <u32>ceil<f64>((255 * <f64>tf) / (<f64>tf + part) - 1e-9);
}
