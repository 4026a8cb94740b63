// `/api/webhooks`: addresses that are called with signed CloudEvents. A webhook receives what the key that
// created it may read.

import { randomBytes } from 'node:crypto';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  RecordsError,
  updateWebhook,
  type Webhook,
} from '@octavo/records';
import { allows, type Principal } from '../../access/callers/principal.ts';
import { Problem } from '../../errors/problem.ts';
import { newestPosition } from '../../events/read-events.ts';
import { printPosition } from '../../events/stream-position.ts';
import { Wakeup } from '../../events/wakeup.ts';
import { AddressRefused, checkUrl, resolveDestination } from '../../events/webhooks/public-address.ts';
import { newWebhookSecret } from '../../events/webhooks/signature.ts';
import { WebhookDeliveries } from '../../events/webhooks/webhook-deliveries.ts';
import { Type } from '../http/json-schema.ts';
import { pageEnvelope, pageSchema } from '../http/page-envelope.ts';
import type { Resource } from '../resource.ts';
import { WebhookBody, WebhookPatch, WebhookView, WebhookWithSecret, webhookView } from './schema.ts';

const OneWebhook = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });

interface Body {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly subject?: string | null;
  readonly enabled?: boolean;
  readonly rotate_secret?: boolean;
}

export const webhooks: Resource = async (app, services) => {
  const { engine, records, clusterDocuments, limits, access } = services;
  const allowPrivate = services.webhookAllowPrivate === true;
  const wakeup = new Wakeup({ engine, records });
  const deliveries = new WebhookDeliveries({
    engine,
    records,
    clusterDocuments,
    wakeup,
    allowPrivate,
    limit: limits.webhooks,
    currentPrincipal: (principal) => access.currentPrincipal(principal),
    delay: services.webhookDelay,
  });
  app.addHook('preClose', async () => {
    await deliveries.close();
    wakeup.close();
  });

  app.post(
    '/webhooks',
    {
      config: { scope: ['events', 'write'] },
      schema: {
        operationId: 'createWebhook',
        tags: ['events'],
        summary: 'Create a webhook',
        description:
          'The answer contains the secret that signs calls (Standard Webhooks), shown only once. The webhook receives new events that its ' +
          'key may read, at least once and in order. Failed calls are repeated after increasing delays.',
        body: WebhookBody,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const { url = '', types = [], subject } = request.body as Body;
      await checkAddress(url, allowPrivate);
      const existing = await records.read(listWebhooks, { limit: limits.webhooks });
      if (existing.length >= limits.webhooks) {
        throw new Problem('unavailable', `There are ${existing.length} webhooks, which is the limit.`);
      }
      const webhook = await records.write(createWebhook, {
        id: `wh_${randomBytes(15).toString('base64url')}`,
        url,
        types,
        subject: subject ?? undefined,
        secret: newWebhookSecret(),
        owner: ownerOf(request.principal),
        position: printPosition(newestPosition({ engine, records })),
      });
      deliveries.reload();
      reply.code(201).header('location', `/api/webhooks/${webhook.id}`);
      return { ...webhookView(webhook), secret: webhook.secret };
    },
  );

  app.get(
    '/webhooks',
    {
      config: { scope: ['events', 'read'], etag: true },
      schema: {
        operationId: 'listWebhooks',
        tags: ['events'],
        summary: 'List the webhooks of this caller',
        description: 'Oldest first, all on one page. Callers with `events:admin` see all webhooks.',
        response: { 200: pageSchema(WebhookView) },
      },
    },
    async (request) => {
      const all = await records.read(listWebhooks, { limit: limits.webhooks });
      const mine = all.filter((webhook) => mayTouch(request.principal, webhook));
      return pageEnvelope(mine.map(webhookView), false, {});
    },
  );

  /** Throws webhook-not-found for other callers' webhooks as well, so that they stay hidden. */
  const own = async (principal: Principal, id: string): Promise<Webhook> => {
    const webhook = await records.read(getWebhook, { id });
    if (mayTouch(principal, webhook)) return webhook;
    throw new RecordsError('webhook-not-found', `There is no webhook ${id}.`, { field: 'id' });
  };

  app.get(
    '/webhooks/:id',
    {
      config: { scope: ['events', 'read'], etag: true },
      schema: {
        operationId: 'getWebhook',
        tags: ['events'],
        summary: 'Read a webhook and its delivery state',
        params: OneWebhook,
        response: { 200: WebhookView },
      },
    },
    async (request) => webhookView(await own(request.principal, request.params.id)),
  );

  app.patch(
    '/webhooks/:id',
    {
      config: { scope: ['events', 'write'] },
      schema: {
        operationId: 'updateWebhook',
        tags: ['events'],
        summary: 'Change a webhook',
        description: '`enabled: true` resumes after a failure; `rotate_secret: true` returns a new secret.',
        params: OneWebhook,
        body: WebhookPatch,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => {
      const { id } = request.params;
      await own(request.principal, id);
      const { url, types, subject, enabled, rotate_secret } = request.body as Body;
      if (url !== undefined) await checkAddress(url, allowPrivate);
      const secret = rotate_secret === true ? newWebhookSecret() : undefined;
      const change = { url, types, subject, enabled, secret };
      const webhook = await records.write(updateWebhook, { id, change });
      deliveries.reload();
      return { ...webhookView(webhook), ...(secret === undefined ? {} : { secret }) };
    },
  );

  app.delete(
    '/webhooks/:id',
    {
      config: { scope: ['events', 'write'] },
      schema: {
        operationId: 'deleteWebhook',
        tags: ['events'],
        summary: 'Delete a webhook',
        params: OneWebhook,
        response: { 204: { type: 'null', description: 'Deleted.' } },
      },
    },
    async (request, reply) => {
      await own(request.principal, request.params.id);
      await records.write(deleteWebhook, { id: request.params.id });
      deliveries.reload();
      return reply.code(204).send(null);
    },
  );
};

/** Checked again at every call: a name can resolve differently later. */
async function checkAddress(url: string, allowPrivate: boolean): Promise<void> {
  try {
    checkUrl(url, allowPrivate);
    await resolveDestination(url, allowPrivate);
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw new RecordsError('webhook-address-refused', `The address is not allowed: ${error.message}.`, {
      field: 'url',
    });
  }
}

function mayTouch(principal: Principal, webhook: Webhook): boolean {
  return webhook.owner['id'] === principal.id || allows(principal, 'events', 'admin');
}

/** The stored owner: rights of keys are read again at every call, those of other callers stay. */
function ownerOf({ id, scopes, indexPatterns, documentFilter, expiresAt }: Principal): Webhook['owner'] {
  return { id, scopes, indexPatterns, documentFilter, expiresAt };
}
