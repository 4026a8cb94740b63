// `/api/transaction` and `/api/transactions`: move money once or in batches, reverse, list the journal.

import type { Tuple } from '@octavo/paging';
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
  verifyJournal,
} from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountId, Currency, parseTime, TIME_PATTERN } from '../accounts/schema.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { pageSchema } from '../http/page-envelope.ts';
import { tokenPage, tokenParameters } from '../http/token-page.ts';
import type { Resource } from '../resource.ts';
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
  TransactionBody,
  TransactionId,
} from './schema.ts';
import type { TransferInput } from './transfer-input.ts';
import { mergeParameters, transferRequest } from './transfer-input.ts';

const REFUSALS =
  'Problems, checked in this order: `invalid-money`, `unknown-currency`, `same-account`, ' +
  '`account-not-found`, `account-closed`, `currency-mismatch`, `external-id-taken`, `insufficient-funds`, ' +
  '`balance-overflow`. The decimals of `money` are checked against `currency` if it is given, otherwise when the account is found.';

interface ListInput {
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

const JournalReport = Type.Object(
  {
    transfers: Type.Integer({ description: 'Transactions that were checked: all of them.' }),
    accounts: Type.Integer({ description: 'Accounts that were checked: all of them.' }),
    head: Type.String({
      description:
        'The hash of the newest transaction. Keep a copy to prove later that no transaction up to it has changed.',
    }),
    findings: Type.Array(Type.String(), {
      description: 'At most 100 faults, one sentence each. Empty if the ledger is intact.',
    }),
  },
  { title: 'LedgerVerification', description: 'The result of the verification.' },
);

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
        description: `The parameters may be in the query string or in the JSON body. Accepts an \`Idempotency-Key\`. ${REFUSALS}`,
        querystring: Type.Object(TRANSFER_FIELDS),
        body: TransactionBody,
        headers: IdempotencyHeader,
        response: { 200: DryTransaction, 201: Transaction },
      },
    },
    async (request, reply) => {
      const input = mergeParameters(request.query as TransferInput, request.body as TransferInput);
      const transferInput = transferRequest(input);
      if (input.dry_run === true) {
        const [imagined] = await records.read(previewTransfers, { transfers: [transferInput], batch: false });
        return previewView(imagined!);
      }
      const made = await records.write(transfer, transferInput, writing(request, reply));
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
        summary: 'Move money in a batch',
        description: `Executes all transactions or none. A problem names the first refused one, as in \`transfers[3].money\`. Accepts an \`Idempotency-Key\`. ${REFUSALS}`,
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
        return { dry_run: true, items: imagined.map(previewView) };
      }
      const items = await records.write(transferBatchJson, { transfers }, writing(request, reply));
      reply.code(201).type('application/json; charset=utf-8');
      return `{"items":${itemsJson(items)}}`;
    },
  );

  app.get(
    '/ledger/verification',
    {
      config: { scope: ['ledger', 'admin'], cost: 100 },
      schema: {
        operationId: 'verifyLedger',
        tags: ['ledger'],
        summary: 'Verify the hash chain of the ledger',
        description:
          'Checks all hashes, positions, sums and balances in one snapshot, as `octavo doctor` does. Takes time in proportion to the number of transactions.',
        response: { 200: JournalReport },
      },
    },
    async () => {
      const { transfers, accounts, head, findings } = await records.read(verifyJournal, undefined);
      return { transfers, accounts, head, findings: [...findings] };
    },
  );

  app.get(
    '/transactions',
    {
      config: { scope: ['ledger', 'read'], etag: true, secretQuery: true },
      schema: {
        operationId: 'listTransactions',
        tags: ['ledger'],
        summary: 'List transactions',
        description: 'Newest first. All given filters must match.',
        querystring: Type.Object({
          account: Type.Optional({ ...AccountId, description: 'The account, on either side.' }),
          reference: Reference,
          external_id: ExternalId,
          currency: Type.Optional(Currency),
          since: Type.Optional(Type.String({ pattern: TIME_PATTERN, description: 'At or after this time.' })),
          until: Type.Optional(Type.String({ pattern: TIME_PATTERN, description: 'Before this time.' })),
          ...tokenParameters(limits),
        }),
        response: { 200: pageSchema(Transaction) },
      },
    },
    async (request, reply) => {
      const query = request.query as ListInput;
      const { account, reference, external_id: externalId, currency, since, until } = query;
      const filters = { account, reference, external_id: externalId, currency, since, until };
      const times = {
        since: since === undefined ? undefined : parseTime(since, 'since'),
        until: until === undefined ? undefined : parseTime(until, 'until'),
      };
      return await tokenPage(
        services,
        { principal: request.principal, listing: 'transactions', filters },
        {
          read: (page) =>
            records.read(listTransfers, { account, reference, externalId, currency, ...times, ...page }),
          tupleOf: ({ position }) => [position],
          keyOf: positionKey,
        },
        transferView,
        { request, reply },
      );
    },
  );

  app.get(
    '/transactions/:id',
    {
      config: { scope: ['ledger', 'read'], etag: true },
      schema: {
        operationId: 'getTransaction',
        tags: ['ledger'],
        summary: 'Read a transaction',
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
        summary: 'Reverse a transaction',
        description:
          'Creates an opposite transaction of the full amount, once. The money must still be available. Problems: `transfer-not-found`, `already-reversed`, `account-closed`, `insufficient-funds`, `balance-overflow`. Accepts an `Idempotency-Key`.',
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

function positionKey([position]: Tuple): bigint | undefined {
  if (typeof position === 'bigint') return position;
  return typeof position === 'number' && Number.isSafeInteger(position) ? BigInt(position) : undefined;
}

/** A preview has neither id nor time. */
function previewView(
  imagined: Transfer,
): { readonly dry_run: true } & Omit<TransferView, 'id' | 'created_at'> {
  const { id, created_at, ...rest } = transferView(imagined);
  return { dry_run: true, ...rest };
}
