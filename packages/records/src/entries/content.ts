// Checks the content of an entry before anything is stored: text with entities or markup, never both; links;
// an object of the caller's own.

import { type Entity, parseMarkup, type Unit, validateContent } from '@octavo/mention';
import { RecordsError } from '../contracts/errors.ts';
import type { Attachment, Draft, Entry, FreeData } from './entry.ts';

/** A new entry, as its author sends it. */
export interface DraftInput extends ContentInput {
  readonly author: string;
}

/** Either `text`, taken literally, with its `entities`; or `markup`. */
export interface ContentInput {
  readonly text?: string | undefined;
  /** As received; checked here. */
  readonly entities?: readonly unknown[] | undefined;
  /** The unit of the entities' offsets. @default 'utf16' */
  readonly unit?: string | undefined;
  readonly markup?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** Null removes it in an edit. */
  readonly data?: FreeData | null | undefined;
}

/** The draft of an input. Throws invalid-body and invalid-mentions. */
export function draftOf(input: DraftInput): Draft {
  if (input.text === undefined && input.markup === undefined) {
    throw new RecordsError(
      'invalid-body',
      'The entry is empty: send either text (with entities, if any) or markup.',
      { field: 'text' },
    );
  }
  return refuseEmpty({
    author: input.author,
    ...contentOf(input, undefined),
    attachments: attachmentsOf(input.attachments ?? []),
    data: input.data ?? undefined,
  });
}

/** The content of an entry after an edit. New text without entities has none. Throws as `draftOf`. */
export function editedContent(entry: Entry, input: ContentInput): Omit<Draft, 'author'> {
  const { attachments, data } = input;
  return refuseEmpty({
    ...contentOf(input, entry),
    attachments: attachments === undefined ? entry.attachments : attachmentsOf(attachments),
    data: data === undefined ? entry.data : (data ?? undefined),
  });
}

function refuseEmpty<T extends Omit<Draft, 'author'>>(draft: T): T {
  if (draft.text !== '' || draft.attachments.length > 0 || draft.data !== undefined) return draft;
  throw new RecordsError('invalid-body', 'The entry would be empty: it needs text, an attachment or data.', {
    field: 'text',
  });
}

type Content = Pick<Draft, 'text' | 'entities' | 'unit'>;

function contentOf(input: ContentInput, before: Content | undefined): Content {
  const { text, entities, unit, markup } = input;
  if (markup === undefined) {
    if (before !== undefined && text === undefined && entities === undefined && unit === undefined)
      return before;
    return checked(text ?? before?.text ?? '', entities ?? [], unit ?? 'utf16');
  }
  const other = Object.entries({ text, entities, unit }).find(([, value]) => value !== undefined)?.[0];
  if (other !== undefined) {
    throw new RecordsError(
      'invalid-body',
      `markup contains its own text and entities: leave ${other} out, or send text and entities instead.`,
      { field: other },
    );
  }
  refuseNul(markup, 'markup');
  return parseMarkup(markup);
}

function checked(text: string, entities: readonly unknown[], unit: string): Content {
  refuseNul(text, 'text');
  const [problem, ...others] = validateContent(text, entities, unit);
  if (problem === undefined) {
    const inOrder = (entities as readonly Entity[]).toSorted((a, b) => a.start - b.start);
    return { text, entities: inOrder, unit: unit as Unit };
  }
  throw new RecordsError('invalid-mentions', `${problem.path}: ${problem.message}`, {
    field: problem.path,
    extra: { faults: [problem, ...others].slice(0, MOST_FAULTS) },
  });
}

/** Faults that one answer lists. */
const MOST_FAULTS = 20;

/** PostgreSQL cannot store it. */
function refuseNul(text: string, field: string): void {
  if (!text.includes('\0')) return;
  throw new RecordsError('invalid-body', `${field} contains the character U+0000, which cannot be stored.`, {
    field,
  });
}

function attachmentsOf(attachments: readonly Attachment[]): Attachment[] {
  return attachments.map(({ url, type, title }, at) => {
    const protocol = URL.parse(url)?.protocol;
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new RecordsError(
        'invalid-body',
        'The url of an attachment must be an absolute http or https URL.',
        {
          field: `attachments[${at}].url`,
        },
      );
    }
    return { url, ...(type === undefined ? {} : { type }), ...(title === undefined ? {} : { title }) };
  });
}
