// Chats with their members and messages.

import type { Listing } from '../listing.ts';
import { type TokenQuery, type TokenReply, tokenListing } from '../token-listing.ts';
import {
  type CallOptions,
  encodePath,
  signalOf,
  type Transport,
  type WriteCallOptions,
} from '../transport.ts';
import { Entries, type Entry } from './entries.ts';

/** A message of a chat. */
export interface Message extends Entry {
  readonly chat: string;
}

export interface ChatFacts {
  readonly id: string;
  readonly title?: string;
  /** True if anybody may write; false if only members may. */
  readonly open: boolean;
  readonly member_count: number;
  readonly message_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface NewChat {
  readonly id?: string;
  readonly title?: string;
  /** If given, only members may write. */
  readonly members?: readonly string[];
}

export interface Member {
  readonly member: string;
  readonly joined_at: string;
}

export interface ReadMember extends Member {
  readonly read_message_id: string | null;
  readonly unread: number;
}

/** A chat as one of its members sees it. */
export interface InboxChat extends ChatFacts {
  /** The time of the last message, or of the creation of the chat. */
  readonly active_at: string;
  /** The number of unread messages of others. */
  readonly unread: number;
  readonly read_message_id: string | null;
  readonly last_message?: Message;
}

/** All chats. */
export class Chats {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(chat: NewChat = {}, options: WriteCallOptions = {}): Promise<ChatFacts> {
    return await this.#transport.write({ method: 'POST', path: '/api/chats', body: chat }, options);
  }

  /** The inbox of a member: the chat with the latest message first. */
  list(query: TokenQuery & { readonly member: string }): Listing<InboxChat, TokenReply<InboxChat>> {
    return tokenListing(this.#transport, '/api/chats', query);
  }
}

/** One chat. */
export class Chat {
  readonly messages: Entries<Message>;
  readonly #transport: Transport;
  readonly #id: string;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.#id = id;
    this.messages = new Entries(transport, encodePath(['api', 'chats', id, 'messages']));
  }

  async get(options: CallOptions = {}): Promise<ChatFacts> {
    return await this.#transport.call({ method: 'GET', path: this.#at(), ...signalOf(options), safe: true });
  }

  /** A null title removes the title. */
  async edit(change: { readonly title?: string | null }, options: WriteCallOptions = {}): Promise<ChatFacts> {
    return await this.#transport.write({ method: 'PATCH', path: this.#at(), body: change }, options);
  }

  /** Deletes the chat with its members and messages. */
  async delete(options: WriteCallOptions = {}): Promise<void> {
    await this.#transport.write({ method: 'DELETE', path: this.#at() }, options);
  }

  /** The members, by name. */
  members(query: TokenQuery = {}): Listing<Member, TokenReply<Member>> {
    return tokenListing(this.#transport, this.#at('members'), query);
  }

  /** A member and their read position. */
  async member(name: string, options: CallOptions = {}): Promise<ReadMember> {
    return await this.#transport.call({
      method: 'GET',
      path: this.#at('members', name),
      ...signalOf(options),
      safe: true,
    });
  }

  async join(name: string, options: WriteCallOptions = {}): Promise<ReadMember> {
    return await this.#transport.write({ method: 'PUT', path: this.#at('members', name) }, options);
  }

  async leave(name: string, options: WriteCallOptions = {}): Promise<void> {
    await this.#transport.write({ method: 'DELETE', path: this.#at('members', name) }, options);
  }

  /** Sets the read position of a member. */
  async markRead(name: string, messageId: string, options: WriteCallOptions = {}): Promise<ReadMember> {
    return await this.#transport.write(
      { method: 'PUT', path: this.#at('members', name, 'read'), body: { message_id: messageId } },
      options,
    );
  }

  #at(...parts: readonly string[]): string {
    return encodePath(['api', 'chats', this.#id, ...parts]);
  }
}
