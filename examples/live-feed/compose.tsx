// The form that posts. `@` and the first letters of a name suggest users; a typed name that exists becomes a mention.

import type { OctavoClient, User } from '@octavo/client';
import { detectMentions } from '@octavo/mention';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';

interface ComposeProps {
  readonly octavo: OctavoClient;
  readonly author: string;
  readonly onPosted: () => void;
}

export function Compose({ octavo, author, onPosted }: ComposeProps) {
  const [users, setUsers] = useState<readonly User[]>([]);
  const [text, setText] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  // Repeating a post with the same key makes no second one, also if the first reply was lost.
  const key = useRef(crypto.randomUUID());
  const loadUsers = useCallback(
    async () => setUsers(await octavo.users.list({ limit: 100 }).toArray()),
    [octavo],
  );
  useEffect(() => void loadUsers(), [loadUsers]);

  const typed = /@([\w.-]*)$/.exec(text)?.[1];
  const suggestions = typed === undefined ? [] : users.filter(({ username }) => username.startsWith(typed));
  const complete = (username: string): void => {
    setText(`${text.slice(0, text.length - (typed ?? '').length)}${username} `);
    input.current?.focus();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const content = detectMentions(text, ({ kind, name }) => {
      if (kind === 'topic') return {};
      const user = users.find(({ username }) => username === name);
      return user && { username: user.username, id: user.id };
    });
    await octavo.feed.post({ author, ...content }, { idempotencyKey: key.current });
    key.current = crypto.randomUUID();
    setText('');
    onPosted();
  };
  return (
    <form onSubmit={submit}>
      <textarea
        ref={input}
        aria-label="New post"
        placeholder="What is new? @name mentions a user, #word a topic"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onFocus={loadUsers}
      />
      {suggestions.map(({ id, username }) => (
        <button key={id} type="button" className="suggestion" onClick={() => complete(username)}>
          @{username}
        </button>
      ))}
      <button type="submit" disabled={text.trim() === ''}>
        Post
      </button>
    </form>
  );
}
