// The decimals of currencies, as ISO 4217 has them (the package currency-codes contains its list).

import { code } from 'currency-codes';
import { RecordsError } from '../../contracts/errors.ts';

const digitsByCode = new Map<string, number>();

/** The decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. Throws `unknown-currency`. */
export function digitsOf(currency: string, field = 'currency'): number {
  const cached = digitsByCode.get(currency);
  if (cached !== undefined) return cached;
  // The package would take lower case as well; one spelling is enough, and three letters bound the map.
  const record = /^[A-Z]{3}$/.test(currency) ? code(currency) : undefined;
  if (record === undefined)
    throw new RecordsError(
      'unknown-currency',
      `${field} must be an ISO 4217 code in capitals, such as EUR, USD or JPY.`,
      { field },
    );
  // Gold, special drawing rights and the like have no minor unit: they are counted whole.
  const digits = Number.isInteger(record.digits) ? record.digits : 0;
  digitsByCode.set(currency, digits);
  return digits;
}

/** Codes of ISO 4217 that are no money: metals, units of account, tests, nothing. */
const NO_MONEY = /^X(?:A[GU]|B[ABCD]|DR|P[DT]|SU|TS|UA|X{2})$/;

/** Throws `unknown-currency` for currencies that accounts cannot have. */
export function checkMoney(currency: string): void {
  digitsOf(currency);
  if (!NO_MONEY.test(currency)) return;
  throw new RecordsError(
    'unknown-currency',
    `${currency} is not money: an account needs a currency such as EUR, USD or JPY.`,
    { field: 'currency' },
  );
}
