// Which segments should become one now? Adjacent ones only, so that documents stay in commit order. Small ones in tiers, as
// in Lucene's LogMergePolicy: eight of about one size become one of the next. Large ones only when there are too many: what
// a merge costs is all that it writes, and room for its result beside its inputs. And a segment that is more than a third
// dead is rewritten for its own sake, unless it goes on dying; then it becomes part of others only where there are too many.
// A pure function of sizes.

/** What the policy knows of a segment. */
export interface SegmentSize {
  readonly docCount: number;
  /** Documents that some reader may still see. */
  readonly liveCount: number;
  readonly bytes: number;
  /** It is being written over, and may soon be wholly dead. */
  readonly isDying?: boolean;
}

/** Limits of the policy. */
export interface MergeLimits {
  /** Segments that are there at most, whatever their sizes. @default 16 */
  readonly most?: number;
  /** Segments that become one, at most. @default 8 */
  readonly fanIn?: number;
  /** Live bytes of a merge that is done as soon as there are `fanIn` segments of about one size. @default 256 MiB */
  readonly smallBytes?: number;
  /**
   * Share of all live bytes that a larger merge takes at most, as long as there is another way: so much room is left behind it,
   * for the next one. @default 1/4
   */
  readonly largestShare?: number;
  /** Merges of more live bytes are the last thing to be done, but for a forced one: a segment stays below 4 GiB. @default 3 GiB */
  readonly largestBytes?: number;
  /** Live bytes below which all sizes count as one. @default 4 MiB */
  readonly smallestBytes?: number;
  /** Dead share from which a segment is rewritten. @default 1/3 */
  readonly deadShare?: number;
}

/** What the settings of an index say of its merges, as Lucene's TieredMergePolicy calls it: so many small segments may there be. */
export function mergeLimitsOf(settings: Readonly<Record<string, string>>): MergeLimits {
  const most = Number(settings['index.merge.policy.segments_per_tier']);
  return most >= 2 ? { fanIn: Math.floor(most) } : {};
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
  const { most = 16, fanIn = 8, deadShare = 1 / 3, largestShare = 1 / 4 } = limits;
  const { largestBytes = 3 * 2 ** 30, smallestBytes = 2 ** 22, smallBytes = 2 ** 28 } = limits;
  // What is wholly dead goes first: that costs nothing, and what is left may be few enough.
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

/** The smallest run of `fanIn` segments of about one size, none of them dying: the largest is at most what the others are together. */
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
 * The run that costs least for what it saves, among those of at most so many bytes. What it saves counts twice over: a merge
 * of many postpones the next one, so that documents are written again less often in the end. (With seals of one size, 60 to
 * 120 of them, each document is written again 1.1 times.)
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
