// The figures of the server over time, read every two seconds.

import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { authorization, SERVER } from '../frame/session.ts';
import { type FigurePoint, pointBetween, type Reading, readMetrics } from './figures.ts';
import { type RouteTimes, routeTimes } from './slow-routes.ts';

const EVERY_MS = 2_000;
/** Points that are drawn: five minutes. */
const MOST_POINTS = 150;

export function useFigures(): {
  readonly newest: Reading | undefined;
  readonly points: readonly FigurePoint[];
  readonly routes: readonly RouteTimes[];
  readonly error: unknown;
} {
  const last = useRef<Reading>(undefined);
  const points = useRef<readonly FigurePoint[]>([]);
  const { data, error } = useQuery({
    queryKey: ['figures'],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }) => {
      const reply = await fetch(`${SERVER}/api/metrics`, { headers: authorization(), signal });
      if (!reply.ok) throw new Error('The metrics are shown to keys with the scope admin:read.');
      const text = await reply.text();
      const reading = readMetrics(text, Date.now() / 1_000);
      if (last.current !== undefined)
        points.current = [...points.current, pointBetween(last.current, reading)].slice(-MOST_POINTS);
      last.current = reading;
      return { reading, routes: routeTimes(text) };
    },
  });
  return {
    newest: data?.reading,
    points: points.current,
    routes: data?.routes ?? [],
    error: error ?? undefined,
  };
}
