// Schemas of accounts and amounts.

import type { TSchema, TString } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { describedPattern } from '../../errors/validation-problem.ts';
import { Type } from '../http/json-schema.ts';

/** Account ids are chosen by callers and stand in paths. */
const ACCOUNT_PATTERN: string = describedPattern(
  '^[A-Za-z0-9_~-][A-Za-z0-9._~:@-]{0,127}$',
  '1 to 128 letters, digits or characters of . _ ~ : @ - and must not begin with a dot, a colon or @',
);

/** RFC 3339; a `+` in a query string must be sent as `%2B`. */
export const TIME_PATTERN: string = describedPattern(
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$',
  'a time with its zone, such as 2026-11-21T05:00:00Z',
);

export const AccountId: TString = Type.String({
  pattern: ACCOUNT_PATTERN,
  description: 'The id of an account, chosen by the caller that opens it.',
});

export const Currency: TString = Type.String({
  minLength: 1,
  maxLength: 16,
  description: 'An ISO 4217 code, such as `EUR`.',
});

/** An amount or balance in an answer. */
export function moneySchema(description: string): TString {
  return Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description });
}

/** The same in minor units. */
export function minorUnitsSchema(of: string): TString {
  return Type.String({
    pattern: '^-?[0-9]+$',
    description: `${of} in minor units of the currency. A string, because it can exceed 2^53.`,
  });
}

export function timeSchema(description: string): TString {
  return Type.String({ format: 'date-time', description });
}

export const Account: TSchema = Type.Object(
  {
    id: AccountId,
    currency: Currency,
    balance: moneySchema('With all decimals of the currency. Negative only with `allow_negative`.'),
    balance_minor: minorUnitsSchema('`balance`'),
    held: Type.Optional(moneySchema('Reserved by pending holds. Absent with `at`.')),
    held_minor: Type.Optional(minorUnitsSchema('`held`')),
    available: Type.Optional(moneySchema('`balance` minus `held`. Absent with `at`.')),
    available_minor: Type.Optional(minorUnitsSchema('`available`')),
    at: Type.Optional(timeSchema('With `at`: the time of `balance`.')),
    allow_negative: Type.Boolean({ description: 'Whether the balance may be negative.' }),
    closed: Type.Boolean({ description: 'True if the account is closed, and no transaction can use it.' }),
    created_at: timeSchema('When the account was opened.'),
    updated_at: timeSchema('When the account or its balance last changed.'),
  },
  { title: 'Account', description: 'An account. Its currency never changes.' },
);

export const NewAccountBody: TSchema = Type.Object(
  {
    id: AccountId,
    currency: Currency,
    allow_negative: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True for accounts that supply money, such as those of a bank or payment provider.',
      }),
    ),
  },
  { title: 'AccountInput', additionalProperties: false, description: 'A new account. Its balance is zero.' },
);

export const AccountChangeBody: TSchema = Type.Object(
  {
    closed: Type.Optional(
      Type.Boolean({
        description: 'True requires a zero balance and no pending holds; false reopens the account.',
      }),
    ),
    allow_negative: Type.Optional(Type.Boolean({ description: 'False requires a balance of zero or more.' })),
  },
  { title: 'AccountChange', additionalProperties: false, description: 'The members to change.' },
);

/**
 * Parses a time in the form of TIME_PATTERN to ms since 1970. Throws Problem for a day or hour that does not
 * exist.
 */
export function parseTime(text: string, field: string): number {
  const time = Date.parse(text);
  // Date.parse reads the 30th of February as the 2nd of March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const rolled = Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10);
  if (Number.isNaN(time) || rolled)
    throw new Problem('invalid-parameter', `${field} is not an existing time: ${text}.`, { field });
  return time;
}
