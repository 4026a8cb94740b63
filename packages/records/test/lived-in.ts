// Records that look as if somebody had lived in them: feeds, chats, money, users, keys, webhooks, answers; and all of it
// as callers see it, to be held against another store.

import {
  createAccount,
  createChat,
  createHold,
  createKey,
  createWebhook,
  deleteItem,
  editItem,
  eventsAfter,
  getChat,
  joinChat,
  listAccounts,
  listHolds,
  listKeys,
  listTransfers,
  listUsers,
  listWebhooks,
  markRead,
  membersOfChat,
  pageOfChat,
  pageOfFeed,
  postHold,
  postItem,
  postMessage,
  putUser,
  type Records,
  RecordsError,
  reverse,
  transfer,
  transferBatch,
  verifyJournal,
  voidHold,
} from '../src/index.ts';

const PEOPLE = ['ada', 'bob', 'cyn', 'dän'];
const CHAT = 'lobby';

/** What there is before anybody does anything. */
export async function moveIn(records: Records): Promise<void> {
  for (const id of ['bank', ...PEOPLE])
    await records.write(createAccount, { id, currency: 'EUR', allowNegative: id === 'bank' });
  for (const to of PEOPLE) await records.write(transfer, { from: 'bank', to, money: '100' });
  await records.write(createChat, { id: CHAT, title: 'Lobby 🏠' });
  for (const member of PEOPLE) await records.write(joinChat, { chat: CHAT, member });
  for (const id of ['k1', 'k2']) {
    const grant = { name: id, scopes: ['feed:read'], metadata: { of: id } };
    await records.write(createKey, { id, hash: Buffer.alloc(32, id), grant, createdBy: 'test' });
  }
  const owner = { id: 'test' };
  const hook = {
    url: 'https://example.org/',
    types: ['item.*'],
    subject: undefined,
    secret: 'whsec_a',
    owner,
  };
  await records.write(createWebhook, { id: 'w1', ...hook, position: 'r0.d0' });
}

/** Does one thing after the other; the same seed does the same. */
export class Inhabitant {
  readonly #records: Records;
  #seed: number;
  readonly #items: string[] = [];
  readonly #transfers: string[] = [];
  readonly #holds: string[] = [];

  constructor(records: Records, seed: number) {
    this.#records = records;
    this.#seed = seed;
  }

  #random(below: number): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed % below;
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[this.#random(Math.max(1, list.length))];
  }

  async live(steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      try {
        await this.#step();
      } catch (error) {
        if (!(error instanceof RecordsError)) throw error;
      }
    }
  }

  async #step(): Promise<void> {
    const records = this.#records;
    const [from, to] = [this.#one(['bank', ...PEOPLE])!, this.#one(PEOPLE)!];
    const money = `${1 + this.#random(9)}.${10 + this.#random(90)}`;
    const text = `@${to} says #topic${this.#random(5)} ${this.#random(1_000)}`;
    switch (this.#random(12)) {
      case 0:
        return void (await records.write(putUser, {
          id: from,
          names: { username: `${to}${this.#random(3)}` },
        }));
      case 1: {
        const idempotency = { principal: 'p', key: `i${this.#random(40)}`, fingerprint: 'f' };
        return void (await records.write(transfer, { from, to, money, reference: 'r' }, { idempotency }));
      }
      case 2:
        return void this.#holds.push((await records.write(createHold, { from, to, money })).id);
      case 3:
        return void (await records.write(postHold, { id: this.#one(this.#holds) ?? 'no' }));
      case 4:
        return void (await records.write(voidHold, { id: this.#one(this.#holds) ?? 'no' }));
      case 5:
        return void (await records.write(reverse, { id: this.#one(this.#transfers) ?? 'no' }));
      case 6: {
        const { id } = await records.write(postMessage, { chat: CHAT, draft: { author: from, text } });
        return void (await records.write(markRead, { chat: CHAT, member: to, messageId: id }));
      }
      case 7:
        return void (await records.write(deleteItem, { feed: 'news', id: this.#one(this.#items) ?? 'no' }));
      case 8: {
        const id = this.#one(this.#items) ?? 'no';
        return void (await records.write(editItem, { feed: 'news', id, content: { text } }));
      }
      case 9: {
        const back = { from: to, to: from, money };
        return void (await records.write(transferBatch, { transfers: [{ from, to, money }, back] }));
      }
      case 10:
        return void this.#transfers.push((await records.write(transfer, { from, to, money })).id);
      default:
        return void this.#items.push(
          (await records.write(postItem, { feed: 'news', draft: { author: from, text } })).id,
        );
    }
  }
}

/** All that callers see. The journal must be sound. */
export async function seen(records: Records): Promise<Record<string, unknown>> {
  const list = { filter: {}, order: 'desc', limit: 1_000, place: { by: 'id' } } as const;
  const journal = await records.read(verifyJournal, undefined);
  const { rows } = await records.read(listAccounts, { limit: 1_000 });
  const feed = await records.read(pageOfFeed, { feed: 'news', ...list });
  const paged = { ...list, limit: 7, place: { by: 'page', page: 2 } } as const;
  return {
    journal,
    accounts: rows.map(({ updatedAt: _, ...account }) => account),
    transfers: (await records.read(listTransfers, { limit: 1_000 })).rows,
    holds: (await records.read(listHolds, { limit: 1_000 })).rows,
    feed: feed.entries,
    second: (await records.read(pageOfFeed, { feed: 'news', ...paged })).entries,
    mentions: (await records.read(pageOfFeed, { feed: 'news', ...list, filter: { mention: 'ada' } })).entries,
    messages: (await records.read(pageOfChat, { chat: CHAT, ...list })).entries,
    chat: await records.read(getChat, { chat: CHAT }),
    members: (await records.read(membersOfChat, { chat: CHAT, limit: 100 })).rows,
    users: (await records.read(listUsers, { limit: 100 })).rows,
    keys: (await records.read(listKeys, { limit: 100 })).rows.map((key) => ({
      ...key,
      hash: String(key.hash),
    })),
    webhooks: await records.read(listWebhooks, { limit: 100 }),
    events: await records.read(eventsAfter, { after: 0n, limit: 10_000 }),
  };
}
