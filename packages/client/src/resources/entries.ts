// Entries: the common shape, lists and operations of feed items and chat messages.

import type { Content, Entity, Unit } from '@octavo/mention';
import { type Listing, listingOf } from '../listing.ts';
import type { TokenReply } from '../token-listing.ts';
import {
  type CallOptions,
  type Query,
  requireOptions,
  type Transport,
  type WriteCallOptions,
} from '../transport.ts';

/** A link that belongs to an entry. */
export interface Attachment {
  readonly url: string;
  readonly type?: string;
  readonly title?: string;
}

/** An item or a message. Its text is content as `@octavo/mention` understands it. */
export interface Entry extends Content {
  /** A UUIDv7, which increases with time. */
  readonly id: string;
  readonly author: string;
  readonly attachments: readonly Attachment[];
  readonly data?: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

interface Extras {
  readonly attachments?: readonly Attachment[];
}

/** Literal text with optional entities. */
export interface TextInput extends Extras {
  readonly text: string;
  readonly entities?: readonly Entity[];
  /** @default 'utf16' */
  readonly unit?: Unit;
}

/** Text with entities as markup. */
export interface MarkupInput extends Extras {
  readonly markup: string;
}

/** A new entry. */
export type Draft = (TextInput | MarkupInput) & {
  readonly author: string;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** The members to replace. Null removes `data`. */
export type Edit = (Partial<TextInput> | MarkupInput) & {
  readonly data?: Readonly<Record<string, unknown>> | null;
};

/** Filters and the start of the list. At most one start is allowed; `max_id` may be combined with since_id or min_id. */
export interface EntryQuery extends CallOptions {
  /** Items per page. @default 20 */
  readonly limit?: number;
  /** `desc` is newest first. @default 'desc' */
  readonly order?: 'desc' | 'asc';
  readonly author?: string;
  readonly mention?: string;
  readonly topic?: string;
  /** True shows mentions with the users' current names; false as they were written. @default true */
  readonly resolve?: boolean;
  /** Ids up to and including this one. */
  readonly max_id?: string;
  /** Ids above this one. */
  readonly since_id?: string;
  /** The page directly above this id. */
  readonly min_id?: string;
  /** Half a page up to this id and half a page above it. */
  readonly around?: string;
  /** `next` of an earlier reply. */
  readonly next_token?: string;
  /** `prev` of an earlier reply: the walk then goes backwards. */
  readonly prev_token?: string;
}

/** The body of a page of entries. */
export interface EntryReply<Item> extends TokenReply<Item> {
  readonly next_max_id?: string;
  readonly next_min_id?: string;
  /** The exact number of entries, on the first page of a list without filters. */
  readonly total?: number;
}

/** The body of a page by number. */
export interface NumberedReply<Item> extends EntryReply<Item> {
  readonly page: number;
  readonly page_count: number;
  readonly total: number;
  readonly total_counted: boolean;
  /** The point in time of the walk. Send it with the other pages. */
  readonly as_of: string;
  /** Ids of this page that were deleted after `as_of`. */
  readonly deleted: readonly string[];
}

/** Filters and options of a page by number. */
export interface NumberedQuery
  extends Pick<EntryQuery, 'limit' | 'order' | 'author' | 'mention' | 'topic' | 'resolve' | 'signal'> {
  /** `as_of` of the first page of the walk. */
  readonly as_of?: string;
}

/** An entry with its text as markup. */
export type InMarkup<Item extends Entry> = Omit<Item, keyof Content> & { readonly markup: string };

/** The format of entries in replies: text with entities, or markup. */
export type EntryFormat = 'entities' | 'markup';

/** An entry in a format. */
export type InFormat<Item extends Entry, Format extends EntryFormat> = Format extends 'markup'
  ? InMarkup<Item>
  : Item;

/** The format option of calls that return entries. */
export interface FormatOption<Format extends EntryFormat> {
  /** @default 'entities' */
  readonly format?: Format;
}

type ReadOptions = CallOptions & Pick<EntryQuery, 'resolve'>;

/** The entries of one feed or chat. */
export class Entries<Item extends Entry> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: Query;

  constructor(transport: Transport, path: string, query: Query = {}) {
    this.#transport = transport;
    this.#path = path;
    this.#query = query;
  }

  /** All entries, newest first by default. A `prev_token` walks backwards from its page. */
  list<Format extends EntryFormat = 'entities'>(
    query: EntryQuery & FormatOption<Format> = {},
  ): Listing<InFormat<Item, Format>, EntryReply<InFormat<Item, Format>>> {
    const { signal, max_id, since_id, min_id, around, next_token, prev_token, ...filters } = query;
    const places = { max_id, since_id, min_id, around, next_token, prev_token };
    return listingOf<InFormat<Item, Format>, EntryReply<InFormat<Item, Format>>, Query>(
      {
        fetch: async (position) => {
          const params = { ...filters, ...(position ?? places), ...this.#query };
          return await this.#transport.call({
            method: 'GET',
            path: this.#path,
            query: params,
            signal,
            safe: true,
          });
        },
        items: (reply) => reply.items,
        next: ({ next }) => (next === undefined ? undefined : { next_token: next }),
        prev: ({ prev }) => (prev === undefined ? undefined : { prev_token: prev }),
      },
      { backwards: prev_token !== undefined },
    );
  }

  /** Page `number`, from 1. Every page costs the same as the first. */
  async page<Format extends EntryFormat = 'entities'>(
    number: number,
    query: NumberedQuery & FormatOption<Format> = {},
  ): Promise<NumberedReply<InFormat<Item, Format>>> {
    const { signal, ...params } = query;
    return await this.#transport.call({
      method: 'GET',
      path: this.#path,
      query: { ...params, page: number, ...this.#query },
      signal,
      safe: true,
    });
  }

  /** One entry. */
  async get<Format extends EntryFormat = 'entities'>(
    id: string,
    options: ReadOptions & FormatOption<Format> = {},
  ): Promise<InFormat<Item, Format>> {
    requireOptions(options, ['signal', 'format', 'resolve']);
    const { signal, format, resolve } = options;
    return await this.#transport.call({
      method: 'GET',
      path: this.#at(id),
      query: { ...this.#query, format, resolve },
      signal,
      safe: true,
    });
  }

  async post<Format extends EntryFormat = 'entities'>(
    draft: Draft,
    { format, ...options }: WriteCallOptions & FormatOption<Format> = {},
  ): Promise<InFormat<Item, Format>> {
    const query = { ...this.#query, format };
    return await this.#transport.write({ method: 'POST', path: this.#path, query, body: draft }, options);
  }

  async edit<Format extends EntryFormat = 'entities'>(
    id: string,
    edit: Edit,
    { format, ...options }: WriteCallOptions & FormatOption<Format> = {},
  ): Promise<InFormat<Item, Format>> {
    const query = { ...this.#query, format };
    return await this.#transport.write({ method: 'PATCH', path: this.#at(id), query, body: edit }, options);
  }

  async delete(id: string, options: WriteCallOptions = {}): Promise<void> {
    const call = { method: 'DELETE', path: this.#at(id), query: this.#query } as const;
    await this.#transport.write(call, options);
  }

  #at(id: string): string {
    return `${this.#path}/${encodeURIComponent(id)}`;
  }
}
