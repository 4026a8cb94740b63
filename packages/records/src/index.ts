// The door of records.

export type { ChatView, MemberView, ReadView } from './chat/chat.ts';
export {
  createChat,
  deleteChat,
  editChat,
  getChat,
  type NewChat,
} from './chat/chat-operations.ts';
export { type InboxChat, type InboxKey, type InboxRequest, listInbox } from './chat/inbox.ts';
export {
  getReadPosition,
  joinChat,
  leaveChat,
  type MemberAddress,
  markRead,
  membersOfChat,
} from './chat/member-operations.ts';
export {
  deleteMessage,
  editMessage,
  getMessage,
  type MessageAddress,
  pageOfChat,
  postMessage,
} from './chat/message-operations.ts';
export {
  type ErrorKind,
  RECORDS_ERRORS,
  RecordsError,
  type RecordsErrorCode,
  type RecordsErrorFields,
} from './contracts/errors.ts';
export {
  type DocumentChange,
  type DocumentEventType,
  type NewEvent,
  type QueryChange,
  RECORDS_EVENT_TYPES,
  type RecordsEventType,
  type StoredEvent,
} from './contracts/events.ts';
export type { KeysetPage, KeysetRequest } from './contracts/keyset-page.ts';
export type {
  Caller,
  IdempotentCall,
  ReadOperation,
  Records,
  RecordsCopy,
  WriteOperation,
  WriteOptions,
} from './contracts/operation.ts';
export type { OnlyIf } from './contracts/precondition.ts';
export { sweepAbandonedEntries } from './entries/abandoned-spaces.ts';
export type { ContentInput, DraftInput } from './entries/content.ts';
export { type Attachment, type Entry, type EntryView, entryView, type FreeData } from './entries/entry.ts';
export type { ListDirection } from './entries/list/entry-queries.ts';
export type {
  EntryPage,
  ListOrder,
  ListRequest,
  NumberedPage,
  PagePlace,
} from './entries/list/list-entries.ts';
export type { ListSection } from './entries/list/list-section.ts';
export type { Pin } from './entries/pin.ts';
export { PIN_LIFE_MS } from './entries/pin.ts';
export { isId } from './entries/position-of-id.ts';
export type { EntryFilter } from './entries/tags.ts';
export {
  deleteItem,
  editItem,
  getItem,
  type ItemAddress,
  pageOfFeed,
  postItem,
  postItems,
} from './feed/feed-operations.ts';
export type { ApiKey, FilterJson, KeyGrant } from './keys/key.ts';
export {
  createKey,
  getKey,
  keysChangedSince,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from './keys/key-operations.ts';
export type { JournalReport } from './ledger/core/journal-audit.ts';
export { MOST_IN_BATCH } from './ledger/core/transfer-decisions.ts';
export {
  type Account,
  type AccountChange,
  type AccountView,
  accountView,
  type NewAccount,
} from './ledger/model/account.ts';
export { digitsOf } from './ledger/model/currency.ts';
export {
  type Hold,
  type HoldRequest,
  type HoldStatus,
  type HoldView,
  holdView,
} from './ledger/model/hold.ts';
export { moneyText } from './ledger/model/money.ts';
export {
  type Transfer,
  type TransferKind,
  type TransferRequest,
  type TransferView,
  transferView,
} from './ledger/model/transfer.ts';
export {
  type AccountsRequest,
  balanceAt,
  changeAccount,
  createAccount,
  getAccount,
  listAccounts,
} from './ledger/operations/account-operations.ts';
export {
  type HoldFilter,
  type HoldsRequest,
  listHolds,
} from './ledger/operations/hold-list.ts';
export {
  createHold,
  expireHolds,
  getHold,
  postHold,
  voidHold,
} from './ledger/operations/hold-operations.ts';
export {
  getTransfer,
  listTransfers,
  type TransferFilter,
  type TransfersRequest,
  verifyJournal,
} from './ledger/operations/journal-operations.ts';
export {
  previewTransfers,
  reverse,
  transfer,
  transferBatch,
  transferBatchJson,
} from './ledger/operations/transfer-operations.ts';
export { type OpenRecordsOptions, openRecords } from './open.ts';
export {
  type DocumentEventsRequest,
  emitDocumentEvents,
  eventsAfter,
  forgetEvents,
  forgottenEvents,
  newestEvent,
} from './outbox/event-operations.ts';
export { lastFollowed, recordFollower } from './outbox/followers.ts';
export {
  beginIntents,
  dueIntents,
  type IntendedDocument,
  type IntendedQuery,
  type Intent,
  takeIntents,
} from './outbox/write-intents.ts';
export type { ReopenOptions } from './store/move/abandon-move.ts';
export type { RecordsMove, RecordsMoveOptions, TableReport } from './store/move/carry-records.ts';
export type { MovePhase } from './store/move/cutover.ts';
export { moveRecords, reopenRecords } from './store/move/lazy-move.ts';
export {
  type LossPolicy,
  type RecordsNote,
  type RecordsState,
  recordsState,
} from './store/records-state.ts';
export { sharedSecret } from './store/shared-secret.ts';
export { checkStore } from './store/sqlite/check-store.ts';
export { inspectRecords } from './store/sqlite/inspect-records.ts';
export { type RecordsFence, recordsFence } from './store/write-fence.ts';
export { type User, type UserNames, type UserView, userView } from './users/user.ts';
export { deleteUser, getUser, listUsers, putUser, usersById } from './users/user-operations.ts';
export type { Webhook } from './webhooks/webhook.ts';
export {
  claimWebhook,
  createWebhook,
  type DeliveryNote,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  noteDelivery,
  updateWebhook,
  type WebhookChange,
} from './webhooks/webhook-operations.ts';
