// Cuts a unit of the log into tokens, 64 bytes at a time, from the kind of each byte and its neighbours,
// without a branch that depends on the text. The twin is log/packed/tokens.ts.
//
//   bytes    "id":"a b","n"        words   01100010100010       joins   the space before b
//   tokens   u16 each: start in the unit, and OTHERS for a run of others; then the length of the unit, three times

export const OTHERS: u32 = 0x8000;
export const PLACE: u32 = 0x7fff;

const SPACE: i8 = 0x20;

/** A bit for each of 64 bytes at p: letters, digits, low lines and bytes beyond ASCII. */
function wordsOf(p: usize): u64 {
  return words16(p) | (words16(p + 16) << 16) | (words16(p + 32) << 32) | (words16(p + 48) << 48);
}

function words16(p: usize): u64 {
  const v = v128.load(p);
  const letters = i8x16.lt_u(i8x16.sub(v128.or(v, i8x16.splat(32)), i8x16.splat(97)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(v, i8x16.splat(48)), i8x16.splat(10));
  const others = v128.or(digits, i8x16.eq(v, i8x16.splat(95)));
  return <u64>(<u32>i8x16.bitmask(v128.or(v, v128.or(letters, others))));
}

/** A bit for each of 64 bytes at p that is a space. */
function spacesOf(p: usize): u64 {
  return spaces16(p) | (spaces16(p + 16) << 16) | (spaces16(p + 32) << 32) | (spaces16(p + 48) << 48);
}

function spaces16(p: usize): u64 {
  return <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(p), i8x16.splat(SPACE))));
}

/**
 * Cuts [from, end); returns where the tokens end. REQUIRES: 128 bytes behind it may be read; room for a token
 * of each byte, and 4.
 */
export function cut(tokens: usize, from: usize, end: usize): usize {
  let to = tokens;
  /** The bit before the first: of words, of others. */
  let wordBefore: u64 = 0;
  let otherBefore: u64 = 0;
  let words = wordsOf(from) & upTo(end - from);
  for (let p = from; p < end; p += 64) {
    const here = upTo(end - p);
    const next = p + 64 < end ? wordsOf(p + 64) & upTo(end - p - 64) : 0;
    const joins = spacesOf(p) & ((words >>> 1) | (next << 63));
    const others = here & ~(words | joins);
    // A word continues what a space or a word has begun.
    const begun = ((words | joins) << 1) | wordBefore;
    let starts = joins | (words & ~begun) | (others & ~((others << 1) | otherBefore));
    const base = <u32>(p - from);
    while (starts !== 0) {
      const bit = <u32>ctz(starts);
      store<u16>(to, <u16>(base + bit + ((<u32>(others >>> <u64>bit) & 1) << 15)));
      to += 2;
      starts &= starts - 1;
    }
    wordBefore = (words | joins) >>> 63;
    otherBefore = others >>> 63;
    words = next;
  }
  const length = <u32>(end - from);
  store<u32>(to, length | (length << 16));
  store<u32>(to, length | (length << 16), 4);
  return to;
}

/** So many bits, at most 64. */
function upTo(count: usize): u64 {
  return count >= 64 ? ~(<u64>0) : ((<u64>1) << (<u64>count)) - 1;
}
