// Types of the client, checked by the compiler against those of the server; and that `type` and `kind` narrow unions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  AccountView,
  DocumentEventType,
  HoldView,
  RecordsEventType,
  TransferView,
  UserView,
} from '@octavo/records';
import type { Account, Entity, Hold, OctavoEvent, Transaction, User } from '../src/index.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The server's views are what the client says they are. */
const VIEWS: readonly [
  Same<OctavoEvent['type'], `octavo.${RecordsEventType | DocumentEventType}`>,
  AccountView extends Account ? true : false,
  HoldView extends Hold ? true : false,
  TransferView extends Transaction ? true : false,
  UserView extends User ? true : false,
] = [true, true, true, true, true];

/** Compiles only if `type` narrows `data`. */
function textOf(event: OctavoEvent): string {
  switch (event.type) {
    case 'octavo.item.created':
    case 'octavo.message.created':
      return event.data.text;
    case 'octavo.transfer.created':
      return `${event.data.money} ${event.data.currency}`;
    case 'octavo.document.indexed':
      return `${event.data.index}/${event.data.id}`;
    default:
      return event.subject;
  }
}

/** Compiles only if `kind` narrows an entity. */
function targetOf(entity: Entity): string | undefined {
  if (entity.kind === 'user') return entity.username;
  return entity.kind === 'link' ? entity.href : entity.id;
}

test('unions are narrowed, and types are those of the server', () => {
  assert.ok(VIEWS.every((same) => same));
  const event: OctavoEvent = {
    specversion: '1.0',
    id: 'd1.0.0',
    type: 'octavo.document.indexed',
    source: '/',
    subject: 'books/1',
    data: { index: 'books', id: '1', seq_no: 0, version: 1 },
  };
  assert.equal(textOf(event), 'books/1');
  assert.equal(targetOf({ kind: 'link', href: 'https://x.example', start: 0, end: 1 }), 'https://x.example');
  assert.equal(targetOf({ kind: 'user', username: 'ada', start: 0, end: 1 }), 'ada');
});
