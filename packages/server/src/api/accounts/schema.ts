// What do accounts and amounts look like, coming in and going out?

import type { TSchema, TString } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { Type } from '../http/json-schema.ts';

/** Ids of accounts: the caller's own, and they stand in paths. */
export const ACCOUNT_PATTERN = '^[A-Za-z0-9_~-][A-Za-z0-9._~:@-]{0,127}$';

/** Times come in as RFC 3339 has them; a `+` in a query string must be sent as `%2B`. */
export const TIME_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$';

export const AccountId: TString = Type.String({
  pattern: ACCOUNT_PATTERN,
  description: 'The id of an account, chosen by who opens it.',
});

export const Currency: TString = Type.String({
  minLength: 1,
  maxLength: 16,
  description: 'A code of ISO 4217, such as `EUR`.',
});

/** An amount in an answer, or a balance. */
export function moneySchema(description: string): TString {
  return Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description });
}

/** The same in minor units. */
export function minorUnitsSchema(of: string): TString {
  return Type.String({
    pattern: '^-?[0-9]+$',
    description: `${of} in minor units of the currency; it may be beyond 2^53, so it is a string.`,
  });
}

export function timeSchema(description: string): TString {
  return Type.String({ format: 'date-time', description });
}

export const Account: TSchema = Type.Object(
  {
    id: AccountId,
    currency: Currency,
    balance: moneySchema('With all decimals of the currency. Below zero only with `allow_negative`.'),
    balance_minor: minorUnitsSchema('`balance`'),
    held: Type.Optional(moneySchema('Reserved by pending holds. Absent with `at`.')),
    held_minor: Type.Optional(minorUnitsSchema('`held`')),
    available: Type.Optional(moneySchema('`balance` less `held`. Absent with `at`.')),
    available_minor: Type.Optional(minorUnitsSchema('`available`')),
    at: Type.Optional(timeSchema('With `at`: the time that `balance` is of.')),
    allow_negative: Type.Boolean({ description: 'Whether its balance may go below zero.' }),
    closed: Type.Boolean({ description: 'Whether it takes part in no transfer any more.' }),
    created_at: timeSchema('When it was opened.'),
    updated_at: timeSchema('When it or its balance last changed.'),
  },
  { description: 'An account. It has one currency for ever.' },
);

export const NewAccountBody: TSchema = Type.Object(
  {
    id: AccountId,
    currency: Currency,
    allow_negative: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True for accounts that money comes from: those of a bank, of a payment provider.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A new account. Its balance is zero.' },
);

export const AccountChangeBody: TSchema = Type.Object(
  {
    closed: Type.Optional(
      Type.Boolean({
        description: 'True needs a balance of zero and no pending holds; false opens it again.',
      }),
    ),
    allow_negative: Type.Optional(Type.Boolean({ description: 'False needs that it is not below zero.' })),
  },
  { additionalProperties: false, description: 'What is to change.' },
);

/** A page of a list by tokens. */
export function pageSchema(item: TSchema): TSchema {
  return Type.Object(
    {
      items: Type.Array(item),
      more_available: Type.Boolean({ description: 'Whether there is a next page.' }),
      next: Type.Optional(
        Type.String({ description: 'The next page: send it as `next_token`. Absent at the end.' }),
      ),
      prev: Type.Optional(
        Type.String({ description: 'The page before: send it as `prev_token`. Absent at the start.' }),
      ),
    },
    { description: 'A page.' },
  );
}

/** A time in the form of TIME_PATTERN. Throws Problem where there is no such day or hour. */
export function parseTime(text: string, field: string): number {
  const time = Date.parse(text);
  // Date.parse takes the 30th of February for the 2nd of March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const rolled = Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10);
  if (Number.isNaN(time) || rolled)
    throw new Problem('invalid-parameter', `${field} is no time that there is: ${text}.`, { field });
  return time;
}
