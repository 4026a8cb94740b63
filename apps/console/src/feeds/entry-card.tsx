// One post or message, with its mentions, and the form that changes it.

import { type Entries, type Entry, OctavoError } from '@octavo/client';
import { toMarkup } from '@octavo/mention';
import { MentionText } from '@octavo/mention/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ProblemOf } from '../frame/problem.tsx';
import { timeText } from '../frame/time-text.ts';

const COMPONENTS = {
  user: ({ children }: { readonly children: string }) => <span className="mention">{children}</span>,
  topic: ({ children }: { readonly children: string }) => <span className="mention topic">{children}</span>,
  link: ({ children, href }: { readonly children: string; readonly href?: string }) => (
    <a href={href} rel="noreferrer" target="_blank">
      {children}
    </a>
  ),
};

interface EntryCardProps {
  readonly entry: Entry;
  readonly entries: Entries<Entry>;
  readonly onChanged: () => void;
}

export function EntryCard({ entry, entries, onChanged }: EntryCardProps): ReactNode {
  const [isEditing, setEditing] = useState(false);
  const [error, setError] = useState<unknown>();
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setError(undefined);
    try {
      await work();
      setEditing(false);
      onChanged();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <article className="entry" data-id={entry.id}>
      <header>
        <span className="avatar" aria-hidden="true" style={{ background: colorOf(entry.author) }}>
          {entry.author.slice(0, 1).toUpperCase()}
        </span>
        <strong>{entry.author}</strong>
        <time dateTime={entry.created_at} title={entry.created_at}>
          {timeText(entry.created_at)}
        </time>
        {entry.updated_at === entry.created_at ? null : <span className="muted">edited</span>}
        <span className="entry-actions">
          <button type="button" className="button quiet" onClick={() => setEditing(!isEditing)}>
            Edit
          </button>
          <button
            type="button"
            className="button quiet"
            onClick={() => window.confirm('Delete this entry?') && void act(() => entries.delete(entry.id))}
          >
            Delete
          </button>
        </span>
      </header>
      {isEditing ? (
        <EditForm
          markup={toMarkup(entry)}
          onSave={(markup) => void act(() => entries.edit(entry.id, { markup }))}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p>
          <MentionText item={entry} components={COMPONENTS} />
        </p>
      )}
      <ProblemOf error={error instanceof OctavoError || error === undefined ? error : String(error)} />
    </article>
  );
}

function EditForm({
  markup,
  onSave,
  onCancel,
}: {
  readonly markup: string;
  readonly onSave: (markup: string) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [text, setText] = useState(markup);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSave(text);
  };
  return (
    <form className="compose" onSubmit={submit}>
      <textarea aria-label="Text, as markup" value={text} onChange={(event) => setText(event.target.value)} />
      <div className="actions">
        <button type="submit" className="button primary">
          Save
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** A colour of its own for each author. */
function colorOf(name: string): string {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.codePointAt(0)!) % 360;
  return `hsl(${hash} 45% 38%)`;
}
