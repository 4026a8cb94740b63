// How is a page cut out of a list that is walked both ways? The rows beyond a place, one more than fit, tell what follows;
// one row on the other side tells what precedes.

/** Where a page lies in a list that is walked both ways. `P` is what places are told by. */
export interface Beside<P> {
  /** Rows beyond this place, in the direction of the walk; from the start where it is not given. */
  readonly after?: P | undefined;
  /** Walks towards the start; the page is in the order of the list all the same. */
  readonly backwards?: boolean | undefined;
  readonly limit: number;
}

/** A page in the order of its list, and whether there are rows on either side of it. */
export interface PageBeside<T> {
  readonly page: readonly T[];
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

/** `side` gives up to `most` rows beyond a place, nearest first; `placeOf` tells the place of a row. At most two calls. */
export async function pageBeside<T, P>(
  { after, backwards = false, limit }: Beside<P>,
  side: (from: P | undefined, backwards: boolean, most: number) => Promise<T[]>,
  placeOf: (row: T) => P,
): Promise<PageBeside<T>> {
  const rows = await side(after, backwards, limit + 1);
  const more = rows.length > limit;
  const page = rows.slice(0, limit);
  if (backwards) page.reverse();
  const edge = backwards ? page.at(-1) : page[0];
  const from = edge === undefined ? after : placeOf(edge);
  const behind = after !== undefined && (await side(from, !backwards, 1)).length > 0;
  return { page, hasNext: backwards ? behind : more, hasPrev: backwards ? more : behind };
}
