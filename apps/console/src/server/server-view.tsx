// The server: its figures as they change, indices, events, keys and a backup.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { useEvents } from '../frame/live.ts';
import { ProblemOf } from '../frame/problem.tsx';
import { authorization, SERVER, useClient, useSession } from '../frame/session.ts';
import { download } from '../list/export-list.ts';
import { type IndexRow, useIndices } from '../list/index-picker.tsx';
import { Chart } from './chart.tsx';
import { bytesText } from './figures.ts';
import { Leases, MemoryParts } from './holdings.tsx';
import { KeyList } from './key-list.tsx';
import type { RouteTimes } from './slow-routes.ts';
import { useFigures } from './use-figures.ts';

export function ServerView(): ReactNode {
  return (
    <div className="scrolled">
      <div className="column broad">
        <header className="bar">
          <h1>Server</h1>
          <Identity />
          <span className="bar-space" />
          <BackupButton />
        </header>
        <Figures />
        <Leases />
        <KeyList />
        <RecentEvents />
      </div>
    </div>
  );
}

function Identity(): ReactNode {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['identity'],
    queryFn: async ({ signal }) =>
      await client.call<{ name: string; cluster_name: string; version: { number: string } }>({
        ...{ method: 'GET', path: '/', signal, safe: true },
      }),
  });
  return data === undefined ? null : (
    <span className="muted">
      {data.cluster_name} · {data.name} · protocol {data.version.number}
    </span>
  );
}

function Figures(): ReactNode {
  const { newest, points, routes, error } = useFigures();
  if (error !== undefined)
    return (
      <>
        <ProblemOf error={error} />
        <Indices />
      </>
    );
  return (
    <>
      <section aria-label="Figures">
        <dl className="figures">
          <Figure name="Documents" value={newest?.documents?.toLocaleString('en')} />
          <Figure name="Commit" value={newest?.commit?.toLocaleString('en')} />
          <Figure name="Memory" value={newest?.memory === undefined ? undefined : bytesText(newest.memory)} />
          <Figure name="Connections" value={newest?.connections?.toLocaleString('en')} />
          <Figure
            name="Event loop, p99"
            value={newest?.lag === undefined ? undefined : `${(1_000 * newest.lag).toFixed(1)} ms`}
          />
        </dl>
        <div className="charts">
          <Chart title="Requests per second" points={points} of="requestRate" />
          <Chart title="Commits per second" points={points} of="commitRate" />
          <Chart title="CPU, cores" points={points} of="cpu" />
        </div>
      </section>
      <Indices />
      {newest?.memory === undefined ? null : <MemoryParts whole={newest.memory} />}
      <section>
        <h2>Slow requests</h2>
        <DataTable
          label="Slow requests"
          rows={routes.slice(0, SHOWN_ROUTES)}
          columns={ROUTE_COLUMNS}
          keyOf={({ route }) => route}
        />
      </section>
    </>
  );
}

const SHOWN_ROUTES = 12;

const ROUTE_COLUMNS: readonly DataColumn<RouteTimes>[] = [
  { name: 'Route', value: ({ route }) => route, show: ({ route }) => <code>{route}</code> },
  { name: 'Requests', value: ({ count }) => count, show: ({ count }) => count.toLocaleString('en') },
  {
    name: 'Mean',
    value: ({ meanMs }) => meanMs,
    show: ({ meanMs }) => `${meanMs.toFixed(meanMs < 10 ? 2 : 0)} ms`,
  },
  {
    name: '99 % within',
    value: ({ p99Ms }) => p99Ms,
    show: ({ p99Ms }) => (
      <span className={p99Ms >= 1_000 ? 'tag bad' : p99Ms >= 100 ? 'tag warn' : 'tag'}>
        {Number.isFinite(p99Ms) ? `${p99Ms.toLocaleString('en')} ms` : 'more'}
      </span>
    ),
  },
];

function Figure({ name, value }: { readonly name: string; readonly value: string | undefined }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? '…'}</dd>
    </div>
  );
}

const INDEX_COLUMNS: readonly DataColumn<IndexRow>[] = [
  {
    name: 'Index',
    value: ({ index }) => index,
    show: ({ index }) => <a href={`#/list/${encodeURIComponent(index)}`}>{index}</a>,
  },
  { name: 'State', value: ({ status }) => status },
  {
    name: 'Documents',
    value: (row) => Number(row['docs.count']),
    show: (row) => Number(row['docs.count']).toLocaleString('en'),
  },
  {
    name: 'Deleted, not merged yet',
    value: (row) => Number(row['docs.deleted']),
    show: (row) => Number(row['docs.deleted']).toLocaleString('en'),
  },
  {
    name: 'On disk',
    value: (row) => Number(row['store.size']),
    show: (row) => bytesText(Number(row['store.size'])),
  },
];

function Indices(): ReactNode {
  const { data, error } = useIndices();
  return (
    <section>
      <h2>Indices</h2>
      <ProblemOf error={error} />
      {data === undefined ? null : (
        <DataTable label="Indices" rows={data} columns={INDEX_COLUMNS} keyOf={({ index }) => index} />
      )}
    </section>
  );
}

/** The newest come first; older ones are dropped. */
const MOST_EVENTS = 50;

function RecentEvents(): ReactNode {
  const [events, setEvents] = useState<
    readonly { number: number; time: string; type: string; subject: string }[]
  >([]);
  const isOpen = useEvents('*', (type, subject = '') =>
    setEvents((before) => {
      const number = (before[0]?.number ?? 0) + 1;
      return [{ number, time: new Date().toLocaleTimeString('en-GB'), type, subject }, ...before].slice(
        0,
        MOST_EVENTS,
      );
    }),
  );
  return (
    <section>
      <h2>Events</h2>
      {isOpen ? null : <p className="notice">This key may not follow events.</p>}
      {events.length === 0 ? (
        <p className="muted">Changes are shown here as they happen.</p>
      ) : (
        <ul className="lines events">
          {events.map(({ number, time, type, subject }) => (
            <li key={number}>
              <time>{time}</time> <b>{type.replace('octavo.', '')}</b> {subject}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The archive is streamed to the disk by the browser; a key is sent along if the page has one. */
function BackupButton(): ReactNode {
  const { key } = useSession();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  if (key === undefined)
    return (
      <a className="button" href={`${SERVER}/api/backup`} download="octavo-backup.tar">
        Download a backup
      </a>
    );
  const run = async (): Promise<void> => {
    setError(undefined);
    setRunning(true);
    try {
      const reply = await fetch(`${SERVER}/api/backup`, { headers: authorization() });
      if (!reply.ok)
        throw new Error(((await reply.json()) as { detail?: string }).detail ?? `status ${reply.status}`);
      download('octavo-backup.tar', await reply.blob());
    } catch (thrown) {
      setError(thrown);
    } finally {
      setRunning(false);
    }
  };
  return (
    <>
      <button type="button" className="button" disabled={isRunning} onClick={() => void run()}>
        {isRunning ? 'Backing up…' : 'Download a backup'}
      </button>
      <ProblemOf error={error} />
    </>
  );
}
