// Cuts a page out of a list that is walked in both directions by key (keyset pagination). One row more than fits shows whether
// the list goes on; one row on the other side shows whether something precedes.

/** A page of a list. `Key` identifies a place in it. */
export interface KeysetRequest<Key> {
  /** Rows beyond this key, in the direction of the walk; from the start where it is not given. */
  readonly after?: Key | undefined;
  /** Walks towards the start; the page is in the order of the list all the same. */
  readonly backwards?: boolean | undefined;
  readonly limit: number;
}

/** A page in the order of its list, and whether there are rows on either side of it. */
export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

/** `read` returns at most `most` rows beyond a key, nearest first. It is called at most twice. */
export async function keysetPage<Row, Key>(
  { after, backwards = false, limit }: KeysetRequest<Key>,
  read: (from: Key | undefined, backwards: boolean, most: number) => Row[] | Promise<Row[]>,
  keyOf: (row: Row) => Key,
): Promise<KeysetPage<Row>> {
  const found = await read(after, backwards, limit + 1);
  const more = found.length > limit;
  const rows = found.slice(0, limit);
  if (backwards) rows.reverse();
  const edge = backwards ? rows.at(-1) : rows[0];
  const from = edge === undefined ? after : keyOf(edge);
  const behind = after !== undefined && (await read(from, !backwards, 1)).length > 0;
  return { rows, hasNext: backwards ? behind : more, hasPrev: backwards ? more : behind };
}
