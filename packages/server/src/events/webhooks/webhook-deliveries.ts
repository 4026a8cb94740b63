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
import { needsSource } from '../event-filter.ts';
import { type EventSources, newestPosition as newestOf, readEvents } from '../read-events.ts';
import { parsePosition, printPosition } from '../stream-position.ts';
import type { Wakeup } from '../wakeup.ts';
import { CALL_LIMITS, type CallLimits, callWebhook } from './call-webhook.ts';
import { AddressRefused, type ResolveHost, resolveDestination } from './public-address.ts';
import { signatureHeaders } from './signature.ts';

/** What deliveries stand on. */
export interface DeliveryOptions extends EventSources {
  readonly wakeup: Wakeup;
  /** The owner of a webhook as it is now; undefined when its key has ended. */
  readonly currentPrincipal: (principal: Principal) => Principal | undefined;
  readonly limit: number;
  /** Receivers on this machine and in private networks: for tests, and for who knows. @default false */
  readonly allowPrivate?: boolean;
  readonly resolve?: ResolveHost | undefined;
  readonly bounds?: CallLimits | undefined;
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
export class WebhookDeliveries {
  readonly #options: DeliveryOptions;
  readonly #ending = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  #webhooks: readonly Webhook[] | undefined;
  /** How often what is known became old: what was read before the last time is old, too. */
  #generation = 0;
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
  reload(): void {
    this.#invalidate();
    this.#options.wakeup.wake();
  }

  /** Ends calls; what was not acknowledged is delivered after the next start. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#options.wakeup.wake();
    await this.#running;
    await Promise.allSettled(this.#busy.values());
  }

  async #run(): Promise<void> {
    const { wakeup, records, limit } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const listener = wakeup.listen(this.#webhooks?.length === 0 ? 10 * LOOK_MS : LOOK_MS);
      try {
        const generation = this.#generation;
        const webhooks = this.#webhooks ?? (await records.read(listWebhooks, { limit }));
        if (generation !== this.#generation) {
          listener.stop();
          continue;
        }
        this.#webhooks = webhooks;
        if (this.#options.clusterDocuments !== undefined && webhooks.some(followsDocuments))
          await this.#options.clusterDocuments.followers.recordReader();
        for (const webhook of webhooks) this.#start(webhook);
      } catch {
        // The store is closing or away; the next look will tell.
        this.#invalidate();
      }
      if (signal.aborted) listener.stop();
      if (await listener.woken) await sleep(PAUSE_MS);
      // Others change and deliver them as well.
      else if (this.#process !== undefined) this.#invalidate();
    }
  }

  #invalidate(): void {
    this.#webhooks = undefined;
    this.#generation++;
  }

  /** Starts a walk for a webhook that has none, is enabled and due. */
  #start(webhook: Webhook): void {
    if (this.#busy.has(webhook.id) || this.#busy.size >= CALLS || webhook.disabledAt !== undefined) return;
    if ((webhook.nextAttemptAt ?? 0) > Date.now()) return;
    const end = newestOf(this.#options);
    if (this.#positionOf(webhook) === printPosition(end)) return;
    const walk = this.#walkClaimed(webhook).then(
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
    this.#invalidate();
    if (delivered) this.#options.wakeup.wake();
  }

  #positionOf({ id, position }: Webhook): string {
    const passed = this.#passed.get(id);
    return passed?.from === position ? passed.to : position;
  }

  /** Notes how far a walk came without a delivery; in the store only once a minute. */
  async #recordPassed({ id, position }: Webhook, to: string): Promise<void> {
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
  async #walkClaimed(webhook: Webhook): Promise<boolean> {
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
  async #claim({ id, position }: Webhook, taken: { by?: string }): Promise<boolean> {
    const by = this.#process;
    if (by === undefined || taken.by !== undefined) return true;
    const now = await this.#options.records.write(claimWebhook, { id, by });
    if (now !== undefined) taken.by = by;
    return now !== undefined && now.position === position && now.disabledAt === undefined;
  }

  async #recordDelivery(note: DeliveryNote): Promise<void> {
    const by = this.#process;
    await this.#options.records.write(noteDelivery, { ...note, ...(by === undefined ? {} : { by }) });
  }

  /** Delivers until there is nothing more, or a delivery fails. True where something was delivered to the last. */
  async #walk(webhook: Webhook, taken: { by?: string }): Promise<boolean> {
    const { records } = this.#options;
    const { id } = webhook;
    const owner = this.#options.currentPrincipal(webhook.owner as unknown as Principal);
    if (owner === undefined) {
      await records.write(noteDelivery, { id, error: 'its key has ended', disable: 'its key has ended' });
      return false;
    }
    const filter = { types: webhook.types, subject: webhook.subject };
    let after = parsePosition(this.#positionOf(webhook)) ?? newestOf(this.#options);
    let delivered = 0;
    while (!this.#ending.signal.aborted && delivered < BATCH) {
      let batch: Awaited<ReturnType<typeof readEvents>>;
      try {
        batch = await readEvents(this.#options, after, filter, owner, BATCH);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const position = printPosition(newestOf(this.#options));
        await records.write(noteDelivery, { id, position, error: error.message, disable: error.message });
        return false;
      }
      if (batch.events.length > 0 && !(await this.#claim(webhook, taken))) return false;
      for (const { event, position } of batch.events) {
        const error = await this.#deliver(webhook, event);
        if (this.#ending.signal.aborted) return false;
        if (error !== undefined) {
          await this.#recordFailure(webhook, error);
          return false;
        }
        delivered++;
        await this.#recordDelivery({ id, position: printPosition(position) });
      }
      after = batch.next;
      if (batch.more) continue;
      if (delivered === 0) await this.#recordPassed(webhook, printPosition(after));
      break;
    }
    return delivered > 0;
  }

  /** What went wrong, in words; undefined where it was acknowledged (2xx). */
  async #deliver(webhook: Webhook, event: CloudEvent): Promise<string | undefined> {
    const { allowPrivate = false, resolve, bounds = CALL_LIMITS } = this.#options;
    const body = JSON.stringify(event);
    try {
      const destination = await resolveDestination(webhook.url, allowPrivate, resolve);
      const status = await callWebhook(
        destination,
        {
          'content-type': 'application/cloudevents+json; charset=utf-8',
          'user-agent': 'Octavo-Webhooks/1',
          // The same at every attempt, so that receivers can tell that they had it.
          ...signatureHeaders(webhook.secret, `${webhook.id}.${event.id}`, body, Date.now()),
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

  async #recordFailure(webhook: Webhook, error: string): Promise<void> {
    const { delay = (failures: number): number => delayAfter(failures, Math.random()) } = this.#options;
    const { id, failures, failingSince } = webhook;
    const now = Date.now();
    const givenUp = failingSince !== undefined && now - failingSince >= GIVE_UP_MS;
    await this.#recordDelivery({
      id,
      error,
      nextAttemptAt: now + delay(failures + 1),
      ...(givenUp ? { disable: `every attempt has failed for a day; the last: ${error}` } : {}),
    });
  }
}

/** Before the first event there is no walk that would show it. */
function followsDocuments({ types, subject, owner, disabledAt }: Webhook): boolean {
  return (
    disabledAt === undefined && needsSource('documents', { types, subject }, owner as unknown as Principal)
  );
}

/** Milliseconds until the next attempt, after `failures` of them (at least 1). `random` in [0, 1). */
function delayAfter(failures: number, random: number): number {
  const whole = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(whole * (0.5 + random / 2));
}
