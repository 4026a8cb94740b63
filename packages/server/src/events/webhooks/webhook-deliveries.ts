// Who is told, and when? One walk a webhook over the stream of events, from the place where its last delivery was
// acknowledged: at least once, in order, no queue but the stream itself.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimWebhook,
  type DeliveryNote,
  listWebhooks,
  noteDelivery,
  RecordsError,
  type Webhook,
} from '@octavo/records';
import type { Principal } from '../../access/callers/principal.ts';
import { Problem } from '../../errors/problem.ts';
import type { CloudEvent } from '../cloud-event.ts';
import { mayPass } from '../event-filter.ts';
import { type EventSources, eventsSince, newest as newestOf } from '../read-events.ts';
import { printPosition, readPosition } from '../stream-position.ts';
import type { Bell } from '../wakeup.ts';
import { CALL_BOUNDS, type CallBounds, post } from './call-webhook.ts';
import { AddressRefused, destinationOf, type Resolve } from './public-address.ts';
import { signedHeaders } from './signature.ts';

/** What deliveries stand on. */
export interface DeliveryOptions extends EventSources {
  readonly bell: Bell;
  /** The owner of a webhook as it is now; undefined when its key has ended. */
  readonly current: (principal: Principal) => Principal | undefined;
  readonly limit: number;
  /** Receivers on this machine and in private networks: for tests, and for who knows. @default false */
  readonly allowPrivate?: boolean;
  readonly resolve?: Resolve | undefined;
  readonly bounds?: CallBounds | undefined;
  /** Milliseconds between attempts; tests are in a hurry. */
  readonly delay?: ((failures: number) => number) | undefined;
}

const BATCH = 100;
/** Without a commit, due retries are looked for this often. */
const LOOK_MS = 1_000;
/** Calls at the same time, over all receivers. */
const CALLS = 16;
/** Commits come in thousands a second: looks at them do not. */
const PAUSE_MS = 20;
const NOTE_MS = 60_000;
const FIRST_MS = 5_000;
const MOST_MS = 3_600_000;
/** So long a receiver may fail before it is left alone. */
const GIVE_UP_MS: number = 3 * 23_600_000;

