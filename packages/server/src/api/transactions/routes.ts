// Who paid whom? Moving money, once or many times at once; taking it back; the journal of it all.

import { CursorError } from '@octavo/paging';
import {
  getTransfer,
  listTransfers,
  previewTransfers,
  reverse,
  type Transfer,
  type TransferView,
  transfer,
  transferBatchJson,
  transferView,
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
import { merged, type TransferInput, transferRequest } from './request.ts';
import {
  Batch,
  BatchBody,
  DryBatch,
  DryTransaction,
  ExternalId,
  Reference,
  ReversalBody,
  TRANSFER_FIELDS,
  Transaction,
  TransactionId,
} from './schema.ts';

const REFUSALS =
  'Problems, in this order, whatever else is wrong: `invalid-money`, `unknown-currency`, `same-account`, ' +
  '`account-not-found`, `account-closed`, `currency-mismatch`, `external-id-taken`, `insufficient-funds`, ' +
  '`balance-overflow`. (Decimals are checked against `currency` where it is given, or else once the account is found.)';

interface ListInput extends PageQuery {
  readonly account?: string;
  readonly reference?: string;
  readonly external_id?: string;
  readonly currency?: string;
  readonly since?: string;
  readonly until?: string;
}

interface BatchInput {
  readonly transfers: readonly TransferInput[];
  readonly dry_run?: boolean;
}

/** `/api/transaction` and `/api/transactions`. */
export const transactions: Resource = async (app, services) => {
  const { records, limits, requireIdempotencyKeys = false } = services;
  const writing = (request: FastifyRequest, reply: FastifyReply): ReturnType<typeof writeOptions> =>
    writeOptions(request, reply, requireIdempotencyKeys);

  app.post(
    '/transaction',
    {
      config: { scope: ['ledger', 'write'], secretQuery: true },
      schema: {
        operationId: 'createTransaction',
        tags: ['ledger'],
        summary: 'Move money',
        description: `By query string or JSON body. Takes an \`Idempotency-Key\`. ${REFUSALS}`,
        querystring: Type.Object(TRANSFER_FIELDS),
        body: Type.Object(TRANSFER_FIELDS, { additionalProperties: false }),
        headers: IdempotencyHeader,
        response: { 200: DryTransaction, 201: Transaction },
      },
    },
    async (request, reply) => {
      const input = merged(request.query as TransferInput, request.body as TransferInput);
      const asked = transferRequest(input);
      if (input.dry_run === true) {
        const [imagined] = await records.read(previewTransfers, { transfers: [asked], batch: false });
        return dryView(imagined!);
      }
      const made = await records.write(transfer, asked, writing(request, reply));
      reply.code(201).header('location', `/api/transactions/${made.id}`);
      return transferView(made);
    },
  );

  app.post(
    '/transactions/batch',
    {
      config: { scope: ['ledger', 'write'], cost: 10 },
      schema: {
        operationId: 'createTransactions',
        tags: ['ledger'],
        summary: 'Move money many times, or not at all',
        description: `All happen in one commit, or none: a problem names the first that is refused, as in \`transfers[3].money\`. Takes an \`Idempotency-Key\`. ${REFUSALS}`,
        body: BatchBody,
        headers: IdempotencyHeader,
        response: { 200: DryBatch, 201: Batch },
      },
    },
    async (request, reply) => {
      const input = request.body as unknown as BatchInput;
      const transfers = input.transfers.map(transferRequest);
      if (input.dry_run === true) {
        const imagined = await records.read(previewTransfers, { transfers, batch: true });
        return { dry_run: true, items: imagined.map(dryView) };
      }
      const items = await records.write(transferBatchJson, { transfers }, writing(request, reply));
      reply.code(201).type('application/json; charset=utf-8');
      return `{"items":${itemsJson(items)}}`;
    },
  );

  app.get(
    '/transactions',
    {
      config: { scope: ['ledger', 'read'], etag: true, secretQuery: true },
      schema: {
        operationId: 'listTransactions',
        tags: ['ledger'],
        summary: 'A page of transactions',
        description: 'Newest first. Filters that are given must all hold.',
        querystring: Type.Object({
          account: Type.Optional({ ...AccountId, description: 'On either side.' }),
          reference: Reference,
          external_id: ExternalId,
          currency: Type.Optional(Currency),
          since: Type.Optional(Type.String({ pattern: TIME_PATTERN, description: 'Not before this time.' })),
          until: Type.Optional(Type.String({ pattern: TIME_PATTERN, description: 'Before this time.' })),
          limit: limitIn(limits),
          next_token: tokenIn(limits, '`next` of an earlier reply.'),
          prev_token: tokenIn(limits, '`prev` of an earlier reply.'),
        }),
        response: { 200: pageOf(Transaction) },
      },
    },
    async (request, reply) => {
      const query = request.query as ListInput;
      const { account, reference, external_id: externalId, currency, since, until } = query;
      const filters = { account, reference, external_id: externalId, currency, since, until };
      const listing = { principal: request.principal, listing: 'transactions', filters };
      const place = await placeOf(services, listing, query);
      const page = await records.read(listTransfers, {
        account,
        reference,
        externalId,
        currency,
        since: since === undefined ? undefined : timeOf(since, 'since'),
        until: until === undefined ? undefined : timeOf(until, 'until'),
        after: place === undefined ? undefined : positionOf(place.after),
        backwards: place?.backwards,
        limit: query.limit ?? DEFAULT_PAGE_SIZE,
      });
      const rows = { ...page, rows: page.transfers };
      const http = { request, reply };
      return await tokenPage(services, listing, rows, ({ position }) => position, transferView, http);
    },
  );

  app.get(
    '/transactions/:id',
    {
      config: { scope: ['ledger', 'read'], etag: true },
      schema: {
        operationId: 'getTransaction',
        tags: ['ledger'],
        summary: 'One transaction',
        params: Type.Object({ id: TransactionId }),
        response: { 200: Transaction },
      },
    },
    async (request) =>
      transferView(await records.read(getTransfer, { id: (request.params as { readonly id: string }).id })),
  );

  app.post(
    '/transactions/:id/reversal',
    {
      config: { scope: ['ledger', 'write'] },
      schema: {
        operationId: 'reverseTransaction',
        tags: ['ledger'],
        summary: 'Take a transaction back',
        description:
          'In full, once, by a transaction the other way; the money must still be there. Problems: `transfer-not-found`, `already-reversed`, `account-closed`, `insufficient-funds`, `balance-overflow`. Takes an `Idempotency-Key`.',
        params: Type.Object({ id: TransactionId }),
        body: ReversalBody,
        headers: IdempotencyHeader,
        response: { 201: Transaction },
      },
    },
    async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      const { reference } = request.body as { readonly reference?: string };
      const made = await records.write(reverse, { id, reference }, writing(request, reply));
      reply.code(201).header('location', `/api/transactions/${made.id}`);
      return transferView(made);
    },
  );
};

/** An answer that was stored before this version is a list of transfers. */
function itemsJson(items: string | readonly Transfer[]): string {
  return typeof items === 'string' ? items : JSON.stringify(items.map(transferView));
}

function positionOf(key: unknown): bigint {
  if (typeof key === 'bigint') return key;
  if (typeof key === 'number' && Number.isSafeInteger(key)) return BigInt(key);
  throw new CursorError('cursor-invalid');
}

/** What has not happened has neither id nor time. */
function dryView(imagined: Transfer): { readonly dry_run: true } & Omit<TransferView, 'id' | 'created_at'> {
  const { id, created_at, ...rest } = transferView(imagined);
  return { dry_run: true, ...rest };
}
