// Which segments should become one now? Adjacent ones only, so that documents stay in commit order. Logarithmic tiers
// as in Lucene's LogMergePolicy: ten of about one size become one of the next; and a segment that is more than a third
// dead is rewritten for its own sake. A pure function of sizes.

/** What the policy knows of a segment. */
export interface SegmentSize {
  readonly docCount: number;
  /** Documents that some reader may still see. */
  readonly liveCount: number;
  readonly bytes: number;
}

/** Limits of the policy. */
export interface MergeLimits {
  /** Segments that a search should meet at most, minis of the tail included. @default 24 */
  readonly most?: number;
  /** Leaves that the tail has now. @default 0 */
  readonly minis?: number;
  /** Segments of about one size that become one. @default 8 */
  readonly fanIn?: number;
  /** Segments of more live bytes are not merged with others, but for a forced merge. @default 1 GiB */
  readonly largestBytes?: number;
  /** Live bytes below which all sizes count as one. @default 4 MiB */
  readonly smallestBytes?: number;
  /** Dead share from which a segment is rewritten. @default 1/3 */
  readonly deadShare?: number;
}

/** Segments [from, to) should be merged. */
export interface MergeRun {
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
  const { most = 24, minis = 0, fanIn = 8, deadShare = 1 / 3 } = limits;
  const { largestBytes = 2 ** 30, smallestBytes = 2 ** 22 } = limits;
  const sizes = segments.map((segment) => Math.max(smallestBytes, liveBytes(segment)));
  // However many minis there are (they pass by themselves), half of the room is for segments.
  const over = segments.length > Math.max(most - minis, most / 2);
  const tier = chooseTier(sizes, fanIn, largestBytes);
  if (tier !== undefined) return tier;
  if (over && segments.length > 1)
    return chooseCheapest(sizes, Math.min(fanIn, segments.length), largestBytes);
  let worst = -1;
  let worstShare = deadShare;
  segments.forEach((segment, i) => {
    const share = segment.docCount === 0 ? 1 : 1 - segment.liveCount / segment.docCount;
    if (share > worstShare) {
      worst = i;
      worstShare = share;
    }
  });
  return worst < 0 ? undefined : { from: worst, to: worst + 1 };
}

/** The smallest run of `fanIn` segments of about one size: the largest is at most what the others are together. */
function chooseTier(sizes: readonly number[], fanIn: number, largest: number): MergeRun | undefined {
  let best: MergeRun | undefined;
  let bestSum = Number.POSITIVE_INFINITY;
  for (let from = 0; from + fanIn <= sizes.length; from++) {
    const run = sizes.slice(from, from + fanIn);
    const sum = run.reduce((a, b) => a + b, 0);
    const max = Math.max(...run);
    if (max > largest || sum - max < max || sum >= bestSum) continue;
    best = { from, to: from + fanIn };
    bestSum = sum;
  }
  return best;
}

/** Too many segments and no tier among them: the run that costs least for what it saves. */
function chooseCheapest(sizes: readonly number[], longest: number, largest: number): MergeRun {
  let best: MergeRun = { from: 0, to: 2 };
  let bestCost = Number.POSITIVE_INFINITY;
  for (let from = 0; from < sizes.length - 1; from++) {
    let sum = sizes[from]!;
    for (let to = from + 2; to <= Math.min(from + longest, sizes.length); to++) {
      sum += sizes[to - 1]!;
      // What is above the limit anyway is merged only when nothing else is left.
      const cost = (sum / (to - from - 1)) * (sum > largest * 2 ? 1000 : 1);
      if (cost >= bestCost) continue;
      bestCost = cost;
      best = { from, to };
    }
  }
  return best;
}
