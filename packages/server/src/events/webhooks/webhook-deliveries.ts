// Delivers events to webhooks: one walk per webhook over the event stream, from the position of its last
// acknowledged delivery. At least once, in order, without any queue but the stream itself.

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

interface DeliveryOptions extends EventSources {
  readonly wakeup: Wakeup;
  /** The owner of a webhook with its present rights; undefined once its key has ended. */
  readonly currentPrincipal: (principal: Principal) => Principal | undefined;
  readonly limit: number;
  /** Allows receivers on this machine and in private networks. @default false */
  readonly allowPrivate?: boolean;
  readonly resolve?: ResolveHost | undefined;
  readonly bounds?: CallLimits | undefined;
  /** Milliseconds between attempts; shorter in tests. */
  readonly delay?: ((failures: number) => number) | undefined;
}

const BATCH = 100;
/** How often due retries are checked without a commit. */
const LOOK_MS = 1_000;
/** Concurrent calls to all receivers. */
const CALLS = 16;
/** Commits come by the thousands a second; reads must not. */
const PAUSE_MS = 20;
const NOTE_MS = 60_000;
const FIRST_MS = 5_000;
const MOST_MS = 3_600_000;
/** A receiver that has failed this long is disabled: three days bridge a weekend. */
const GIVE_UP_MS: number = 72 * 3_600_000;

/** All deliveries of a server. */
export class WebhookDeliveries {
  readonly #options: DeliveryOptions;
  readonly #ending = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  #webhooks: readonly Webhook[] | undefined;
  /** Counts invalidations: webhooks read before the last one are stale. */
  #generation = 0;
  /** How far walks came past events that no webhook wants: in memory, stored now and then. */
  readonly #passed = new Map<
    string,
    { readonly from: string; readonly to: string; readonly notedAt: number }
  >();
  readonly #running: Promise<void>;
  /**
   * The name of this process if others share the webhooks: each webhook is delivered by one process at a
   * time.
   */
  #process: string | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#process = options.records.shared === true ? randomUUID() : undefined;
    this.#running = this.#run();
  }

  /** Reads the webhooks again after a change. */
  reload(): void {
    this.#invalidate();
    this.#options.wakeup.wake();
  }

  /** Ends calls. Unacknowledged events are delivered after the next start. */
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
        // The store is closing or unreachable; try again next time.
        this.#invalidate();
      }
      if (signal.aborted) listener.stop();
      if (await listener.woken) await sleep(PAUSE_MS);
      // Other processes change and deliver them as well.
      else if (this.#process !== undefined) this.#invalidate();
    }
  }

  #invalidate(): void {
    this.#webhooks = undefined;
    this.#generation++;
  }

  /** Starts a walk for a webhook that is enabled, due and has none. */
  #start(webhook: Webhook): void {
    if (this.#busy.has(webhook.id) || this.#busy.size >= CALLS || webhook.disabledAt !== undefined) return;
    if ((webhook.nextAttemptAt ?? 0) > Date.now()) return;
    const end = newestOf(this.#options);
    if (this.#positionOf(webhook) === printPosition(end)) return;
    const walk = this.#walkClaimed(webhook).then(
      (delivered) => this.#end(webhook, delivered),
      (error: unknown) => {
        // Other servers deliver it where the records are now. From here on this process claims webhooks
        // first, and is refused.
        if (error instanceof RecordsError && error.code === 'records-moved') this.#process ??= randomUUID();
        this.#end(webhook, false);
      },
    );
    this.#busy.set(webhook.id, walk);
  }

  #end({ id }: Webhook, delivered: boolean): void {
    this.#busy.delete(id);
    // Its stored state has changed.
    this.#invalidate();
    if (delivered) this.#options.wakeup.wake();
  }

  #positionOf({ id, position }: Webhook): string {
    const passed = this.#passed.get(id);
    return passed?.from === position ? passed.to : position;
  }

  /** Records how far a walk came without a delivery; stored only once a minute. */
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

  /** `#walk`, and releases the webhook if it was claimed. */
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

  /** True if no other process delivers it now or has since it was read. */
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

  /** Delivers until there is nothing more or a delivery fails. True if the last one was delivered. */
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

  /** What went wrong; undefined if the event was acknowledged (2xx). */
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
          // The same for every attempt, so that receivers can recognise duplicates.
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
      ...(givenUp ? { disable: `every attempt has failed for 72 hours; the last: ${error}` } : {}),
    });
  }
}

/** Without an event there is no walk yet that would record the follower. */
function followsDocuments({ types, subject, owner, disabledAt }: Webhook): boolean {
  return (
    disabledAt === undefined && needsSource('documents', { types, subject }, owner as unknown as Principal)
  );
}

/**
 * Milliseconds until the next attempt after `failures` of them (at least 1): doubles up to an hour, with
 * jitter. `random` in [0, 1).
 */
function delayAfter(failures: number, random: number): number {
  const whole = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(whole * (0.5 + random / 2));
}
