// `/api/holds`: create holds, post them in part or whole, void them. A timer marks expired ones.

import {
  createHold,
  expireHolds,
  getHold,
  type HoldStatus,
  holdView,
  listHolds,
  postHold,
  type Records,
  transferView,
  voidHold,
} from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountId, Currency, parseTime, TIME_PATTERN } from '../accounts/schema.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { pageSchema } from '../http/page-envelope.ts';
import { tokenPage, tokenParameters, tokenText } from '../http/token-page.ts';
import type { Resource } from '../resource.ts';
import { Hold, HoldBody, HoldId, PostBody, PostedHold, Reference } from './schema.ts';
import { transferRequest } from './transfer-input.ts';

/** How often expired holds are marked. They stop counting at their time, marked or not. */
const EXPIRE_EVERY_MS = 1_000;

interface ListInput {
  readonly account?: string;
  readonly status?: HoldStatus;
  readonly reference?: string;
  readonly currency?: string;
  readonly since?: string;
  readonly until?: string;
}

interface HoldInput {
  readonly from: string;
  readonly to: string;
  readonly money: string;
  readonly currency?: string;
  readonly reference?: string;
  readonly expires_at?: string;
}

const OneHold = Type.Object({ id: HoldId });

export const holds: Resource = async (app, services) => {
  const { records, limits, requireIdempotencyKeys = false } = services;
  const writing = (request: FastifyRequest, reply: FastifyReply): ReturnType<typeof writeOptions> =>
    writeOptions(request, reply, requireIdempotencyKeys);
  const idOf = (request: FastifyRequest): string => (request.params as { readonly id: string }).id;

  const stop = startHoldExpiry(records);
  app.addHook('onClose', async () => stop());

  app.post(
    '/holds',
    {
      config: { scope: ['ledger', 'write'] },
      schema: {
        operationId: 'createHold',
        tags: ['ledger'],
        summary: 'Reserve money',
        description:
          'The money stays in `from` but is not available there. Problems are the same as for a transaction. Accepts an `Idempotency-Key`.',
        body: HoldBody,
        headers: IdempotencyHeader,
        response: { 201: Hold },
      },
    },
    async (request, reply) => {
      const input = request.body as unknown as HoldInput;
      const { expires_at: expires } = input;
      const expiresAt = expires === undefined ? undefined : parseTime(expires, 'expires_at');
      const asked = { ...transferRequest(input), expiresAt };
      const made = await records.write(createHold, asked, writing(request, reply));
      reply.code(201).header('location', `/api/holds/${made.id}`);
      return holdView(made);
    },
  );

  app.get(
    '/holds',
    {
      config: { scope: ['ledger', 'read'], etag: true, secretQuery: true },
      schema: {
        operationId: 'listHolds',
        tags: ['ledger'],
        summary: 'List holds',
        description: 'Newest first. All given filters must match.',
        querystring: Type.Object({
          account: Type.Optional({ ...AccountId, description: 'The account, on either side.' }),
          status: Type.Optional(Type.Enum(['pending', 'posted', 'voided', 'expired'])),
          reference: Reference,
          currency: Type.Optional(Currency),
          since: Type.Optional(
            Type.String({ pattern: TIME_PATTERN, description: 'Created at or after this time.' }),
          ),
          until: Type.Optional(
            Type.String({ pattern: TIME_PATTERN, description: 'Created before this time.' }),
          ),
          ...tokenParameters(limits),
        }),
        response: { 200: pageSchema(Hold) },
      },
    },
    async (request, reply) => {
      const query = request.query as ListInput;
      const { account, status, reference, currency, since, until } = query;
      const filters = { account, status, reference, currency, since, until };
      const times = {
        since: since === undefined ? undefined : parseTime(since, 'since'),
        until: until === undefined ? undefined : parseTime(until, 'until'),
      };
      return await tokenPage(
        services,
        { principal: request.principal, listing: 'holds', filters },
        {
          read: (page) =>
            records.read(listHolds, { account, status, reference, currency, ...times, ...page }),
          tupleOf: ({ id }) => [id],
          keyOf: tokenText,
        },
        holdView,
        { request, reply },
      );
    },
  );

  app.get(
    '/holds/:id',
    {
      config: { scope: ['ledger', 'read'], etag: true },
      schema: {
        operationId: 'getHold',
        tags: ['ledger'],
        summary: 'Read a hold',
        params: OneHold,
        response: { 200: Hold },
      },
    },
    async (request) => holdView(await records.read(getHold, { id: idOf(request) })),
  );

  app.post(
    '/holds/:id/post',
    {
      config: { scope: ['ledger', 'write'] },
      schema: {
        operationId: 'postHold',
        tags: ['ledger'],
        summary: 'Post a hold',
        description:
          'Moves the money once, in full or in part. The rest becomes available again. Problems: `hold-not-found`, `hold-not-pending`, `invalid-money`, `account-closed`, `balance-overflow`. Accepts an `Idempotency-Key`.',
        params: OneHold,
        body: PostBody,
        headers: IdempotencyHeader,
        response: { 201: PostedHold },
      },
    },
    async (request, reply) => {
      const { money, reference } = request.body as { readonly money?: string; readonly reference?: string };
      const input2 = { id: idOf(request), money, reference };
      const { hold, transfer } = await records.write(postHold, input2, writing(request, reply));
      reply.code(201).header('location', `/api/transactions/${transfer.id}`);
      return { hold: holdView(hold), transaction: transferView(transfer) };
    },
  );

  app.post(
    '/holds/:id/void',
    {
      config: { scope: ['ledger', 'write'] },
      schema: {
        operationId: 'voidHold',
        tags: ['ledger'],
        summary: 'Void a hold',
        description: 'Problems: `hold-not-found`, `hold-not-pending`. Accepts an `Idempotency-Key`.',
        params: OneHold,
        headers: IdempotencyHeader,
        response: { 200: Hold },
      },
    },
    async (request, reply) =>
      holdView(await records.write(voidHold, { id: idOf(request) }, writing(request, reply))),
  );
};

function startHoldExpiry(records: Records): () => void {
  let running = false;
  const expire = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      while (await records.write(expireHolds, undefined));
    } catch {
      // A store that is busy or has failed reports that to callers itself.
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void expire(), EXPIRE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
