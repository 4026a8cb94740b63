// The lines in which two texts differ, by their longest common subsequence (Hunt and McIlroy 1976, in its plain form).

interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this many cells all lines between the first and the last difference are shown as changed. */
const MOST_CELLS = 4_000_000;

/** O(lines of a × lines of b) between the first and the last difference. */
export function lineDiff(a: string, b: string): DiffLine[] {
  const [left, right] = [a.split('\n'), b.split('\n')];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let tail = 0;
  while (
    tail < left.length - start &&
    tail < right.length - start &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  )
    tail++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(left.slice(0, start)),
    ...changes(left.slice(start, left.length - tail), right.slice(start, right.length - tail)),
    ...same(left.slice(left.length - tail)),
  ];
}

function changes(left: readonly string[], right: readonly string[]): DiffLine[] {
  const width = right.length + 1;
  if (left.length * right.length > MOST_CELLS)
    return [
      ...left.map((text): DiffLine => ({ kind: 'removed', text })),
      ...right.map((text): DiffLine => ({ kind: 'added', text })),
    ];
  // common[i * width + j]: the length of the longest subsequence that left from i and right from j share.
  const common = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      common[i * width + j] =
        left[i] === right[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push({ kind: 'same', text: left[i]! });
      i++;
      j++;
    } else if (
      j === right.length ||
      (i < left.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) {
      lines.push({ kind: 'removed', text: left[i++]! });
    } else lines.push({ kind: 'added', text: right[j++]! });
  }
  return lines;
}
