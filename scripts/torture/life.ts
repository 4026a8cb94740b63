// A life: what several clients ask of a server at once, each change noted in a history. Documents in two indices (single writes,
// bulks, updates, deletes), indices that come and go, flushes and merges, posts, transfers, and at some moment the first key.

import type { Dice } from '../../packages/server/test/mutations.ts';
import type { History, Sent } from './history.ts';

/** How to reach the server of the moment. The key is set once there is one. */
export interface Target {
  url: string;
  key: string | undefined;
}

/** How long a life is, and what it has. */
export interface LifeOptions {
  /** Rounds of each client. */
  readonly rounds: number;
  readonly clients: number;
  /** The round in which the first key is made; none by default. */
  readonly keyIn?: number;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const WORDS = 'ledger cursor segment posting merge commit replay frame snapshot order rank filter'.split(' ');
const ACCOUNTS = ['ada', 'grace', 'edsger', 'barbara'];

export class Life {
  readonly #history: History;
  readonly #target: Target;
  readonly #dice: Dice;
  #next = 0;
  /** True once a request found nobody: the server has ended. */
  isOver = false;

  constructor(history: History, target: Target, dice: Dice) {
    this.#history = history;
    this.#target = target;
    this.#dice = dice;
  }

  /** Makes what all rounds need. False where the server did not live so long. */
  async begin(): Promise<boolean> {
    for (const index of ['a', 'b']) {
      // Once more where it was refused: otherwise the first document would create the index, which nobody has sent.
      for (let status = 0, tries = 0; status !== 200 && !this.isOver && tries < 2; tries++) {
        const made = this.#history.send(`index ${index}`, 'there');
        const mappings = { properties: { tag: { type: 'keyword' } } };
        const answer = await this.#ask('PUT', `/${index}`, { mappings });
        this.#settle(made, answer);
        status = answer?.status ?? 0;
      }
    }
    await this.#ask('POST', '/api/accounts', { id: 'mint', currency: 'EUR', may_go_negative: true });
    for (const id of ACCOUNTS) await this.#ask('POST', '/api/accounts', { id, currency: 'EUR' });
    return !this.isOver;
  }

  async run({ rounds, clients, keyIn }: LifeOptions): Promise<void> {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let round = 0; round < rounds && !this.isOver; round++) {
          if (client === 0 && round === keyIn) await this.#makeKey();
          await this.#round(client);
        }
      }),
    );
  }

  async #round(client: number): Promise<void> {
    const dice = this.#dice;
    const kind = dice.below(20);
    if (kind < 6) await this.#document(client);
    else if (kind < 10) await this.#bulk(client);
    else if (kind < 13) await this.#post();
    else if (kind < 17) await this.#transfer();
    else if (kind < 18) await this.#passingIndex();
    else if (kind < 19) await this.#ask('POST', `/${dice.of(['a', 'b'])}/_flush`);
    else await this.#ask('POST', `/${dice.of(['a', 'b'])}/_forcemerge?max_num_segments=1`);
  }

  /** The documents of a client are its own, so that the steps of each follow one another. */
  async #document(client: number): Promise<void> {
    const dice = this.#dice;
    const [index, id] = [dice.of(['a', 'b']), `${client}-${dice.below(30)}`];
    const state = String(++this.#next);
    if (dice.chance(20)) {
      const step = this.#history.send(`document ${index}/${id}`, undefined);
      const answer = await this.#ask('DELETE', `/${index}/_doc/${id}`);
      // What is not there is deleted as well.
      this.#settle(step, answer?.status === 404 ? { ...answer, status: 200 } : answer);
      return;
    }
    const step = this.#history.send(`document ${index}/${id}`, state);
    const source = this.#source(state);
    if (dice.chance(30))
      this.#settle(
        step,
        await this.#ask('POST', `/${index}/_update/${id}`, { doc: source, doc_as_upsert: true }),
      );
    else this.#settle(step, await this.#ask('PUT', `/${index}/_doc/${id}`, source));
  }

  async #bulk(client: number): Promise<void> {
    const dice = this.#dice;
    const index = dice.of(['a', 'b']);
    const ids = new Set(Array.from({ length: 1 + dice.below(30) }, () => `${client}-${dice.below(30)}`));
    const steps: Sent[] = [];
    let lines = '';
    for (const id of ids) {
      const state = String(++this.#next);
      steps.push(this.#history.send(`document ${index}/${id}`, state));
      lines += `${JSON.stringify({ index: { _id: id } })}\n${JSON.stringify(this.#source(state))}\n`;
    }
    const answer = await this.#ask('POST', `/${index}/_bulk`, lines);
    const items = answer?.body['items'] as { index: { status: number } }[] | undefined;
    for (const [at, step] of steps.entries()) {
      const status = items?.[at]?.index.status ?? answer?.status;
      if (status !== undefined) this.#history.answer(step, status);
    }
  }

  #source(state: string): object {
    const text = Array.from({ length: 5 + this.#dice.below(40) }, () => this.#dice.of(WORDS)).join(' ');
    return { state, text, tag: this.#dice.of(WORDS), n: this.#dice.below(1000) };
  }

  async #post(): Promise<void> {
    const text = `post ${++this.#next}`;
    const step = this.#history.send(text, 'there');
    this.#settle(step, await this.#ask('POST', '/api/newsfeed', { author: 'ada', text }));
  }

  async #transfer(): Promise<void> {
    const id = `t${++this.#next}`;
    const [from, to] = [this.#dice.of(['mint', ...ACCOUNTS]), this.#dice.of(ACCOUNTS)];
    if (from === to) return;
    const money = `${1 + this.#dice.below(9)}.00`;
    const step = this.#history.send(`transfer ${id}`, `${from} ${to} ${money}`);
    this.#settle(step, await this.#ask('POST', '/api/transaction', { from, to, money, external_id: id }));
  }

  async #passingIndex(): Promise<void> {
    const index = `c${++this.#next}`;
    const made = this.#history.send(`index ${index}`, 'there');
    this.#settle(made, await this.#ask('PUT', `/${index}`));
    if (this.#dice.chance(50)) return;
    const gone = this.#history.send(`index ${index}`, undefined);
    this.#settle(gone, await this.#ask('DELETE', `/${index}`));
  }

  async #makeKey(): Promise<void> {
    const step = this.#history.send('key', 'needed');
    const answer = await this.#ask('POST', '/api/keys', { name: 'torture', scopes: ['admin'] });
    this.#settle(step, answer);
    if (answer?.status === 201) this.#target.key = String(answer.body['token']);
  }

  #settle(step: Sent, answer: Answer | undefined): void {
    if (answer !== undefined) this.#history.answer(step, answer.status);
  }

  async #ask(method: string, path: string, body?: object | string): Promise<Answer | undefined> {
    const { url, key } = this.#target;
    try {
      const reply = await fetch(url + path, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      });
      return {
        status: reply.status,
        body: (await reply.json().catch(() => ({}))) as Record<string, unknown>,
      };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') throw new Error(`${method} ${path} hangs`);
      this.isOver = true;
      return undefined;
    }
  }
}
