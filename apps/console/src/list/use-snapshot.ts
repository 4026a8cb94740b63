// The snapshot of a list: taken when the list opens, kept while it is looked at, replaced when the reader asks for the newest state.

import { OctavoError } from '@octavo/client';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { noteFailure } from '../frame/session.ts';
import { countIn, countNow, openSnapshot } from './snapshot.ts';

/** How often the list looks for what has arrived. */
const LOOK_MS = 2_000;

interface Snapshot {
  readonly id: string | undefined;
  /** When it was taken; undefined if a link brought it. */
  readonly takenAt: Date | undefined;
  readonly total: number | undefined;
  /** How many more documents match now; negative if there are fewer. */
  readonly arrived: number;
  readonly error: unknown;
  /** True if the snapshot of the link was gone, so that this is another one. */
  readonly wasGone: boolean;
  readonly renew: () => void;
}

/** True for the answer to a snapshot that has expired, was closed, or belongs to another key. */
export function isGone(error: unknown): boolean {
  return (
    error instanceof OctavoError &&
    (error.status === 404 || error.status === 403) &&
    /search_context_missing|security|forbidden|illegal_argument/.test(error.code)
  );
}

export function useSnapshot(
  index: string,
  query: object,
  given: string | undefined,
  onTaken: (id: string) => void,
): Snapshot {
  const [takenAt, setTakenAt] = useState<Date>();
  const [error, setError] = useState<unknown>();
  const [wasGone, setWasGone] = useState(false);
  const [wish, setWish] = useState(0);
  useEffect(() => {
    if (given !== undefined) return;
    const request = new AbortController();
    setError(undefined);
    openSnapshot(index, request.signal).then(
      (id) => {
        setTakenAt(new Date());
        onTaken(id);
      },
      (failure: unknown) => {
        if (request.signal.aborted) return;
        noteFailure(failure);
        setError(failure);
      },
    );
    return () => request.abort();
  }, [index, given, wish, onTaken]);

  const total = useQuery({
    queryKey: ['list-total', given, query],
    queryFn: ({ signal }) => countIn(given ?? '', query, signal),
    enabled: given !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const now = useQuery({
    queryKey: ['list-now', index, query],
    queryFn: ({ signal }) => countNow(index, query, signal),
    enabled: total.data !== undefined,
    refetchInterval: LOOK_MS,
  });
  const gone = isGone(total.error);
  useEffect(() => {
    if (!gone) return;
    setWasGone(true);
    onTaken('');
  }, [gone, onTaken]);

  const renew = useCallback(() => {
    setWasGone(false);
    onTaken('');
    setWish((count) => count + 1);
  }, [onTaken]);
  return {
    id: given,
    takenAt,
    total: total.data,
    arrived: total.data === undefined || now.data === undefined ? 0 : now.data - total.data,
    error: error ?? (gone ? undefined : total.error),
    wasGone,
    renew,
  };
}
