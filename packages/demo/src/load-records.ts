// Creates the records of the demo once: a feed whose posts quote WordNet and mention people and topics, a chat, and accounts with
// money. A part that already has data of somebody else is left alone.

import { escapeMarkup } from '@octavo/mention';
import {
  createAccount,
  createChat,
  getAccount,
  getChat,
  pageOfFeed,
  postItems,
  postMessage,
  type Records,
  RecordsError,
  transfer,
} from '@octavo/records';
import { type Synset, synsets } from './wordnet.ts';

/** Posts of the demo's feed. */
export const POSTS = 1_000;

const PEOPLE: readonly (readonly [username: string, name: string])[] = [
  ['ada', 'Ada'],
  ['grace', 'Grace'],
  ['edsger', 'Edsger'],
  ['barbara', 'Barbara'],
];

/** What money comes from may go below zero: the sum over the accounts of a currency is always zero. */
const ACCOUNTS: readonly (readonly [id: string, currency: string, opening: string | undefined])[] = [
  ['bank', 'EUR', undefined],
  ['ada', 'EUR', '1000.00'],
  ['grace', 'EUR', '250.50'],
  ['mint', 'JPY', undefined],
  ['edsger', 'JPY', '90000'],
];

/** Makes what is missing. Gives the number of posts and messages written. */
export async function loadRecords(records: Records, source: Iterable<Synset> = synsets()): Promise<number> {
  await openAccounts(records);
  return (await fillFeed(records, source)) + (await fillChat(records));
}

async function openAccounts(records: Records): Promise<void> {
  if (await exists(records.read(getAccount, { id: 'bank' }))) return;
  let source = '';
  for (const [id, currency, opening] of ACCOUNTS) {
    if (!(await exists(records.read(getAccount, { id })))) {
      await records.write(createAccount, { id, currency, allowNegative: opening === undefined });
    }
    if (opening === undefined) source = id;
    else {
      const externalId = `demo-opening-${id}`;
      await records.write(transfer, { from: source, to: id, money: opening, externalId });
    }
  }
}

async function fillFeed(records: Records, source: Iterable<Synset>): Promise<number> {
  const place = { by: 'id' } as const;
  const page = await records.read(pageOfFeed, { feed: '', filter: {}, order: 'desc', limit: 1, place });
  if (page.entries.length > 0) return 0;
  const drafts: { author: string; markup: string; data: { synset: string } }[] = [];
  for (const synset of source) {
    if (drafts.length === POSTS) break;
    if (synset.examples.length === 0) continue;
    drafts.push({
      author: author(drafts.length),
      markup: post(synset, drafts.length),
      data: { synset: synset.id },
    });
  }
  await records.write(postItems, { feed: '', drafts });
  return drafts.length;
}

async function fillChat(records: Records): Promise<number> {
  if (await exists(records.read(getChat, { chat: 'lobby' }))) return 0;
  await records.write(createChat, {
    id: 'lobby',
    title: 'Lobby',
    members: PEOPLE.map(([username]) => username),
  });
  const lines = [
    'Anybody here?',
    'Yes, reading page 5,000.',
    'By offset?',
    'By rank. It costs what page 1 costs.',
  ];
  for (const [at, text] of lines.entries()) {
    await records.write(postMessage, { chat: 'lobby', draft: { author: author(at), text } });
  }
  return lines.length;
}

function author(at: number): string {
  return PEOPLE[at % PEOPLE.length]![0];
}

/** `<user …>Grace</user>: “a fine day” is said of <topic …>fair</topic>` */
function post(synset: Synset, at: number): string {
  const [username, name] = PEOPLE[(at + 1) % PEOPLE.length]!;
  const word = escapeMarkup(synset.words[0] ?? synset.id);
  const example = escapeMarkup(synset.examples[0] ?? '');
  return `<user username="${username}">${name}</user>, “${example}”: that is <topic>${word}</topic>`;
}

async function exists(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (error instanceof RecordsError && error.status === 404) return false;
    throw error;
  }
}
