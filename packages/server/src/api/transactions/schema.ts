// What do transactions and holds look like, coming in and going out?

import { MOST_IN_BATCH } from '@octavo/records';
import type { TOptional, TSchema, TString } from 'typebox';
import {
  AccountId,
  Currency,
  minorUnitsSchema,
  moneySchema,
  TIME_PATTERN,
  timeSchema,
} from '../accounts/schema.ts';
import { Type } from '../http/json-schema.ts';

/** Ids that the ledger gave out; anything short is looked for. */
const GIVEN_ID = '^[0-9A-Za-z-]{1,64}$';

/** A line of text without control characters. */
const LINE = '^[^\\u0000-\\u001F\\u007F]*$';

export const TransactionId: TString = Type.String({
  pattern: GIVEN_ID,
  description: 'The id of a transaction: UUIDv7.',
});

export const HoldId: TString = Type.String({ pattern: GIVEN_ID, description: 'The id of a hold: UUIDv7.' });

/** Checked by the ledger, which says what is wrong with it. */
const MONEY =
  'An exact decimal above zero, such as `12.30`, with at most the decimals of the currency: no sign, exponent or separator.';
export const Money: TString = Type.String({ description: MONEY });

export const Reference: TOptional<TString> = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_024,
    pattern: LINE,
    description: 'What it is for, in your words. May repeat.',
  }),
);

export const ExternalId: TOptional<TString> = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: LINE,
    description: 'Your own id of the transaction: no two have the same.',
  }),
);

/** What a transfer is made of; in the query string or the body. */
export const TRANSFER_FIELDS: Record<string, TSchema> = {
  from: Type.Optional({ ...AccountId, description: 'The account that the money leaves. Required.' }),
  to: Type.Optional({ ...AccountId, description: 'The account that it goes to. Required.' }),
  money: Type.Optional({ ...Money, description: `${MONEY} Required.` }),
  currency: Type.Optional({ ...Currency, description: 'Must be that of both accounts. Theirs by default.' }),
  reference: Reference,
  external_id: ExternalId,
  dry_run: Type.Optional(Type.Boolean({ description: 'True tells what would happen, and does nothing.' })),
};

const NullableText = (description: string): TSchema =>
  Type.Union([Type.String(), Type.Null()], { description });

const TRANSACTION_FIELDS = {
  kind: Type.Enum(['transfer', 'post', 'reversal'], {
    description: 'Why the money moved: of its own, as a hold that was posted, to take a transaction back.',
  }),
  from: AccountId,
  to: AccountId,
  currency: Currency,
  money: moneySchema('With all decimals of the currency.'),
  money_minor: minorUnitsSchema('`money`'),
  reference: NullableText('Your words.'),
  external_id: NullableText('Your id.'),
  hold: NullableText('The id of the hold that it posted.'),
  reverses: NullableText('The id of the transaction that it takes back.'),
};

export const Transaction: TSchema = Type.Object(
  { id: TransactionId, ...TRANSACTION_FIELDS, created_at: timeSchema('When the money moved.') },
  { description: 'Money that went from one account to another. It never changes.' },
);

export const DryTransaction: TSchema = Type.Object(
  { dry_run: Type.Literal(true), ...TRANSACTION_FIELDS },
  { description: 'What would happen.' },
);

export const Batch: TSchema = Type.Object(
  { items: Type.Array(Transaction) },
  { description: 'In the order of the request.' },
);

export const DryBatch: TSchema = Type.Object(
  { dry_run: Type.Literal(true), items: Type.Array(DryTransaction) },
  { description: 'What would happen, in the order of the request.' },
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
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: MOST_IN_BATCH,
        description: 'In this order: each sees what those before it did.',
      },
    ),
    dry_run: TRANSFER_FIELDS['dry_run']!,
  },
  { additionalProperties: false },
);

export const ReversalBody: TSchema = Type.Object({ reference: Reference }, { additionalProperties: false });

export const Hold: TSchema = Type.Object(
  {
    id: HoldId,
    from: AccountId,
    to: AccountId,
    currency: Currency,
    money: moneySchema('What was reserved.'),
    money_minor: minorUnitsSchema('`money`'),
    status: Type.Enum(['pending', 'posted', 'voided', 'expired']),
    expires_at: Type.Union([timeSchema(''), Type.Null()], { description: 'Null where it does not expire.' }),
    reference: NullableText('Your words.'),
    transaction: NullableText('The id of the transaction that posted it.'),
    created_at: timeSchema('When it was made.'),
    updated_at: timeSchema('When its status last changed.'),
  },
  { description: 'Money that is reserved: still in `from`, and not available there.' },
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
        description: 'From then on it counts no more. Never, by default.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const PostBody: TSchema = Type.Object(
  {
    money: Type.Optional({
      ...Money,
      description: 'All that was reserved by default; the rest of a part is released.',
    }),
    reference: Reference,
  },
  { additionalProperties: false },
);

export const PostedHold: TSchema = Type.Object(
  { hold: Hold, transaction: Transaction },
  { description: 'The hold as it is now, and the transfer that was made of it.' },
);
