// Compares sixteen codes with a bound: one comparison, one mask.

/** The last address from which sixteen bytes can be read. */
let last: usize = 0;

/** Call first whenever the memory may have grown. */
export function beginCodes(): void {
  // 65,536 pages of 64 KiB come out as 0, and 0 - 16 as the right place.
  last = ((<usize>memory.size()) << 16) - 16;
}

/** Whether a few bytes behind the end of a section may be read, too. */
export function isSafe(end: usize): bool {
  return end <= last;
}

/** A bit for each of the next codes, at most `left` and 16, that is above those of `bound`. */
export function above(at: usize, left: i32, bound: v128): u32 {
  if (at <= last) {
    const mask = <u32>i8x16.bitmask(i8x16.gt_u(v128.load(at), bound));
    return left < 16 ? mask & ((1 << (<u32>left)) - 1) : mask;
  }
  const least = <u32>i8x16.extract_lane_u(bound, 0);
  let mask: u32 = 0;
  for (let i = 0; i < 16 && i < left; i++) if (<u32>load<u8>(at + <usize>i) > least) mask |= 1 << i;
  return mask;
}

/** Sixteen times the same code, capped at 255, which no code beats. */
export function splat(code: i32): v128 {
  return i8x16.splat(<i8>(code > 255 ? 255 : code < 0 ? 0 : code));
}
