// What is reserved for whom? Holds: making them, posting in part or whole, voiding, and marking those whose time is up.

import { CursorError } from '@octavo/paging';
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
import { type PageQuery, placeOf, tokenPage } from '../accounts/paging.ts';
import {
  AccountId,
  Currency,
  DEFAULT_PAGE_SIZE,
  limitIn,
  pageOf,
  TIME_PATTERN,
  tokenIn,
} from '../accounts/schema.ts';
import { timeOf } from '../accounts/time.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import type { Resource } from '../resource.ts';
import { transferRequest } from './request.ts';
import { Hold, HoldBody, HoldId, PostBody, PostedHold, Reference } from './schema.ts';

/** How often expired holds are looked for. They count no more from their time on, marked or not. */
const EXPIRE_EVERY_MS = 1_000;

/** Holds of a page, where the caller does not say. */

interface ListInput extends PageQuery {
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

/** `/api/holds`. */
export const holds: Resource = async (app, services) => {
  const { records, limits, requireIdempotencyKeys = false } = services;
  const writing = (request: FastifyRequest, reply: FastifyReply): ReturnType<typeof writeOptions> =>
    writeOptions(request, reply, requireIdempotencyKeys);
  const idOf = (request: FastifyRequest): string => (request.params as { readonly id: string }).id;

  const stop = expireRegularly(records);
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
          'It stays in `from` and is not available there. Problems as for a transaction. Takes an `Idempotency-Key`.',
        body: HoldBody,
        headers: IdempotencyHeader,
        response: { 201: Hold },
      },
    },
    async (request, reply) => {
      const input = request.body as unknown as HoldInput;
      const { expires_at: expires } = input;
      const expiresAt = expires === undefined ? undefined : timeOf(expires, 'expires_at');
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
        summary: 'A page of holds',
        description: 'Newest first. Filters that are given must all hold.',
        querystring: Type.Object({
          account: Type.Optional({ ...AccountId, description: 'On either side.' }),
          status: Type.Optional(Type.Enum(['pending', 'posted', 'voided', 'expired'])),
          reference: Reference,
          currency: Type.Optional(Currency),
          since: Type.Optional(
            Type.String({ pattern: TIME_PATTERN, description: 'Made not before this time.' }),
          ),
          until: Type.Optional(Type.String({ pattern: TIME_PATTERN, description: 'Made before this time.' })),
          limit: limitIn(limits),
          next_token: tokenIn(limits, '`next` of an earlier reply.'),
          prev_token: tokenIn(limits, '`prev` of an earlier reply.'),
        }),
        response: { 200: pageOf(Hold) },
      },
    },
    async (request, reply) => {
      const query = request.query as ListInput;
      const { account, status, reference, currency, since, until } = query;
      const filters = { account, status, reference, currency, since, until };
      const listing = { principal: request.principal, listing: 'holds', filters };
      const place = await placeOf(services, listing, query);
      if (place !== undefined && typeof place.after !== 'string') throw new CursorError('cursor-invalid');
      const page = await records.read(listHolds, {
        account,
        status,
        reference,
        currency,
        since: since === undefined ? undefined : timeOf(since, 'since'),
        until: until === undefined ? undefined : timeOf(until, 'until'),
        after: place?.after as string | undefined,
        backwards: place?.backwards,
        limit: query.limit ?? DEFAULT_PAGE_SIZE,
      });
      const rows = { ...page, rows: page.holds };
      return await tokenPage(services, listing, rows, ({ id }) => id, holdView, { request, reply });
    },
  );

  app.get(
    '/holds/:id',
    {
      config: { scope: ['ledger', 'read'], etag: true },
      schema: {
        operationId: 'getHold',
        tags: ['ledger'],
        summary: 'One hold',
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
        summary: 'Move what was reserved',
        description:
          'In part or whole, once; the rest of a part is available again. Problems: `hold-not-found`, `hold-not-pending`, `invalid-money`, `account-closed`, `balance-overflow`. Takes an `Idempotency-Key`.',
        params: OneHold,
        body: PostBody,
        headers: IdempotencyHeader,
        response: { 201: PostedHold },
      },
    },
    async (request, reply) => {
      const { money, reference } = request.body as { readonly money?: string; readonly reference?: string };
      const asked = { id: idOf(request), money, reference };
      const { hold, transfer } = await records.write(postHold, asked, writing(request, reply));
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
        summary: 'Give up what was reserved',
        description: 'Problems: `hold-not-found`, `hold-not-pending`. Takes an `Idempotency-Key`.',
        params: OneHold,
        headers: IdempotencyHeader,
        response: { 200: Hold },
      },
    },
    async (request, reply) =>
      holdView(await records.write(voidHold, { id: idOf(request) }, writing(request, reply))),
  );
};

function expireRegularly(records: Records): () => void {
  let running = false;
  const expire = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      while (await records.write(expireHolds, undefined));
    } catch {
      // A store that is busy or has failed says so to those who ask it for something.
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void expire(), EXPIRE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
