// The keys of the server: make one with limits, see what each may do, revoke.

import type { Key, KeyGrant, NewKey } from '@octavo/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ProblemOf } from '../frame/problem.tsx';
import { useClient } from '../frame/session.ts';
import { timeText } from '../frame/time-text.ts';

export function KeyList(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<unknown>();
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['keys'] });
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['keys'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const token = pageParam === undefined ? {} : { next_token: pageParam };
      return (await client.keys.list({ limit: 50, signal, ...token }).first()).reply;
    },
    getNextPageParam: ({ next }) => next,
  });
  const revoke = (id: string): void => {
    if (window.confirm('Revoke this key? Its users are refused at once, and for good.'))
      void client.keys.revoke(id).then(refresh, setFailure);
  };
  const columns: readonly DataColumn<Key>[] = [
    { name: 'Name', value: ({ name }) => name },
    { name: 'Scopes', value: ({ scopes }) => scopes.join(', ') },
    { name: 'Indices', value: ({ index_patterns: patterns }) => patterns?.join(', ') ?? 'all' },
    {
      name: 'Rate',
      value: ({ rate }) => (rate === undefined ? '' : `${rate.quota} in ${rate.window_seconds} s`),
    },
    { name: 'Created', value: (key) => key.created_at, show: (key) => timeText(key.created_at) },
    { name: 'State', value: stateOf },
    {
      name: 'Revoke',
      value: (key) => key.revoked_at ?? '',
      show: (key) =>
        key.revoked_at === undefined ? (
          <button type="button" className="button small danger" onClick={() => revoke(key.id)}>
            Revoke
          </button>
        ) : null,
    },
  ];
  const keys = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section>
      <h2>Keys</h2>
      <ProblemOf error={error ?? failure} />
      {data !== undefined && keys.length === 0 ? (
        <p className="muted">
          There are no keys: the server answers only this machine. The first key closes it to everyone without
          one.
        </p>
      ) : null}
      {keys.length === 0 ? null : (
        <DataTable label="Keys" rows={keys} columns={columns} keyOf={({ id }) => id} />
      )}
      {hasNextPage ? (
        <button type="button" className="button" onClick={() => void fetchNextPage()}>
          More keys
        </button>
      ) : null}
      {data === undefined ? null : <KeyForm isFirst={keys.length === 0} onMade={refresh} />}
    </section>
  );
}

function stateOf({ revoked_at, expires_at }: Key): string {
  if (revoked_at !== undefined) return `revoked ${timeText(revoked_at)}`;
  if (expires_at === undefined) return 'valid';
  return `${new Date(expires_at) < new Date() ? 'expired' : 'valid until'} ${timeText(expires_at)}`;
}

function KeyForm({ isFirst, onMade }: { readonly isFirst: boolean; readonly onMade: () => void }): ReactNode {
  const client = useClient();
  const [draft, setDraft] = useState({
    name: '',
    scopes: isFirst ? '*' : 'search:read',
    patterns: '',
    quota: '',
    expires: '',
  });
  const [made, setMade] = useState<NewKey>();
  const [error, setError] = useState<unknown>();
  const run = async (): Promise<void> => {
    setError(undefined);
    const { name, scopes, patterns, quota, expires } = draft;
    const grant: KeyGrant = {
      name,
      scopes: listOf(scopes),
      ...(patterns.trim() === '' ? {} : { index_patterns: listOf(patterns) }),
      ...(quota === '' ? {} : { rate: { quota: Number(quota), window_seconds: 60 } }),
      ...(expires === '' ? {} : { expires_at: new Date(expires).toISOString() }),
    };
    try {
      setMade(await client.keys.create(grant));
      onMade();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  const names = {
    name: 'Name',
    scopes: 'Scopes',
    patterns: 'Indices (all if empty)',
    quota: 'Calls per minute',
    expires: 'Expires',
  };
  return (
    <form className="card" onSubmit={submit}>
      <h3>New key</h3>
      <div className="fields">
        {(['name', 'scopes', 'patterns', 'quota', 'expires'] as const).map((field) => (
          <label key={field}>
            {names[field]}
            <input
              value={draft[field]}
              required={field === 'name' || field === 'scopes'}
              type={field === 'quota' ? 'number' : field === 'expires' ? 'date' : 'text'}
              onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
            />
          </label>
        ))}
      </div>
      <div className="actions">
        <button type="submit" className="button primary">
          Create
        </button>
      </div>
      <ProblemOf error={error} />
      {made === undefined ? null : (
        <p className="notice" role="status">
          The secret of [{made.key.name}] is shown only now: <code className="secret">{made.encoded}</code>
        </p>
      )}
    </form>
  );
}

function listOf(text: string): string[] {
  return text
    .split(/[,\s]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
