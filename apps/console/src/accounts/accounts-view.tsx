// Accounts: balances, the transactions of one account, transfers and holds. Money is a decimal string everywhere.

import {
  type Account,
  type Hold,
  type NewTransaction,
  newIdempotencyKey,
  type Transaction,
} from '@octavo/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { useEvents } from '../frame/live.ts';
import { ProblemOf } from '../frame/problem.tsx';
import { useRoute } from '../frame/router.ts';
import { useClient } from '../frame/session.ts';
import { timeText } from '../frame/time-text.ts';

const ACCOUNT_COLUMNS: readonly DataColumn<Account>[] = [
  {
    name: 'Account',
    value: ({ id }) => id,
    show: ({ id }) => <a href={`#/accounts/${encodeURIComponent(id)}`}>{id}</a>,
  },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Balance', value: (one) => BigInt(one.balance_minor), show: ({ balance }) => balance },
  { name: 'Held', value: ({ held_minor = '0' }) => BigInt(held_minor), show: ({ held }) => held },
  {
    name: 'Available',
    value: ({ available_minor = '0' }) => BigInt(available_minor),
    show: ({ available }) => available,
  },
];

export function AccountsView(): ReactNode {
  const { path } = useRoute();
  const queries = useQueryClient();
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['ledger'] });
  useEvents('transfer.*,hold.*,account.*', refresh);
  const client = useClient();
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['ledger', 'accounts'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const token = pageParam === undefined ? {} : { next_token: pageParam };
      return (await client.accounts.list({ limit: 100, signal, ...token }).first()).reply;
    },
    getNextPageParam: ({ next }) => next,
  });
  const accounts = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="scrolled">
      <div className="column broad">
        <header className="bar">
          <h1>Accounts</h1>
          <Verification />
        </header>
        <ProblemOf error={error} />
        {data === undefined ? null : (
          <DataTable label="Accounts" rows={accounts} columns={ACCOUNT_COLUMNS} keyOf={({ id }) => id} />
        )}
        {hasNextPage ? (
          <button type="button" className="button" onClick={() => void fetchNextPage()}>
            More accounts
          </button>
        ) : null}
        <TransferForm names={accounts.map(({ id }) => id)} onDone={refresh} />
        <Transactions account={path[1]} />
        <HoldList account={path[1]} onDone={refresh} />
      </div>
    </div>
  );
}

/** The reply of `/api/ledger/verification`. */
interface JournalReport {
  readonly transfers: number;
  readonly head: string;
  readonly findings: readonly string[];
}

function Verification(): ReactNode {
  const client = useClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      client.call<JournalReport>({ method: 'GET', path: '/api/ledger/verification', safe: true }),
  });
  const isSound = data?.findings.length === 0;
  return (
    <div className="verification">
      {data === undefined ? null : (
        <span role="status">
          <span className={isSound ? 'tag good' : 'tag bad'}>
            {isSound ? 'intact' : `${data.findings.length} findings`}
          </span>{' '}
          {data.transfers.toLocaleString('en')} transactions, head{' '}
          <code title={data.head}>{data.head.slice(0, 12)}…</code>
        </span>
      )}
      <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
        {isPending ? 'Verifying…' : 'Verify the hash chain'}
      </button>
      {isSound
        ? null
        : data?.findings.map((finding) => (
            <p key={finding} className="bad">
              {finding}
            </p>
          ))}
      <ProblemOf error={error} />
    </div>
  );
}

