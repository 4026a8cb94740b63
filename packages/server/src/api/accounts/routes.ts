// `/api/accounts`: open, list, read and close accounts; balances of now or of an earlier time.

import {
  type Account as AccountRecord,
  accountView,
  balanceAt,
  changeAccount,
  createAccount,
  digitsOf,
  getAccount,
  listAccounts,
  moneyText,
} from '@octavo/records';
import { Problem } from '../../errors/problem.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { pageSchema } from '../http/page-envelope.ts';
import { ConditionalHeaders, setEtag, withPrecondition } from '../http/precondition.ts';
import { tokenPage, tokenParameters, tokenText } from '../http/token-page.ts';
import type { Resource } from '../resource.ts';
import {
  Account,
  AccountChangeBody,
  AccountId,
  Currency,
  NewAccountBody,
  parseTime,
  TIME_PATTERN,
} from './schema.ts';

interface NewAccountInput {
  readonly id: string;
  readonly currency: string;
  readonly allow_negative?: boolean;
}

interface AccountChangeInput {
  readonly closed?: boolean;
  readonly allow_negative?: boolean;
}

const OneAccount = Type.Object({ id: AccountId });

export const accounts: Resource = async (app, services) => {
  const { records, limits } = services;

  app.post(
    '/accounts',
    {
      config: { scope: ['ledger', 'write'] },
      schema: {
        operationId: 'createAccount',
        tags: ['ledger'],
        summary: 'Open an account',
        description: 'Problems: `unknown-currency`, `already-exists`. Accepts an `Idempotency-Key`.',
        body: NewAccountBody,
        headers: IdempotencyHeader,
        response: { 201: Account },
      },
    },
    async (request, reply) => {
      const { id, currency, allow_negative: allowNegative } = request.body as unknown as NewAccountInput;
      const made = await records.write(
        createAccount,
        { id, currency, allowNegative },
        writeOptions(request, reply),
      );
      reply.code(201).header('location', `/api/accounts/${id}`);
      return setEtag(request, reply, accountView(made));
    },
  );

  app.get(
    '/accounts',
    {
      config: { scope: ['ledger', 'read'], etag: true },
      schema: {
        operationId: 'listAccounts',
        tags: ['ledger'],
        summary: 'List accounts',
        description: 'Ordered by id.',
        querystring: Type.Object({
          currency: Type.Optional(Currency),
          ...tokenParameters(limits),
        }),
        response: { 200: pageSchema(Account) },
      },
    },
    async (request, reply) => {
      const { currency } = request.query as { readonly currency?: string };
      return await tokenPage(
        services,
        { principal: request.principal, listing: 'accounts', filters: { currency } },
        {
          read: (page) => records.read(listAccounts, { currency, ...page }),
          tupleOf: ({ id }) => [id],
          keyOf: tokenText,
        },
        accountView,
        { request, reply },
      );
    },
  );

  app.get(
    '/accounts/:id',
    {
      config: { scope: ['ledger', 'read'], etag: true },
      schema: {
        operationId: 'getAccount',
        tags: ['ledger'],
        summary: 'Read an account',
        description: 'With `at`, the balance at that time.',
        params: OneAccount,
        querystring: Type.Object({
          at: Type.Optional(
            Type.String({
              pattern: TIME_PATTERN,
              description: 'A past time, such as `2026-11-21T05:00:00Z`.',
            }),
          ),
        }),
        response: { 200: Account },
      },
    },
    async (request) => {
      const { id } = request.params as { readonly id: string };
      const { at } = request.query as { readonly at?: string };
      if (at === undefined) return accountView(await records.read(getAccount, { id }));
      const time = parseTime(at, 'at');
      const { account, balance } = await records.read(balanceAt, { id, at: time });
      const words = time > Date.now() ? 'is in the future' : 'is before the account was opened';
      if (time > Date.now() || time < account.createdAt) {
        throw new Problem('invalid-parameter', `at ${words}.`, { field: 'at' });
      }
      return pastView(account, balance, time);
    },
  );

  app.patch(
    '/accounts/:id',
    {
      config: { scope: ['ledger', 'write'] },
      schema: {
        operationId: 'changeAccount',
        tags: ['ledger'],
        summary: 'Close an account, or allow a negative balance',
        description:
          'Problems: `account-not-found`, `account-not-empty`, `insufficient-funds`. Accepts an `Idempotency-Key`.',
        params: OneAccount,
        body: AccountChangeBody,
        headers: ConditionalHeaders,
        response: { 200: Account },
      },
    },
    async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      const { closed, allow_negative: allowNegative } = request.body as unknown as AccountChangeInput;
      const subject = {
        read: () => records.read(getAccount, { id }),
        views: (account: AccountRecord) => [accountView(account)],
      };
      const changed = await withPrecondition(request, subject, (onlyIf) =>
        records.write(changeAccount, { id, closed, allowNegative, onlyIf }, writeOptions(request, reply)),
      );
      return setEtag(request, reply, accountView(changed));
    },
  );
};

/** An account at an earlier time; what is unknown of the past is left out. */
function pastView(account: AccountRecord, balance: bigint, time: number): object {
  const { held, held_minor, available, available_minor, ...rest } = accountView(account);
  return {
    ...rest,
    balance: moneyText(balance, digitsOf(account.currency)),
    balance_minor: String(balance),
    at: new Date(time).toISOString(),
  };
}
