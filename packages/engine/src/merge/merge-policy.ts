// Chooses the segments to merge next; a pure function of their sizes. Only adjacent segments merge, so
// documents stay in commit order.
// - Small merges (up to 256 MiB): tiers as in Lucene's LogMergePolicy; eight segments of about one size
//   become one.
// - Larger merges: only when there are more than 16 segments, and at most a quarter of all bytes at a
//   time, because a merge costs everything it writes and needs room in the arenas beside its inputs.
// - A segment that is more than a third dead is rewritten alone, unless it is being overwritten: it will
//   soon be dropped whole (write/maintenance/death-rate.ts).

/** A segment, as the policy sees it. */
export interface SegmentSize {
  readonly docCount: number;
  /** Documents that some reader may still see. */
  readonly liveCount: number;
  readonly bytes: number;
  /** Its documents are being overwritten: it may soon be wholly dead. */
  readonly isDying?: boolean;
}

/** Limits of the policy. */
export interface MergeLimits {
  /** Most segments, whatever their sizes. @default 16 */
  readonly most?: number;
  /** Most segments of one merge. @default 8 */
  readonly fanIn?: number;
  /** Largest live bytes of a tier: `fanIn` segments of about one size are merged at once. @default 256 MiB */
  readonly smallBytes?: number;
  /**
   * Largest share of all live bytes for a larger merge, unless there is no other way: it leaves that much free memory for the
   * next merge. @default 1/4
   */
  readonly largestShare?: number;
  /**
   * Larger merges are the last resort (a forced merge excepted): a segment must stay below 4 GiB. @default 3
   * GiB
   */
  readonly largestBytes?: number;
  /** Smaller segments count as this size. @default 4 MiB */
  readonly smallestBytes?: number;
  /** A segment with a larger dead share is rewritten. @default 1/3 */
  readonly deadShare?: number;
}

/** Limits from the settings of an index, named as in Lucene's TieredMergePolicy. */
export function mergeLimitsOf(settings: Readonly<Record<string, string>>): MergeLimits {
  const most = Number(settings['index.merge.policy.segments_per_tier']);
  return most >= 2 ? { fanIn: Math.floor(most) } : {};
}

/** Segments [from, to) should be merged. */
interface MergeRun {
  readonly from: number;
  readonly to: number;
}

function liveBytes(segment: SegmentSize): number {
  return segment.docCount === 0 ? 0 : (segment.bytes * segment.liveCount) / segment.docCount;
}

/** The next merge to do, or undefined when all is well. Segments are in document order. */
export function chooseMerge(
  segments: readonly SegmentSize[],
  limits: MergeLimits = {},
): MergeRun | undefined {
  const { most = 16, fanIn = 8, deadShare = 1 / 3, largestShare = 1 / 4 } = limits;
  const { largestBytes = 3 * 2 ** 30, smallestBytes = 2 ** 22, smallBytes = 2 ** 28 } = limits;
  // Wholly dead segments go first: dropping them is free, and few enough segments may be left.
  const dead = segments.findIndex(({ liveCount }) => liveCount === 0);
  if (dead >= 0) return { from: dead, to: dead + 1 };
  const sizes = segments.map((segment) => Math.max(smallestBytes, liveBytes(segment)));
  const tier = chooseTier(sizes, segments, fanIn, smallBytes);
  if (tier !== undefined) return tier;
  if (segments.length > most) {
    const all = sizes.reduce((a, b) => a + b, 0);
    const fitting = Math.min(Math.max(smallBytes, all * largestShare), largestBytes);
    return (
      chooseCheapest(sizes, fanIn, fitting) ??
      chooseCheapest(sizes, fanIn, largestBytes) ??
      chooseCheapest(sizes, fanIn, Number.POSITIVE_INFINITY)
    );
  }
  let worst = -1;
  let worstShare = deadShare;
  segments.forEach((segment, i) => {
    const share = segment.docCount === 0 ? 1 : 1 - segment.liveCount / segment.docCount;
    if (share > worstShare && segment.isDying !== true) {
      worst = i;
      worstShare = share;
    }
  });
  return worst < 0 ? undefined : { from: worst, to: worst + 1 };
}

/**
 * The smallest run of `fanIn` segments of about one size (the largest is at most the sum of the others), none
 * dying.
 */
function chooseTier(
  sizes: readonly number[],
  segments: readonly SegmentSize[],
  fanIn: number,
  largest: number,
): MergeRun | undefined {
  let best: MergeRun | undefined;
  let bestSum = Number.POSITIVE_INFINITY;
  for (let from = 0; from + fanIn <= sizes.length; from++) {
    if (segments.slice(from, from + fanIn).some(({ isDying }) => isDying)) continue;
    const run = sizes.slice(from, from + fanIn);
    const sum = run.reduce((a, b) => a + b, 0);
    const max = Math.max(...run);
    if (sum > largest || sum - max < max || sum >= bestSum) continue;
    best = { from, to: from + fanIn };
    bestSum = sum;
  }
  return best;
}

/**
 * The run with the lowest cost per segment saved, among those of at most `largest` bytes. The saving counts squared: a merge
 * of many segments postpones the next one, so documents are rewritten less often. (With 60 to 120 seals of one size each
 * document is rewritten 1.1 times.)
 */
function chooseCheapest(sizes: readonly number[], longest: number, largest: number): MergeRun | undefined {
  let best: MergeRun | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let from = 0; from < sizes.length - 1; from++) {
    let sum = sizes[from]!;
    for (let to = from + 2; to <= Math.min(from + longest, sizes.length); to++) {
      sum += sizes[to - 1]!;
      if (sum > largest) break;
      const cost = sum / (to - from - 1) ** 2;
      if (cost >= bestCost) continue;
      best = { from, to };
      bestCost = cost;
    }
  }
  return best;
}
