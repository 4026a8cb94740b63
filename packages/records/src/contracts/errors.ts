// The refusals of records in one table: code, HTTP status and title. The server prints
// docs/reference/errors.md from it and answers with it as RFC 9457 problems.

/** One kind of refusal. */
export interface ErrorKind {
  readonly status: number;
  /** The same for every occurrence; the detail describes the current one. */
  readonly title: string;
}

/** The code of a refusal. */
export type RecordsErrorCode =
  | 'invalid-parameter'
  | 'conflicting-parameters'
  | 'invalid-body'
  | 'content-too-large'
  | 'snapshot-expired'
  | 'item-not-found'
  | 'chat-not-found'
  | 'message-not-found'
  | 'member-not-found'
  | 'already-exists'
  | 'precondition-failed'
  | 'not-a-member'
  | 'invalid-mentions'
  | 'invalid-money'
  | 'same-account'
  | 'account-not-found'
  | 'account-closed'
  | 'currency-mismatch'
  | 'insufficient-funds'
  | 'balance-overflow'
  | 'account-not-empty'
  | 'unknown-currency'
  | 'transfer-not-found'
  | 'hold-not-found'
  | 'hold-not-pending'
  | 'already-reversed'
  | 'external-id-taken'
  | 'idempotency-key-invalid'
  | 'idempotency-key-required'
  | 'idempotency-key-reused'
  | 'idempotency-key-in-use'
  | 'key-not-found'
  | 'user-not-found'
  | 'username-taken'
  | 'webhook-not-found'
  | 'webhook-address-refused'
  | 'store-full'
  | 'store-busy'
  | 'store-unreachable'
  | 'records-moved'
  | 'records-lost'
  | 'records-damaged'
  | 'store-failed';

/** All refusals by code. */
export const RECORDS_ERRORS: Readonly<Record<RecordsErrorCode, ErrorKind>> = {
  // any resource
  'invalid-parameter': { status: 400, title: 'A parameter has an invalid value' },
  'conflicting-parameters': { status: 400, title: 'Parameters contradict each other' },
  'invalid-body': { status: 400, title: 'The body is not valid for this endpoint' },
  'content-too-large': { status: 413, title: 'The content is larger than its limit' },
  'snapshot-expired': { status: 410, title: 'The snapshot has expired' },
  // feeds and chats
  'item-not-found': { status: 404, title: 'There is no such item' },
  'chat-not-found': { status: 404, title: 'There is no such chat' },
  'message-not-found': { status: 404, title: 'There is no such message' },
  'member-not-found': { status: 404, title: 'There is no such member' },
  'already-exists': { status: 409, title: 'The id is already in use' },
  'precondition-failed': { status: 412, title: 'The resource has changed since the version in If-Match' },
  'not-a-member': { status: 403, title: 'The author is not a member of the chat' },
  'invalid-mentions': { status: 400, title: 'The entities do not fit the text' },
  // ledger, in the order in which they are checked (docs/reference/errors.md)
  'invalid-money': { status: 400, title: 'The amount of money is not valid' },
  'same-account': { status: 422, title: 'The accounts of a transfer must differ' },
  'account-not-found': { status: 404, title: 'There is no such account' },
  'account-closed': { status: 422, title: 'The account is closed' },
  'currency-mismatch': { status: 422, title: 'The currencies do not agree' },
  'insufficient-funds': { status: 422, title: 'The account does not have enough funds' },
  'balance-overflow': { status: 422, title: 'The balance would exceed 2^63' },
  'account-not-empty': { status: 422, title: 'The account has a balance or holds' },
  'unknown-currency': { status: 400, title: 'ISO 4217 has no such currency' },
  'transfer-not-found': { status: 404, title: 'There is no such transfer' },
  'hold-not-found': { status: 404, title: 'There is no such hold' },
  'hold-not-pending': { status: 422, title: 'The hold is no longer pending' },
  'already-reversed': { status: 422, title: 'The transfer is already reversed' },
  'external-id-taken': { status: 409, title: 'Another transfer has this external id' },
  // idempotency
  'idempotency-key-invalid': { status: 400, title: 'The idempotency key is not valid' },
  'idempotency-key-required': { status: 400, title: 'This endpoint needs an idempotency key' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key was used for another request' },
  'idempotency-key-in-use': { status: 409, title: 'A request with this idempotency key is running' },
  // users
  'user-not-found': { status: 404, title: 'There is no such user' },
  'username-taken': { status: 409, title: 'Another user has this username' },
  // keys, events
  'key-not-found': { status: 404, title: 'There is no such key' },
  'webhook-not-found': { status: 404, title: 'There is no such webhook' },
  'webhook-address-refused': { status: 400, title: 'The address of a webhook must be public' },
  // the store itself
  'store-full': { status: 507, title: 'There is no space left on the device' },
  'store-busy': { status: 503, title: 'Too many writes are waiting' },
  'store-unreachable': { status: 503, title: 'The records store cannot be reached' },
  'records-moved': { status: 503, title: 'The records have moved to another store' },
  'records-lost': { status: 503, title: 'Records are missing' },
  'records-damaged': { status: 500, title: 'The records are damaged' },
  'store-failed': { status: 500, title: 'The records store has failed' },
};

/** The machine-readable parts of a refusal. */
export interface RecordsErrorFields {
  /** The parameter or the path in the body (`entities[2].end`) that is wrong. */
  readonly field?: string;
  /** More for programs: ids, balances. JSON-safe. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal: nothing was changed. `detail` says what was wrong, where, and what to do. */
export class RecordsError extends Error {
  override readonly name = 'RecordsError';
  readonly code: RecordsErrorCode;
  readonly field: string | undefined;
  readonly extra: Readonly<Record<string, unknown>> | undefined;

  constructor(code: RecordsErrorCode, detail: string, fields: RecordsErrorFields = {}) {
    super(detail);
    this.code = code;
    this.field = fields.field;
    this.extra = fields.extra;
  }

  get status(): number {
    return RECORDS_ERRORS[this.code].status;
  }
}
