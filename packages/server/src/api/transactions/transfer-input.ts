// Parameters of a transfer may stand in the query string or in the JSON body; what stands in both must be
// equal.

import type { TransferRequest } from '@octavo/records';
import { Problem } from '../../errors/problem.ts';

/** As validated by the schema. */
export interface TransferInput {
  readonly from?: string;
  readonly to?: string;
  readonly money?: string;
  readonly currency?: string;
  readonly reference?: string;
  readonly external_id?: string;
  readonly dry_run?: boolean;
}

const NAMES: readonly (keyof TransferInput)[] = [
  'from',
  'to',
  'money',
  'currency',
  'reference',
  'external_id',
  'dry_run',
];

/** Merges both places. Throws conflicting-parameters. */
export function mergeParameters(query: TransferInput, body: TransferInput): TransferInput {
  for (const name of NAMES) {
    if (query[name] === undefined || body[name] === undefined || query[name] === body[name]) continue;
    throw new Problem(
      'conflicting-parameters',
      `${name} differs between the query string and the body: send it once.`,
      { field: name },
    );
  }
  return { ...query, ...body };
}

/** The requested transfer. Throws invalid-parameter where something is missing. */
export function transferRequest(input: TransferInput): TransferRequest {
  const { currency, reference, external_id: externalId } = input;
  const request: { -readonly [Key in keyof TransferRequest]: TransferRequest[Key] } = {
    from: required(input, 'from'),
    to: required(input, 'to'),
    money: required(input, 'money'),
  };
  if (currency !== undefined) request.currency = currency;
  if (reference !== undefined) request.reference = reference;
  if (externalId !== undefined) request.externalId = externalId;
  return request;
}

function required(input: TransferInput, name: 'from' | 'to' | 'money'): string {
  const value = input[name];
  if (value !== undefined) return value;
  throw new Problem(
    'invalid-parameter',
    `${name} is missing: send it in the query string or in a JSON body.`,
    {
      field: name,
    },
  );
}
