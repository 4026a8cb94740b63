// The operations on feeds: post, read, edit and delete items, and list a page.

import { RecordsError } from '../contracts/errors.ts';
import type { NewEvent } from '../contracts/events.ts';
import type { AnyOperation, CallResult, ReadOperation, WriteOperation } from '../contracts/operation.ts';
import { type OnlyIf, requireUnchanged } from '../contracts/precondition.ts';
import { appendEntries } from '../entries/append-entries.ts';
import { type ContentInput, type DraftInput, draftOf, editedContent } from '../entries/content.ts';
import { deleteEntry, editEntry, entryById } from '../entries/edit-entry.ts';
import { type Draft, type Entry, entryView } from '../entries/entry.ts';
import { type EntryPage, type ListRequest, listEntries } from '../entries/list/list-entries.ts';

/** One item. */
export interface ItemAddress {
  /** The default feed has the empty name. */
  readonly feed: string;
  readonly id: string;
}

/** Posts an item at the head of a feed. The first item creates the feed. */
export const postItem: WriteOperation<{ readonly feed: string; readonly draft: DraftInput }, Entry> = {
  kind: 'write',
  name: 'feed.post',
  locks: ({ feed }) => [spaceOf(feed)],
  checksFirst: true,
  async run(context, { feed, draft }) {
    const [entry] = await appendEntries(context, spaceOf(feed), [draftOf(draft)]);
    context.emit(event('item.created', feed, entry!));
    return entry!;
  },
  async runMany(context, calls) {
    const { feed } = calls[0]!;
    const tried = calls.map(({ draft }) => tryDraft(draft));
    const drafts = tried.flatMap((each) => ('result' in each ? [each.result] : []));
    const entries = (await appendEntries(context, spaceOf(feed), drafts)).values();
    return tried.map((each) => {
      if ('refused' in each) return each;
      const entry = entries.next().value!;
      context.emit(event('item.created', feed, entry));
      return { result: entry };
    });
  },
};

/** Posts many items in order, all or none. Returns their ids. */
export const postItems: WriteOperation<
  { readonly feed: string; readonly drafts: readonly DraftInput[] },
  readonly string[]
> = {
  kind: 'write',
  name: 'feed.post-many',
  locks: ({ feed }) => [spaceOf(feed)],
  checksFirst: true,
  async run(context, { feed, drafts }) {
    const entries = await appendEntries(context, spaceOf(feed), drafts.map(draftOf));
    for (const entry of entries) context.emit(event('item.created', feed, entry));
    return entries.map(({ id }) => id);
  },
};

/** One item. Throws item-not-found. */
export const getItem: ReadOperation<ItemAddress, Entry> = {
  kind: 'read',
  name: 'feed.get',
  async run({ db }, { feed, id }) {
    return (await entryById(db, spaceOf(feed), id)) ?? missing(feed, id);
  },
};

/**
 * Changes the content of an item; without a difference nothing happens. Throws item-not-found, precondition-failed,
 * invalid-body, invalid-mentions.
 */
export const editItem: WriteOperation<
  ItemAddress & { readonly content: ContentInput; readonly onlyIf?: OnlyIf<Entry> | undefined },
  Entry
> = {
  kind: 'write',
  name: 'feed.edit',
  locks: ({ feed }) => [spaceOf(feed)],
  checksFirst: true,
  async run(context, { feed, id, content, onlyIf }) {
    const entry = (await entryById(context.db, spaceOf(feed), id)) ?? missing(feed, id);
    requireUnchanged(entry, onlyIf);
    const edited = await editEntry(context, spaceOf(feed), entry, editedContent(entry, content));
    if (edited !== entry) context.emit(event('item.updated', feed, edited));
    return edited;
  },
};

/** Deletes an item. Throws item-not-found, precondition-failed. */
export const deleteItem: WriteOperation<ItemAddress & { readonly onlyIf?: OnlyIf<Entry> | undefined }, void> =
  {
    kind: 'write',
    name: 'feed.delete',
    locks: ({ feed }) => [spaceOf(feed)],
    checksFirst: true,
    async run(context, { feed, id, onlyIf }) {
      const entry = (await entryById(context.db, spaceOf(feed), id)) ?? missing(feed, id);
      requireUnchanged(entry, onlyIf);
      await deleteEntry(context, spaceOf(feed), entry);
      context.emit({
        type: 'item.deleted',
        subject: subjectOf(feed, entry.id),
        data: { id: entry.id, ...named(feed) },
      });
    },
  };

/** A page of a feed; an unknown feed is empty. Throws snapshot-expired. */
export const pageOfFeed: ReadOperation<{ readonly feed: string } & ListRequest, EntryPage> = {
  kind: 'read',
  name: 'feed.page',
  async run({ db, now }, { feed, ...request }) {
    return await listEntries(db, spaceOf(feed), request, now);
  },
};

export const feedOperations: readonly AnyOperation[] = [
  postItem,
  postItems,
  getItem,
  editItem,
  deleteItem,
  pageOfFeed,
];

function spaceOf(feed: string): string {
  return `feed:${feed}`;
}

function tryDraft(input: DraftInput): CallResult<Draft> {
  try {
    return { result: draftOf(input) };
  } catch (error) {
    if (error instanceof RecordsError) return { refused: error };
    throw error;
  }
}

function missing(feed: string, id: string): never {
  const where = feed === '' ? 'the default feed' : `the feed ${feed}`;
  throw new RecordsError(
    'item-not-found',
    `There is no item ${id} in ${where}: it was deleted, or is in another feed (?feed=).`,
    { field: 'id' },
  );
}

function event(type: 'item.created' | 'item.updated', feed: string, entry: Entry): NewEvent {
  return { type, subject: subjectOf(feed, entry.id), data: { ...entryView(entry), ...named(feed) } };
}

function subjectOf(feed: string, id: string): string {
  return `newsfeed/${id}${feed === '' ? '' : `?feed=${encodeURIComponent(feed)}`}`;
}

function named(feed: string): { readonly feed?: string } {
  return feed === '' ? {} : { feed };
}