/** Moves or reserves money. Its key is kept until the transfer is made, so that pressing twice moves money once. */
function TransferForm({
  names,
  onDone,
}: {
  readonly names: readonly string[];
  readonly onDone: () => void;
}): ReactNode {
  const client = useClient();
  const [draft, setDraft] = useState({ from: '', to: '', money: '', reference: '' });
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState('');
  const change = (part: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...part });
    setKey(newIdempotencyKey());
    setDone('');
  };
  const run = async (how: 'transfer' | 'hold'): Promise<void> => {
    setError(undefined);
    const { from, to, money, reference } = draft;
    const body: NewTransaction = { from, to, money, ...(reference === '' ? {} : { reference }) };
    try {
      const options = { idempotencyKey };
      const made =
        how === 'transfer'
          ? await client.transactions.create(body, options)
          : await client.holds.create(body, options);
      setDone(`${how === 'transfer' ? 'Moved' : 'Reserved'} ${made.money} ${made.currency}.`);
      setKey(newIdempotencyKey());
      onDone();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run('transfer');
  };
  return (
    <form className="card" onSubmit={submit}>
      <h2>Move money</h2>
      <div className="fields">
        {(['from', 'to', 'money', 'reference'] as const).map((name) => (
          <label key={name}>
            {{ from: 'From', to: 'To', money: 'Amount', reference: 'Reference' }[name]}
            <input
              value={draft[name]}
              required={name !== 'reference'}
              inputMode={name === 'money' ? 'decimal' : 'text'}
              list={name === 'from' || name === 'to' ? 'account-names' : undefined}
              onChange={(event) => change({ [name]: event.target.value })}
            />
          </label>
        ))}
        <datalist id="account-names">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <div className="actions">
        <button type="submit" className="button primary">
          Transfer
        </button>
        <button type="button" className="button" onClick={() => void run('hold')}>
          Reserve
        </button>
        <span className="muted">Idempotency key {idempotencyKey.slice(0, 8)}…</span>
        {done === '' ? null : <span role="status">{done}</span>}
      </div>
      <ProblemOf error={error} />
    </form>
  );
}

const TRANSACTION_COLUMNS: readonly DataColumn<Transaction>[] = [
  { name: 'Time', value: (one) => one.created_at, show: (one) => timeText(one.created_at) },
  { name: 'Kind', value: ({ kind }) => kind },
  { name: 'From', value: ({ from }) => from },
  { name: 'To', value: ({ to }) => to },
  {
    name: 'Amount',
    value: (one) => BigInt(one.money_minor),
    show: ({ money, currency }) => `${money} ${currency}`,
  },
  { name: 'Reference', value: ({ reference }) => reference ?? '' },
];

function Transactions({ account }: { readonly account: string | undefined }): ReactNode {
  const client = useClient();
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['ledger', 'transactions', account],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const token = pageParam === undefined ? {} : { next_token: pageParam };
      const of = account === undefined ? {} : { account };
      return (await client.transactions.list({ limit: 25, signal, ...of, ...token }).first()).reply;
    },
    getNextPageParam: ({ next }) => next,
  });
  return (
    <section>
      <h2>{account === undefined ? 'Transactions' : `Transactions of ${account}`}</h2>
      {account === undefined ? null : <a href="#/accounts">Show those of all accounts</a>}
      <ProblemOf error={error} />
      {data === undefined ? null : (
        <DataTable
          label="Transactions"
          rows={data.pages.flatMap(({ items }) => items)}
          columns={TRANSACTION_COLUMNS}
          keyOf={({ id }) => id}
        />
      )}
      {hasNextPage ? (
        <button type="button" className="button" onClick={() => void fetchNextPage()}>
          Older transactions
        </button>
      ) : null}
    </section>
  );
}

function HoldList({
  account,
  onDone,
}: {
  readonly account: string | undefined;
  readonly onDone: () => void;
}): ReactNode {
  const client = useClient();
  const [failure, setFailure] = useState<unknown>();
  const { data, error } = useQuery({
    queryKey: ['ledger', 'holds', account],
    queryFn: async ({ signal }) =>
      await client.call<{ items: Hold[] }>({
        ...{ method: 'GET', path: '/api/holds', signal, safe: true },
        query: { status: 'pending', limit: 50, account },
      }),
  });
  const end = (how: 'post' | 'void', id: string): void => {
    setFailure(undefined);
    const work = how === 'post' ? client.holds.post(id) : client.holds.void(id);
    void work.then(onDone, setFailure);
  };
  if (data?.items.length === 0) return null;
  return (
    <section>
      <h2>Pending holds</h2>
      <ProblemOf error={error ?? failure} />
      <ul className="lines">
        {data?.items.map(({ id, from, to, money, currency }) => (
          <li key={id}>
            {money} {currency} from {from} to {to}
            <button type="button" className="button" onClick={() => end('post', id)}>
              Post
            </button>
            <button type="button" className="button" onClick={() => end('void', id)}>
              Void
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
