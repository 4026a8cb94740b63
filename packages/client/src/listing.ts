// How is a list walked? Item by item, page by page, forwards or backwards: every page knows its neighbours, and nothing
// is fetched before it is wanted.

/** One page of a list, in the order of the list. */
export interface Page<Item, Reply = unknown> {
  readonly items: readonly Item[];
  /** The answer as it came. */
  readonly reply: Reply;
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
  /** The page after this one, undefined at the end. */
  next(): Promise<Page<Item, Reply> | undefined>;
  /** The page before this one, undefined at the start. */
  prev(): Promise<Page<Item, Reply> | undefined>;
}

/** What a kind of list says of itself. `Position` is what a request carries to say where it goes on. */
export interface ListSource<Item, Reply, Position> {
  fetch(position: Position | undefined): Promise<Reply>;
  items(reply: Reply): readonly Item[];
  /** Where the page after this one is. */
  next(reply: Reply): Position | undefined;
  /** Where the page before this one is. */
  prev(reply: Reply): Position | undefined;
}

/** A list that is walked by `for await`. Each walk starts anew. */
export interface Listing<Item, Reply = unknown> extends AsyncIterable<Item> {
  /** The page that the list starts with. */
  first(): Promise<Page<Item, Reply>>;
  /** Page after page, from the first. */
  pages(): AsyncIterable<Page<Item, Reply>>;
  /** All items; mind the memory. */
  toArray(): Promise<Item[]>;
}

export interface WalkOptions {
  /** Goes from page to page before instead, and through each from its last item. @default false */
  readonly backwards?: boolean;
}

/** A listing over a source. Memory: one page. */
export function listingOf<Item, Reply, Position>(
  source: ListSource<Item, Reply, Position>,
  { backwards = false }: WalkOptions = {},
): Listing<Item, Reply> {
  const first = async (): Promise<Page<Item, Reply>> => await fetchPage(source, undefined);
  async function* pages(): AsyncGenerator<Page<Item, Reply>> {
    let page: Page<Item, Reply> | undefined = await first();
    while (page !== undefined) {
      yield page;
      page = await (backwards ? page.prev() : page.next());
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* backwards ? [...page.items].reverse() : page.items;
  }
  return {
    first,
    pages,
    [Symbol.asyncIterator]: items,
    toArray: async () => {
      const all: Item[] = [];
      for await (const item of items()) all.push(item);
      return all;
    },
  };
}

async function fetchPage<Item, Reply, Position>(
  source: ListSource<Item, Reply, Position>,
  position: Position | undefined,
): Promise<Page<Item, Reply>> {
  const reply = await source.fetch(position);
  const after = source.next(reply);
  const before = source.prev(reply);
  const go = async (to: Position | undefined): Promise<Page<Item, Reply> | undefined> =>
    to === undefined ? undefined : await fetchPage(source, to);
  return {
    items: source.items(reply),
    reply,
    hasNext: after !== undefined,
    hasPrev: before !== undefined,
    next: () => go(after),
    prev: () => go(before),
  };
}
