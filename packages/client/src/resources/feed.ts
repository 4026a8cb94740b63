// Feeds and their items.

import type { Transport } from '../transport.ts';
import { Entries, type Entry } from './entries.ts';

/** An item of a feed. */
export interface Item extends Entry {
  /** The name of the feed. Absent for the default feed. */
  readonly feed?: string;
}

/** A feed: `client.feed` is the default feed, `client.feedOf(name)` a named one. */
export class Feed extends Entries<Item> {
  constructor(transport: Transport, name?: string) {
    super(transport, '/api/newsfeed', { feed: name });
  }
}
