// Events of the server while a view is open.

import { useEffect, useRef, useState } from 'react';
import { useClient } from './session.ts';

/** Calls back for each event of these types (comma-separated, stars allowed). Returns whether the stream is open. */
export function useEvents(
  types: string,
  onEvent: (type: string, subject: string | undefined) => void,
): boolean {
  const client = useClient();
  const [isOpen, setOpen] = useState(true);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      try {
        for await (const { type, subject } of client.events({ signal: abort.signal, params: { types } }))
          latest.current(type, subject);
      } catch {
        // A key without the right to read events sees no live changes; the view still works.
        if (!abort.signal.aborted) setOpen(false);
      }
    };
    void follow();
    return () => abort.abort();
  }, [client, types]);
  return isOpen;
}
