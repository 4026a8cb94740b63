// The door of records.

export type { ChatView, MemberView, ReadView } from './chat/chat.ts';
export {
  getMember,
  joinChat,
  leaveChat,
  type MemberAddress,
  markRead,
  membersOfChat,
} from './chat/members.ts';
export {
  deleteMessage,
  editMessage,
  getMessage,
  type MessageAddress,
  pageOfChat,
  postMessage,
} from './chat/messages.ts';
export {
  chatsOfMember,
  createChat,
  deleteChat,
  editChat,
  getChat,
  type NewChat,
} from './chat/operations.ts';
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
export { PIN_LIFE_MS } from './entries/change.ts';
export type { ContentInput, DraftInput } from './entries/content.ts';
export { type Attachment, type Entry, type EntryView, entryView, type FreeData } from './entries/entry.ts';
export { isId } from './entries/id.ts';
export type { EntryPage, ListRequest, Order, PageFacts, Place } from './entries/list/list.ts';
export type { Towards } from './entries/list/matching.ts';
export type { Pin } from './entries/list/pin.ts';
export type { Stretch } from './entries/list/stretch.ts';
export { sweepEntries } from './entries/sweep.ts';
export type { EntryFilter } from './entries/tags.ts';
export { deleteUser, getUser, listUsers, putUser, usersById } from './entries/users/operations.ts';
export { type User, type UserNames, type UserView, userView } from './entries/users/user.ts';
export {
  deleteItem,
  editItem,
  getItem,
  type ItemAddress,
  pageOfFeed,
  postItem,
  postItems,
} from './feed/operations.ts';
export type { ApiKey, FilterJson, KeyGrant } from './keys/key.ts';
export {
  createKey,
  getKey,
  keysChangedSince,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from './keys/operations.ts';
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
  type AccountsPage,
  type AccountsRequest,
  balanceAt,
  changeAccount,
  createAccount,
  getAccount,
  listAccounts,
} from './ledger/operations/account-operations.ts';
export {
  type HoldFilter,
  type HoldsPage,
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
  type TransfersPage,
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
export { followedAt, noteFollower } from './outbox/followers.ts';
export {
  beginIntents,
  dueIntents,
  type IntendedDocument,
  type IntendedQuery,
  type Intent,
  takeIntents,
} from './outbox/intents.ts';
export {
  type DocumentsTold,
  eventsAfter,
  eventsForgotten,
  forgetEvents,
  newestEvent,
  tellDocuments,
} from './outbox/operations.ts';
export { type RecordsFence, recordsFence } from './store/fence.ts';
export type { MovePhase } from './store/move/cutover.ts';
export { moveRecords, reopenRecords } from './store/move/late.ts';
export type { RecordsMove, RecordsMoveOptions, TableReport } from './store/move/move.ts';
export type { ReopenOptions } from './store/move/reopen.ts';
export { sharedSecret } from './store/secrets.ts';
export { checkStore } from './store/sqlite/check.ts';
export { inspectRecords } from './store/sqlite/inspect.ts';
export { type LostRecords, type RecordsNote, type RecordsState, recordsState } from './store/state.ts';
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
} from './webhooks/operations.ts';
export type { Webhook } from './webhooks/webhook.ts';
