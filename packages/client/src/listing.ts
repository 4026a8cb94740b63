// Listings: lists that are walked item by item or page by page, forwards or backwards. A page fetches its
// neighbours on request; nothing is fetched in advance.

/** One page of a list, in the order of the list. */
export interface Page<Item, Reply = unknown> {
  readonly items: readonly Item[];
  /** The body of the reply. */
  readonly reply: Reply;
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
  /** The page after this one, undefined at the end. */
  next(): Promise<Page<Item, Reply> | undefined>;
  /** The page before this one, undefined at the start. */
  prev(): Promise<Page<Item, Reply> | undefined>;
}

/** How a kind of list is fetched. `Position` is the part of a request that says where the page starts. */
export interface ListSource<Item, Reply, Position> {
  fetch(position: Position | undefined): Promise<Reply>;
  items(reply: Reply): readonly Item[];
  /** The position of the page after this one. */
  next(reply: Reply): Position | undefined;
  /** The position of the page before this one. */
  prev(reply: Reply): Position | undefined;
}

/** A list for `for await`. Each walk starts from the first page. */
export interface Listing<Item, Reply = unknown> extends AsyncIterable<Item> {
  /** The first page. */
  first(): Promise<Page<Item, Reply>>;
  /** All pages, from the first. */
  pages(): AsyncIterable<Page<Item, Reply>>;
  /** All items in memory. */
  toArray(): Promise<Item[]>;
}

export interface WalkOptions {
  /** Walks towards the start, and through each page from its last item. @default false */
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