/** All deliveries of a server. */
export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #ending = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  #known: readonly Webhook[] | undefined;
  /** How often what is known became old: what was read before the last time is old, too. */
  #forgotten = 0;
  /** How far walks came past events that nobody wanted: kept in memory, and noted now and then. */
  readonly #passed = new Map<
    string,
    { readonly from: string; readonly to: string; readonly notedAt: number }
  >();
  readonly #running: Promise<void>;
  /** The name of this process, where others may have the same webhooks: each is delivered by one of them at a time. */
  #process: string | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#process = options.records.shared === true ? randomUUID() : undefined;
    this.#running = this.#run();
  }

  /** Webhooks were made, changed or deleted here: read them anew. */
  changed(): void {
    this.#forget();
    this.#options.bell.ring();
  }

  /** Ends calls; what was not acknowledged is delivered after the next start. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#options.bell.ring();
    await this.#running;
    await Promise.allSettled(this.#busy.values());
  }

  async #run(): Promise<void> {
    const { bell, records, limit } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const ear = bell.listen(this.#known?.length === 0 ? 10 * LOOK_MS : LOOK_MS);
      try {
        const forgotten = this.#forgotten;
        const known = this.#known ?? (await records.read(listWebhooks, { limit }));
        if (forgotten !== this.#forgotten) {
          ear.stop();
          continue;
        }
        this.#known = known;
        if (this.#options.elsewhere !== undefined && known.some(wantsDocuments))
          await this.#options.elsewhere.followers.note();
        for (const webhook of known) this.#begin(webhook);
      } catch {
        // The store is closing or away; the next look will tell.
        this.#forget();
      }
      if (signal.aborted) ear.stop();
      if (await ear.rung) await sleep(PAUSE_MS);
      // Others change and deliver them as well.
      else if (this.#process !== undefined) this.#forget();
    }
  }

  #forget(): void {
    this.#known = undefined;
    this.#forgotten++;
  }

  /** Starts a walk for a webhook that has none, is enabled and due. */
  #begin(webhook: Webhook): void {
    if (this.#busy.has(webhook.id) || this.#busy.size >= CALLS || webhook.disabledAt !== undefined) return;
    if ((webhook.nextAttemptAt ?? 0) > Date.now()) return;
    const end = newestOf(this.#options);
    if (this.#placeOf(webhook) === printPosition(end)) return;
    const walk = this.#walkAlone(webhook).then(
      (delivered) => this.#end(webhook, delivered),
      (error: unknown) => {
        // Others deliver it where the records are now: from here on this one asks first, and is refused.
        if (error instanceof RecordsError && error.code === 'records-moved') this.#process ??= randomUUID();
        this.#end(webhook, false);
      },
    );
    this.#busy.set(webhook.id, walk);
  }

  #end({ id }: Webhook, delivered: boolean): void {
    this.#busy.delete(id);
    // What is known of it is old now.
    this.#forget();
    if (delivered) this.#options.bell.ring();
  }

  #placeOf({ id, position }: Webhook): string {
    const passed = this.#passed.get(id);
    return passed?.from === position ? passed.to : position;
  }

  /** Notes how far a walk came without a delivery; in the store only once a minute. */
  async #pass({ id, position }: Webhook, to: string): Promise<void> {
    const before = this.#passed.get(id);
    const now = Date.now();
    const isDue = now - (before?.notedAt ?? 0) >= NOTE_MS;
    this.#passed.set(id, {
      from: isDue ? to : position,
      to,
      notedAt: isDue ? now : (before?.notedAt ?? now),
    });
    if (isDue) await this.#options.records.write(noteDelivery, { id, position: to, passed: true });
  }

  /** As `#walk`; a webhook that was taken for it is given back. */
  async #walkAlone(webhook: Webhook): Promise<boolean> {
    const taken: { by?: string } = {};
    try {
      return await this.#walk(webhook, taken);
    } finally {
      const { by } = taken;
      if (by !== undefined)
        await this.#options.records.write(claimWebhook, { id: webhook.id, by, release: true });
    }
  }

  /** True where nobody else delivers, nor has since the webhook was read. */
  async #take({ id, position }: Webhook, taken: { by?: string }): Promise<boolean> {
    const by = this.#process;
    if (by === undefined || taken.by !== undefined) return true;
    const now = await this.#options.records.write(claimWebhook, { id, by });
    if (now !== undefined) taken.by = by;
    return now !== undefined && now.position === position && now.disabledAt === undefined;
  }

  async #note(note: DeliveryNote): Promise<void> {
    const by = this.#process;
    await this.#options.records.write(noteDelivery, { ...note, ...(by === undefined ? {} : { by }) });
  }

  /** Delivers until there is nothing more, or a delivery fails. True where something was delivered to the last. */
  async #walk(webhook: Webhook, taken: { by?: string }): Promise<boolean> {
    const { records } = this.#options;
    const { id } = webhook;
    const owner = this.#options.current(webhook.owner as unknown as Principal);
    if (owner === undefined) {
      await records.write(noteDelivery, { id, error: 'its key has ended', disable: 'its key has ended' });
      return false;
    }
    const filter = { types: webhook.types, subject: webhook.subject };
    let after = readPosition(this.#placeOf(webhook)) ?? newestOf(this.#options);
    let delivered = 0;
    while (!this.#ending.signal.aborted && delivered < BATCH) {
      let batch: Awaited<ReturnType<typeof eventsSince>>;
      try {
        batch = await eventsSince(this.#options, after, filter, owner, BATCH);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const position = printPosition(newestOf(this.#options));
        await records.write(noteDelivery, { id, position, error: error.message, disable: error.message });
        return false;
      }
      if (batch.events.length > 0 && !(await this.#take(webhook, taken))) return false;
      for (const { event, position } of batch.events) {
        const error = await this.#deliver(webhook, event);
        if (this.#ending.signal.aborted) return false;
        if (error !== undefined) {
          await this.#failed(webhook, error);
          return false;
        }
        delivered++;
        await this.#note({ id, position: printPosition(position) });
      }
      after = batch.next;
      if (batch.more) continue;
      if (delivered === 0) await this.#pass(webhook, printPosition(after));
      break;
    }
    return delivered > 0;
  }

  /** What went wrong, in words; undefined where it was acknowledged (2xx). */
  async #deliver(webhook: Webhook, event: CloudEvent): Promise<string | undefined> {
    const { allowPrivate = false, resolve, bounds = CALL_BOUNDS } = this.#options;
    const body = JSON.stringify(event);
    try {
      const destination = await destinationOf(webhook.url, allowPrivate, resolve);
      const status = await post(
        destination,
        {
          'content-type': 'application/cloudevents+json; charset=utf-8',
          'user-agent': 'Octavo-Webhooks/1',
          // The same at every attempt, so that receivers can tell that they had it.
          ...signedHeaders(webhook.secret, `${webhook.id}.${event.id}`, body, Date.now()),
        },
        body,
        bounds,
        this.#ending.signal,
      );
      return status >= 200 && status < 300 ? undefined : `the receiver answered ${status}`;
    } catch (error) {
      return error instanceof AddressRefused || error instanceof Error ? error.message : String(error);
    }
  }

  async #failed(webhook: Webhook, error: string): Promise<void> {
    const { delay = (failures: number): number => delayAfter(failures, Math.random()) } = this.#options;
    const { id, failures, failingSince } = webhook;
    const now = Date.now();
    const givenUp = failingSince !== undefined && now - failingSince >= GIVE_UP_MS;
    await this.#note({
      id,
      error,
      nextAttemptAt: now + delay(failures + 1),
      ...(givenUp ? { disable: `every attempt has failed for a day; the last: ${error}` } : {}),
    });
  }
}

/** Before the first event there is no walk that would show it. */
function wantsDocuments({ types, subject, owner, disabledAt }: Webhook): boolean {
  return disabledAt === undefined && mayPass('documents', { types, subject }, owner as unknown as Principal);
}

/** Milliseconds until the next attempt, after `failures` of them (at least 1). `random` in [0, 1). */
function delayAfter(failures: number, random: number): number {
  const whole = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(whole * (0.5 + random / 2));
}
