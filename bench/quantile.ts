// What is in the middle of some values, or at another share of them?

/** The value that the share `q` of all lies before; NaN of none. O(n log n). */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}
