// OctavoClient: the entry point, one object with all resources of a server.

import type { Listing } from './listing.ts';
import { Accounts } from './resources/accounts.ts';
import { Chat, Chats } from './resources/chats.ts';
import { Documents } from './resources/documents.ts';
import { type EventQuery, type OctavoEvent, streamEvents } from './resources/events.ts';
import { Feed } from './resources/feed.ts';
import { Holds } from './resources/holds.ts';
import { Keys } from './resources/keys.ts';
import {
  type ExportedDocument,
  exportDocuments,
  type ScrollOptions,
  scrollPages,
} from './resources/scroll.ts';
import {
  type Hit,
  type Index,
  type SearchBody,
  type SearchOptions,
  type SearchReply,
  searchListing,
} from './resources/search.ts';
import { Transactions } from './resources/transactions.ts';
import { Users } from './resources/users.ts';
import { Webhooks } from './resources/webhooks.ts';
import { type Call, type ClientOptions, Transport } from './transport.ts';

/**
 * A client of one server. It holds no connection and needs no closing. A call that fails throws OctavoError; a call that
 * is aborted throws the reason of its signal.
 */
export class OctavoClient {
  /** The default feed. */
  readonly feed: Feed;
  readonly chats: Chats;
  readonly users: Users;
  readonly accounts: Accounts;
  readonly transactions: Transactions;
  readonly holds: Holds;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.feed = new Feed(this.#transport);
    this.chats = new Chats(this.#transport);
    this.users = new Users(this.#transport);
    this.accounts = new Accounts(this.#transport);
    this.transactions = new Transactions(this.#transport);
    this.holds = new Holds(this.#transport);
    this.keys = new Keys(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /** A named feed. It is created with its first item. */
  feedOf(name: string): Feed {
    return new Feed(this.#transport, name);
  }

  /** One chat. */
  chat(id: string): Chat {
    return new Chat(this.#transport, id);
  }

  /** The documents of one index or alias: reads and writes by id, and bulk writes from a stream. */
  documents<Source = unknown>(index: string): Documents<Source> {
    return new Documents<Source>(this.#transport, index);
  }

  /** The hits of a live search, walked by token at any depth, forwards and (by `page.prev()`) backwards. */
  search<Source = unknown>(
    index: Index,
    body: SearchBody = {},
    options: SearchOptions = {},
  ): Listing<Hit<Source>, SearchReply<Source>> {
    return searchListing<Source>(this.#transport, index, body, options);
  }

  /** The hits of a search, from a snapshot taken at its start. */
  async *scroll<Source = unknown>(
    index: Index,
    body: SearchBody = {},
    options: ScrollOptions = {},
  ): AsyncGenerator<Hit<Source>> {
    for await (const { hits } of scrollPages<Source>(this.#transport, index, body, options)) yield* hits.hits;
  }

  /** Every document that matches `query` (default: all), once, from one snapshot. `size` is the size of a page. */
  export<Source = unknown>(
    index: Index,
    body: SearchBody = {},
    options: ScrollOptions = {},
  ): AsyncGenerator<ExportedDocument<Source>> {
    return exportDocuments<Source>(this.#transport, index, body, options);
  }

  /** The events of the server as they happen. The iteration ends only by its signal. */
  events(query: EventQuery = {}): AsyncGenerator<OctavoEvent> {
    return streamEvents(this.#transport, query);
  }

  /** Calls any other endpoint. `safe: true` allows the client to send the request again after a lost reply. */
  async call<Reply = unknown>(call: Call): Promise<Reply> {
    return await this.#transport.call<Reply>(call);
  }
}
