// Combines the CRC-32 sums of two consecutive runs of bytes, so that the first run may be known last (zlib's
// crc32_combine). The sums are polynomials over one bit: the first moves up by the length of the second run,
// and the second is added.

/** The polynomial of CRC-32, its lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320;
/** The power 0. */
const ONE = 0x8000_0000;

/** x^(2^n) modulo the polynomial. */
const squares: readonly number[] = squaresOf();

/**
 * The checksum of two runs: `first` and `second` are their checksums, `length` is that of the second run.
 * O(log length).
 */
export function combineChecksums(first: number, second: number, length: number): number {
  // A byte is eight powers of x.
  let moved = first >>> 0;
  for (let n = 3, left = length; left > 0; n++, left = Math.floor(left / 2))
    if (left % 2 === 1) moved = multiply(squares[n % squares.length]!, moved);
  return (moved ^ second) >>> 0;
}

/** The product of two polynomials. */
function multiply(a: number, b: number): number {
  let product = 0;
  let power = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= power;
    power = (power & 1) === 0 ? power >>> 1 : (power >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}

/** 32 of them: the next is the first again, for x^(2^32) is x. */
function squaresOf(): number[] {
  const powers = [ONE >>> 1];
  while (powers.length < 32) {
    const last = powers.at(-1)!;
    powers.push(multiply(last, last));
  }
  return powers;
}
