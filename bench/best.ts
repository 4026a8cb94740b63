// Do two servers find the same best matches? Scores are equal to a hundred-thousandth. So are ids, but where scores are equal:
// documents did not come in the same order everywhere, and of those that are as good as the first or the last hit of a page some
// may be on the page before or behind it.

import type { Hit } from './question.ts';

/** Throws where the pages that begin at the match numbered `from` differ. */
export function expectSameBest(
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
    throw new Error(`the hits of ${query} from ${from} on: ${what}: ${told(first)} and ${told(other)}`);
  }
}

function scoreOf(hit: Hit | undefined): number {
  return hit?._score ?? 0;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-5 * Math.abs(b);
}

function told(hits: readonly Hit[]): string {
  return hits
    .slice(0, 4)
    .map((hit) => `${hit._id} ${scoreOf(hit)}`)
    .join(', ');
}
