// The door of client: every listing of Octavo as an async iterator.

export { type Account, type AccountChange, Accounts, type NewAccount } from './accounts.ts';
export {
  Chat,
  type ChatFacts,
  Chats,
  type Member,
  type Message,
  type NewChat,
  type ReadMember,
} from './chats.ts';
export { OctavoClient } from './client.ts';
export {
  type BulkOperation,
  type BulkOptions,
  type BulkResult,
  Documents,
  type StoredDocument,
  type VersionOptions,
  type WriteReply,
} from './documents.ts';
export {
  type Attachment,
  type Draft,
  type Edit,
  Entries,
  type Entry,
  type EntryFormat,
  type EntryQuery,
  type EntryReply,
  type FormatOption,
  type InFormat,
  type InMarkup,
  type MarkupInput,
  type NumberedQuery,
  type NumberedReply,
  type TextInput,
} from './entries.ts';
export { type ClientErrorCode, type ErrorSurface, OctavoError, type OctavoErrorFacts } from './errors.ts';
export type { EventQuery, OctavoEvent } from './events.ts';
export { Feed, type Item } from './feed.ts';
export { type Hold, type HoldPosting, Holds, type NewHold } from './holds.ts';
export { parseJson, toJson } from './json.ts';
export { type Key, type KeyChange, type KeyGrant, type KeyRate, Keys, type NewKey } from './keys.ts';
export type { Listing, Page } from './listing.ts';
export type { RetryPolicy } from './retry.ts';
export type { ExportedDocument, ScrollOptions } from './scroll.ts';
export type { Hit, Index, SearchBody, SearchOptions, SearchReply } from './search.ts';
export type { TokenQuery, TokenReply } from './token-list.ts';
export {
  type NewTransaction,
  type Transaction,
  type TransactionPreview,
  type TransactionQuery,
  Transactions,
} from './transactions.ts';
export type { Call, CallOptions, ClientOptions, Fetch, Query, WriteCallOptions } from './transport.ts';
export { type User, type UserNames, Users } from './users.ts';
export {
  type NewWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookInput,
  Webhooks,
} from './webhooks.ts';
