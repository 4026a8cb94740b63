// Schemas of transactions and holds.

import { MOST_IN_BATCH } from '@octavo/records';
import type { TOptional, TSchema, TString } from 'typebox';
import { describedPattern } from '../../errors/validation-problem.ts';
import {
  AccountId,
  Currency,
  minorUnitsSchema,
  moneySchema,
  TIME_PATTERN,
  timeSchema,
} from '../accounts/schema.ts';
import { Type } from '../http/json-schema.ts';

/** Ids issued by the ledger; any short text is looked up. */
const GIVEN_ID = describedPattern('^[0-9A-Za-z-]{1,64}$', '1 to 64 letters, digits or hyphens');

/** A line of text without control characters. */
const LINE = describedPattern('^[^\\u0000-\\u001F\\u007F]*$', 'one line without control characters');

export const TransactionId: TString = Type.String({
  pattern: GIVEN_ID,
  description: 'The id of a transaction: UUIDv7.',
});

export const HoldId: TString = Type.String({ pattern: GIVEN_ID, description: 'The id of a hold: UUIDv7.' });

/** Checked by the ledger, which reports what is wrong. */
const MONEY =
  'A positive decimal, such as `12.30`, with at most as many decimals as the currency has; no sign, exponent or thousands separator.';
export const Money: TString = Type.String({ description: MONEY });

export const Reference: TOptional<TString> = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_024,
    pattern: LINE,
    description: 'What the payment is for, in your words. Need not be unique.',
  }),
);

export const ExternalId: TOptional<TString> = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: LINE,
    description: 'Your own unique id for the transaction.',
  }),
);

/** The members of a transfer, in the query string or the body. */
export const TRANSFER_FIELDS: Record<string, TSchema> = {
  from: Type.Optional({ ...AccountId, description: 'The account that pays. Required.' }),
  to: Type.Optional({ ...AccountId, description: 'The account that receives. Required.' }),
  money: Type.Optional({ ...Money, description: `${MONEY} Required.` }),
  currency: Type.Optional({
    ...Currency,
    description: 'Must be the currency of both accounts. Default: theirs.',
  }),
  reference: Reference,
  external_id: ExternalId,
  dry_run: Type.Optional(
    Type.Boolean({ description: 'True: nothing changes, and the reply shows what would happen.' }),
  ),
};

/** Members may stand in the query string instead, so none is required. */
export const TransactionBody: TSchema = Type.Object(TRANSFER_FIELDS, {
  title: 'TransactionInput',
  additionalProperties: false,
  description: 'The money to move. `from`, `to` and `money` must be here or in the query string.',
});

const NullableText = (description: string): TSchema =>
  Type.Union([Type.String(), Type.Null()], { description });

const TRANSACTION_FIELDS = {
  kind: Type.Enum(['transfer', 'post', 'reversal'], {
    description:
      '`transfer`: a request moved the money; `post`: a hold was posted; `reversal`: another transaction was reversed.',
  }),
  from: AccountId,
  to: AccountId,
  currency: Currency,
  money: moneySchema('With all decimals of the currency.'),
  money_minor: minorUnitsSchema('`money`'),
  reference: NullableText('Your text for the payment, if you sent one.'),
  external_id: NullableText('Your id of the transaction, if you sent one.'),
  hold: NullableText('The id of the posted hold.'),
  reverses: NullableText('The id of the reversed transaction.'),
};

export const Transaction: TSchema = Type.Object(
  { id: TransactionId, ...TRANSACTION_FIELDS, created_at: timeSchema('When the money moved.') },
  { title: 'Transaction', description: 'Money that moved from one account to another. It never changes.' },
);

export const DryTransaction: TSchema = Type.Object(
  { dry_run: Type.Literal(true), ...TRANSACTION_FIELDS },
  { title: 'TransactionPreview', description: 'What a transaction would do.' },
);

export const Batch: TSchema = Type.Object(
  { items: Type.Array(Transaction) },
  { title: 'TransactionBatch', description: 'The transactions of a batch, in the order of the request.' },
);

export const DryBatch: TSchema = Type.Object(
  { dry_run: Type.Literal(true), items: Type.Array(DryTransaction) },
  {
    title: 'TransactionBatchPreview',
    description: 'What a batch would do, in the order of the request.',
  },
);

export const BatchBody: TSchema = Type.Object(
  {
    transfers: Type.Array(
      Type.Object(
        {
          from: AccountId,
          to: AccountId,
          money: Money,
          currency: Type.Optional(Currency),
          reference: Reference,
          external_id: ExternalId,
        },
        { title: 'Transfer', additionalProperties: false, description: 'A transaction of a batch.' },
      ),
      {
        minItems: 1,
        maxItems: MOST_IN_BATCH,
        description: 'Transactions in the order of execution; each sees the effect of the ones before it.',
      },
    ),
    dry_run: TRANSFER_FIELDS['dry_run']!,
  },
  {
    title: 'TransactionBatchInput',
    additionalProperties: false,
    description: 'Transactions of which all are executed, or none.',
  },
);

export const ReversalBody: TSchema = Type.Object(
  { reference: Reference },
  { title: 'ReversalInput', additionalProperties: false, description: 'The reversal of a transaction.' },
);

export const Hold: TSchema = Type.Object(
  {
    id: HoldId,
    from: AccountId,
    to: AccountId,
    currency: Currency,
    money: moneySchema('The reserved amount.'),
    money_minor: minorUnitsSchema('`money`'),
    status: Type.Enum(['pending', 'posted', 'voided', 'expired']),
    expires_at: Type.Union([timeSchema(''), Type.Null()], {
      description: 'Null if the hold does not expire.',
    }),
    reference: NullableText('Your text for the payment, if you sent one.'),
    transaction: NullableText('The id of the transaction that posted the hold.'),
    created_at: timeSchema('When the hold was created.'),
    updated_at: timeSchema('When the status last changed.'),
  },
  { title: 'Hold', description: 'Reserved money: still in `from`, but not available there.' },
);

export const HoldBody: TSchema = Type.Object(
  {
    from: AccountId,
    to: AccountId,
    money: Money,
    currency: Type.Optional(Currency),
    reference: Reference,
    expires_at: Type.Optional(
      Type.String({
        pattern: TIME_PATTERN,
        description: 'When the hold expires. Default: never.',
      }),
    ),
  },
  { title: 'HoldInput', additionalProperties: false, description: 'Money to reserve.' },
);

export const PostBody: TSchema = Type.Object(
  {
    money: Type.Optional({
      ...Money,
      description: 'Default: the whole amount. The rest of a partial amount is released.',
    }),
    reference: Reference,
  },
  { title: 'HoldPosting', additionalProperties: false, description: 'How a hold is posted.' },
);

export const PostedHold: TSchema = Type.Object(
  { hold: Hold, transaction: Transaction },
  { title: 'PostedHold', description: 'The hold and the transaction that posted it.' },
);
