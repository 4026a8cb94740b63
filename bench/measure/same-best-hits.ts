// Compares the best matches of two servers. Scores must be equal to a hundred-thousandth, and ids must be
// equal unless scores tie. Documents were not loaded in the same order everywhere, so documents that tie with
// the first or last hit of a page may be on the neighbouring page.

import type { Hit } from './question.ts';

/** Throws if the pages that start at match number `from` differ. */
export function expectSameBestHits(
  [first = [], ...others]: readonly (readonly Hit[])[],
  query: string,
  from = 0,
): void {
  const cut = [...first.slice(-1), ...(from > 0 ? first.slice(0, 1) : [])].map(scoreOf);
  const whole = first.filter((hit) => !cut.some((score) => isNear(score, scoreOf(hit))));
  for (const other of others) {
    const near =
      first.length === other.length && first.every((hit, at) => isNear(scoreOf(hit), scoreOf(other[at])));
    const apart = whole.find(
      (hit) => !other.some((each) => each._id === hit._id && isNear(scoreOf(each), scoreOf(hit))),
    );
    if (near && apart === undefined) continue;
    const what = near ? `only one has [${apart?._id}]` : 'scores differ';
    throw new Error(
      `the hits of ${query} from ${from} on: ${what}: ${describeHits(first)} and ${describeHits(other)}`,
    );
  }
}

function scoreOf(hit: Hit | undefined): number {
  return hit?._score ?? 0;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-5 * Math.abs(b);
}

function describeHits(hits: readonly Hit[]): string {
  return hits
    .slice(0, 4)
    .map((hit) => `${hit._id} ${scoreOf(hit)}`)
    .join(', ');
}
