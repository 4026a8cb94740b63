// What the server holds: memory by part, and the snapshots that keep deleted documents.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ProblemOf } from '../frame/problem.tsx';
import { useClient } from '../frame/session.ts';
import { timeText } from '../frame/time-text.ts';
import { bytesText } from './figures.ts';

const EVERY_MS = 5_000;

interface Stats {
  readonly indices: Readonly<
    Record<string, { readonly total: { readonly segments: { readonly memory_in_bytes: number } } }>
  >;
}

interface NodeStats {
  readonly nodes: Readonly<
    Record<string, { readonly jvm: { readonly mem: { readonly heap_used_in_bytes: number } } }>
  >;
}

interface MemoryPart {
  readonly name: string;
  readonly bytes: number;
}

/** The parts add up to `whole`, the memory of the process. */
function partsOf(stats: Stats, { nodes }: NodeStats, whole: number): MemoryPart[] {
  const indices = Object.entries(stats.indices)
    .map(([index, { total }]) => ({ name: `index ${index}`, bytes: total.segments.memory_in_bytes }))
    .sort((a, b) => b.bytes - a.bytes);
  const heap = Object.values(nodes)[0]?.jvm.mem.heap_used_in_bytes ?? 0;
  const named = [...indices, { name: 'JavaScript heap', bytes: heap }];
  const rest = whole - named.reduce((sum, { bytes }) => sum + bytes, 0);
  return [...named, { name: 'rest of the process', bytes: Math.max(0, rest) }];
}

export function MemoryParts({ whole }: { readonly whole: number }): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['memory-parts'],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }) => {
      const read = { method: 'GET', signal, safe: true } as const;
      return await Promise.all([
        client.call<Stats>({ ...read, path: '/_stats' }),
        client.call<NodeStats>({ ...read, path: '/_nodes/stats/jvm' }),
      ]);
    },
  });
  return (
    <section>
      <h2>Memory by part</h2>
      <ProblemOf error={error} />
      <ul className="parts card">
        {data === undefined
          ? null
          : partsOf(...data, whole).map(({ name, bytes }) => (
              <li key={name}>
                <span>{name}</span>
                <span className="part-bar" aria-hidden="true">
                  <span style={{ inlineSize: `${Math.min(100, (100 * bytes) / whole)}%` }} />
                </span>
                <span className="num">{bytesText(bytes)}</span>
              </li>
            ))}
      </ul>
    </section>
  );
}

interface PointInTime {
  readonly pit_id: string;
  readonly creation_time: number;
  readonly keep_alive: number;
}

const LEASE_COLUMNS: readonly DataColumn<PointInTime>[] = [
  {
    name: 'Point in time',
    value: ({ pit_id }) => pit_id,
    show: ({ pit_id }) => <code>…{pit_id.slice(-12)}</code>,
  },
  {
    name: 'Taken',
    value: ({ creation_time }) => new Date(creation_time).toISOString(),
    show: ({ creation_time }) => timeText(new Date(creation_time).toISOString()),
  },
  {
    name: 'Ends after its last use, minutes',
    value: ({ keep_alive }) => Math.round(keep_alive / 60_000),
  },
];

interface SearchStats {
  readonly indices: Readonly<
    Record<
      string,
      {
        readonly total: {
          readonly search: { readonly scroll_current: number; readonly point_in_time_current: number };
        };
      }
    >
  >;
}

interface IndexLeases {
  readonly index: string;
  readonly pits: number;
  readonly scrolls: number;
  /** Documents that were deleted or replaced and are not merged away yet: leases keep the ones that they see. */
  readonly kept: number;
}

const HELD_COLUMNS: readonly DataColumn<IndexLeases>[] = [
  { name: 'Index', value: ({ index }) => index },
  { name: 'Points in time', value: ({ pits }) => pits },
  { name: 'Scrolls', value: ({ scrolls }) => scrolls },
  { name: 'Deleted documents still kept', value: ({ kept }) => kept },
];

/** Leases, and what they hold: a deleted document stays as long as one of them can see it. */
export function Leases(): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['leases'],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }) => {
      const read = { method: 'GET', signal, safe: true } as const;
      const [{ pits = [] }, stats] = await Promise.all([
        client.call<{ pits?: PointInTime[] }>({ ...read, path: '/_search/point_in_time/_all' }),
        client.call<SearchStats & { indices: Record<string, { total: { docs: { deleted: number } } }> }>({
          ...read,
          path: '/_stats',
        }),
      ]);
      const held = Object.entries(stats.indices).map(([index, { total }]) => ({
        index,
        pits: total.search.point_in_time_current,
        scrolls: total.search.scroll_current,
        kept: total.docs.deleted,
      }));
      return { pits, held: held.filter(({ pits, scrolls }) => pits + scrolls > 0) };
    },
  });
  return (
    <section>
      <h2>Leases</h2>
      <ProblemOf error={error} />
      {data === undefined ? null : data.held.length === 0 ? (
        <p className="muted">
          No scroll and no point in time is open, so no deleted document is kept for one.
        </p>
      ) : (
        <div className="stack">
          <DataTable
            label="Leases by index"
            rows={data.held}
            columns={HELD_COLUMNS}
            keyOf={({ index }) => index}
          />
          {data.pits.length === 0 ? null : (
            <DataTable
              label="Points in time"
              rows={data.pits.slice(0, 100)}
              columns={LEASE_COLUMNS}
              keyOf={({ pit_id }) => pit_id}
            />
          )}
        </div>
      )}
    </section>
  );
}
