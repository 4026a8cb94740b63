// The calibration kernel: a fixed piece of work (hashing, a table of 64 KB, a little JSON), timed next to
// every figure. If it takes longer than at the quietest moment of the run, the figure is inflated too.

const WORDS = new Uint32Array(16_384);
const TEXT = JSON.stringify(
  Array.from({ length: 40 }, (_, i) => ({ id: `doc-${i}`, score: i / 7, tags: [i, -i] })),
);
let sink = 0;

/** Microseconds of one round, the best of three. About half a millisecond each on a machine of 2024. */
export function calibrate(): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    let state = 0x9e3779b9;
    for (let i = 0; i < 100_000; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const at = state & 16_383;
      WORDS[at] = ((WORDS[at] ?? 0) + state) >>> 0;
    }
    for (let i = 0; i < 4; i++) sink += (JSON.parse(TEXT) as unknown[]).length;
    best = Math.min(best, (performance.now() - start) * 1000);
  }
  if (sink < 0) throw new Error('the calibration was optimised away');
  return best;
}
