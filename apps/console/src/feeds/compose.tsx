// The form that posts an entry. Repeating it after a lost answer posts nothing twice: the key stays until it has worked.

import { type Entries, type Entry, newIdempotencyKey } from '@octavo/client';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ProblemOf } from '../frame/problem.tsx';

const STORED_AUTHOR = 'octavo.author';

export function useAuthor(): [author: string, setAuthor: (author: string) => void] {
  const [author, setAuthor] = useState(() => localStorage.getItem(STORED_AUTHOR) ?? 'ada');
  const store = (next: string): void => {
    localStorage.setItem(STORED_AUTHOR, next);
    setAuthor(next);
  };
  return [author, store];
}

export function Compose({
  entries,
  author,
  onPosted,
}: {
  readonly entries: Entries<Entry>;
  readonly author: string;
  readonly onPosted: () => void;
}): ReactNode {
  const [markup, setMarkup] = useState('');
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);
  const [error, setError] = useState<unknown>();
  const post = async (): Promise<void> => {
    setError(undefined);
    try {
      await entries.post({ author, markup } as never, { idempotencyKey });
      setMarkup('');
      setKey(newIdempotencyKey());
      onPosted();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (markup.trim() !== '' && author !== '') void post();
  };
  return (
    <form className="compose" onSubmit={submit}>
      <textarea
        aria-label="Text, as markup"
        placeholder={`Write as ${author}. <user username="grace">Grace</user> mentions somebody.`}
        value={markup}
        onChange={(event) => {
          setMarkup(event.target.value);
          setKey(newIdempotencyKey());
        }}
      />
      <div className="actions">
        <button type="submit" className="button primary" disabled={markup.trim() === ''}>
          Post
        </button>
      </div>
      <ProblemOf error={error} />
    </form>
  );
}
