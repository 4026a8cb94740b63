// The refusals of records in one table: code, HTTP status and title. The server prints
// docs/reference/errors.md from it and answers with it as RFC 9457 problems.

/** One kind of refusal. */
export interface ErrorKind {
  readonly status: number;
  /** The same for every occurrence; the detail describes the current one. */
  readonly title: string;
  /** What the caller, or the operator, can do. Code is between backquotes. */
  readonly remedy: string;
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
  'invalid-parameter': {
    status: 400,
    title: 'A parameter has an invalid value',
    remedy: 'Send the parameter that `field` names in the form that the detail describes.',
  },
  'conflicting-parameters': {
    status: 400,
    title: 'Parameters contradict each other',
    remedy: 'Leave out one of the parameters that the detail names.',
  },
  'invalid-body': {
    status: 400,
    title: 'The body is not valid for this endpoint',
    remedy: 'Correct the part of the body that `field` names.',
  },
  'content-too-large': {
    status: 413,
    title: 'The content is larger than its limit',
    remedy: 'Shorten the content, or split it over several items.',
  },
  'snapshot-expired': {
    status: 410,
    title: 'The snapshot has expired',
    remedy: 'Start again from the first page.',
  },
  // feeds and chats
  'item-not-found': {
    status: 404,
    title: 'There is no such item',
    remedy: 'Check the id and the name of the feed; the item may have been deleted.',
  },
  'chat-not-found': {
    status: 404,
    title: 'There is no such chat',
    remedy: 'Check the id, or create the chat.',
  },
  'message-not-found': {
    status: 404,
    title: 'There is no such message',
    remedy: 'Check the ids of chat and message; the message may have been deleted.',
  },
  'member-not-found': {
    status: 404,
    title: 'There is no such member',
    remedy: 'Add the user to the chat first.',
  },
  'already-exists': {
    status: 409,
    title: 'The id is already in use',
    remedy: 'Choose another id, or change the resource that has this one.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The resource has changed since the version in If-Match',
    remedy: 'Read the resource again and send the ETag of the new version.',
  },
  'not-a-member': {
    status: 403,
    title: 'The author is not a member of the chat',
    remedy: 'Add the author to the chat first.',
  },
  'invalid-mentions': {
    status: 400,
    title: 'The entities do not match the text',
    remedy:
      'Correct the entity that `field` names. Its `start` and `end` count in the `unit` of the content.',
  },
  // ledger, in the order in which they are checked (docs/reference/errors.md)
  'invalid-money': {
    status: 400,
    title: 'The amount of money is not valid',
    remedy: 'Send a positive decimal string with at most as many decimals as the currency has.',
  },
  'same-account': {
    status: 422,
    title: 'The accounts of a transaction must differ',
    remedy: 'Name two different accounts.',
  },
  'account-not-found': {
    status: 404,
    title: 'There is no such account',
    remedy: 'Check the id, or create the account.',
  },
  'account-closed': {
    status: 422,
    title: 'The account is closed',
    remedy: 'Use another account, or reopen this one with `closed: false`.',
  },
  'currency-mismatch': {
    status: 422,
    title: 'The currencies differ',
    remedy:
      'Both accounts must have the same currency. If you send `currency`, it must be the currency of the accounts.',
  },
  'insufficient-funds': {
    status: 422,
    title: 'The account does not have enough funds',
    remedy: 'Send less, or put money into the account first.',
  },
  'balance-overflow': {
    status: 422,
    title: 'A balance would leave the range of 64 bits',
    remedy: 'Send less, or use another account. A balance has at most 2^63 − 1 minor units, below zero too.',
  },
  'account-not-empty': {
    status: 422,
    title: 'The account has a balance or holds',
    remedy: 'Move the balance to another account, and post or void the holds.',
  },
  'unknown-currency': {
    status: 400,
    title: 'ISO 4217 has no such currency',
    remedy: 'Send a code of ISO 4217, such as EUR.',
  },
  'transfer-not-found': { status: 404, title: 'There is no such transaction', remedy: 'Check the id.' },
  'hold-not-found': { status: 404, title: 'There is no such hold', remedy: 'Check the id.' },
  'hold-not-pending': {
    status: 422,
    title: 'The hold is no longer pending',
    remedy:
      'Read the hold: it was posted or voided, or has expired. If the money must still be reserved, create a new hold.',
  },
  'already-reversed': {
    status: 422,
    title: 'The transaction is already reversed',
    remedy: 'Nothing to do: the detail names the transaction that reversed it.',
  },
  'external-id-taken': {
    status: 409,
    title: 'Another transaction has this external id',
    remedy: 'Look up the other transaction by its external id, or choose another external id.',
  },
  // idempotency
  'idempotency-key-invalid': {
    status: 400,
    title: 'The idempotency key is not valid',
    remedy: 'Send 1 to 255 printable ASCII characters, without blanks at the ends, such as a UUID.',
  },
  'idempotency-key-required': {
    status: 400,
    title: 'This endpoint needs an idempotency key',
    remedy: 'Send an `Idempotency-Key` with a new UUID, and the same key when you send the request again.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key was used for another request',
    remedy: 'Repeat the first request unchanged, or send this request with a new key.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'A request with this idempotency key is running',
    remedy: 'Wait until the first request ends, then send the same request again.',
  },
  // users
  'user-not-found': {
    status: 404,
    title: 'There is no such user',
    remedy: 'Check the id, or create the user.',
  },
  'username-taken': {
    status: 409,
    title: 'Another user has this username',
    remedy: 'Choose another username.',
  },
  // keys, events
  'key-not-found': {
    status: 404,
    title: 'There is no such key',
    remedy: 'Check the id; the key may have been revoked.',
  },
  'webhook-not-found': { status: 404, title: 'There is no such webhook', remedy: 'Check the id.' },
  'webhook-address-refused': {
    status: 400,
    title: 'The address of the webhook is not allowed',
    remedy:
      'Use a public `https://` or `http://` URL without a user name or fragment, or ask the operator to start the server with `--webhook-allow-private`.',
  },
  // the store itself
  'store-full': {
    status: 507,
    title: 'There is no space left on the device',
    remedy: 'Ask the operator to free space. Nothing was written; reads still work.',
  },
  'store-busy': {
    status: 503,
    title: 'Too many writes are waiting',
    remedy: 'Send the request again after `Retry-After`.',
  },
  'store-unreachable': {
    status: 503,
    title: 'The records store cannot be reached',
    remedy: 'Send the request again later, or ask the operator to check PostgreSQL.',
  },
  'records-moved': {
    status: 503,
    title: 'The records have moved to another store',
    remedy: 'Send the request to the server that the records have moved to.',
  },
  'records-lost': {
    status: 503,
    title: 'Records are missing',
    remedy: 'Ask the operator to restore a backup, or to start with new records.',
  },
  'records-damaged': {
    status: 500,
    title: 'The records are damaged',
    remedy: 'Ask the operator to run `octavo doctor` and restore a backup.',
  },
  'store-failed': {
    status: 500,
    title: 'The records store has failed',
    remedy: 'Ask the operator to look up the request id (`instance`) in the server log.',
  },
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
