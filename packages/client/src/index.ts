// Public API of @octavo/client: every listing of Octavo as an async iterator.

export type { Content, Entity, LinkEntity, TopicEntity, UserEntity } from '@octavo/mention';
export { OctavoClient } from './client.ts';
export { type ClientErrorCode, type ErrorSurface, OctavoError, type OctavoErrorFacts } from './errors.ts';
export { parseJson, toJson } from './json.ts';
export type { Listing, Page } from './listing.ts';
export { type Account, type AccountChange, Accounts, type NewAccount } from './resources/accounts.ts';
export {
  Chat,
  type ChatFacts,
  Chats,
  type InboxChat,
  type Member,
  type Message,
  type NewChat,
  type ReadMember,
} from './resources/chats.ts';
export {
  type BulkOperation,
  type BulkOptions,
  type BulkResult,
  Documents,
  type StoredDocument,
  type VersionOptions,
  type WriteReply,
} from './resources/documents.ts';
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
} from './resources/entries.ts';
export type { EventData, EventOf, EventQuery, OctavoEvent } from './resources/events.ts';
export { Feed, type Item } from './resources/feed.ts';
export { type Hold, type HoldPosting, Holds, type NewHold } from './resources/holds.ts';
export {
  type Key,
  type KeyChange,
  type KeyGrant,
  type KeyRate,
  Keys,
  type NewKey,
} from './resources/keys.ts';
export type { ExportedDocument, ScrollOptions } from './resources/scroll.ts';
export type { Hit, Index, SearchBody, SearchOptions, SearchReply } from './resources/search.ts';
export {
  type NewTransaction,
  type Transaction,
  type TransactionPreview,
  type TransactionQuery,
  Transactions,
} from './resources/transactions.ts';
export { type User, type UserNames, Users } from './resources/users.ts';
export {
  type NewWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookInput,
  Webhooks,
} from './resources/webhooks.ts';
export { newIdempotencyKey, type RetryPolicy } from './retry.ts';
export type { TokenQuery, TokenReply } from './token-listing.ts';
export type { Call, CallOptions, ClientOptions, Fetch, Query, WriteCallOptions } from './transport.ts';
