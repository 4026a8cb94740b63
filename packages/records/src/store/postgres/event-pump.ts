// Numbers events after commits, over one connection of each process, which also listens for the events of
// other processes and reconnects when it was lost.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { purgeSavedAnswers } from '../../idempotency/stored-answers-postgres.ts';
import { databaseOf } from './dialect.ts';
import { numberEvents } from './event-sequencer.ts';

/** How often it looks for events that other processes have left, or that it has missed. */
const LOOK_MS = 1_000;
/** Callers are answered after this time, numbered or not: their writes are committed. */
const PATIENCE_MS = 2_000;
/** A close waits this long for running statements: a frozen database neither answers nor hangs up. */
const CLOSE_MS = 3_000;
/** Looks between two purges of old answers, and answers that go at once. */
const PURGE_LOOKS = 60;
const PURGE = 1_000;

const LOOK = 'SELECT position, (SELECT min(number) FROM outbox_queue) AS oldest FROM outbox_head';

/** The keeping connection of a process. */
export class EventPump {
  readonly #config: ClientConfig;
  readonly #channel: string;
  readonly #heard: (position: bigint) => void;
  #client: Client | undefined;
  /** Those that have not ended. */
  readonly #clients = new Set<Client>();
  #connecting: Promise<Client> | undefined;
  #looking: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #looks = 0;
  #oldest: bigint | null = null;
  #closed = false;

  constructor(config: ClientConfig, channel: string, heard: (position: bigint) => void) {
    this.#config = config;
    this.#channel = channel;
    this.#heard = heard;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  async open(): Promise<void> {
    await this.#connected();
    await this.#look();
    this.#timer = setInterval(() => {
      // One look at a time: a database that has just come back may take longer for one.
      this.#looking ??= this.#look()
        .catch(() => {})
        .finally(() => {
          this.#looking = undefined;
        });
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Resolves when all committed events have positions, or when that takes too long. */
  async settle(): Promise<void> {
    const waiting = new AbortController();
    const patience = sleep(PATIENCE_MS, undefined, { signal: waiting.signal, ref: false }).catch(() => {});
    await Promise.race([this.#passAfterNow().catch(() => {}), patience]);
    waiting.abort();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    // A waiting statement fails with its connection.
    const cut = setTimeout(() => {
      for (const { connection } of this.#clients) connection.stream.destroy();
    }, CLOSE_MS);
    await this.#running.catch(() => {});
    await this.#connecting?.catch(() => {});
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
    clearTimeout(cut);
  }

  /** One pass at a time; calls during a pass share the next one. */
  #passAfterNow(): Promise<void> {
    this.#next ??= (async () => {
      await this.#running.catch(() => {});
      this.#next = undefined;
      this.#running = this.#pass();
      await this.#running;
    })();
    return this.#next;
  }

  async #pass(): Promise<void> {
    const client = await this.#connected();
    try {
      this.#heard(await numberEvents(client, this.#channel));
    } catch (error) {
      await client.query('ROLLBACK').catch(() => this.#drop(client));
      throw error;
    }
  }

  async #look(): Promise<void> {
    if (this.#closed) return;
    await this.#running.catch(() => {});
    const client = await this.#connected();
    const { rows } = await client.query<{ position: bigint; oldest: bigint | null }>(LOOK);
    const { position, oldest } = rows[0]!;
    this.#heard(position);
    // The process that should have numbered it has died.
    if (oldest !== null && oldest === this.#oldest) await this.#passAfterNow();
    this.#oldest = oldest;
    if (this.#looks++ % PURGE_LOOKS === 0) await purgeSavedAnswers(databaseOf(client).db, Date.now(), PURGE);
  }

  /** The connection; reconnects where it was lost, once for all concurrent calls. */
  async #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    if (this.#closed) throw new Error('closed');
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return await this.#connecting;
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#config);
    this.#clients.add(client);
    client.on('error', () => this.#drop(client));
    client.on('end', () => {
      this.#clients.delete(client);
      this.#drop(client);
    });
    client.on('notification', ({ payload }) => {
      if (payload !== undefined && /^\d+$/.test(payload)) this.#heard(BigInt(payload));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
    } catch (error) {
      this.#drop(client);
      throw error;
    }
    this.#client = client;
    return client;
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    client.end().catch(() => {});
  }
}
