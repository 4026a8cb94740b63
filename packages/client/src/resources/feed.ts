// What is new? The items of a feed.

import type { Transport } from '../transport.ts';
import { Entries, type Entry } from './entries.ts';

/** An item of a feed. */
export interface Item extends Entry {
  /** The name of its feed; the default feed has none. */
  readonly feed?: string;
}

/** A feed: `client.feed` is the default one, `client.feedOf(name)` another. */
export class Feed extends Entries<Item> {
  constructor(transport: Transport, name?: string) {
    super(transport, '/api/newsfeed', { feed: name });
  }
}
