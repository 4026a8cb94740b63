// The connection to the server that the page came from, and the key of its reader. The key stays in this tab (sessionStorage); the API
// alone decides what it may do.

import { OctavoClient, OctavoError } from '@octavo/client';
import { useSyncExternalStore } from 'react';

const STORED = 'octavo.key';

/** The address of the server, with its base path: what comes before `/_console`. */
export const SERVER: string = location.origin + location.pathname.replace(/\/_console(?:\/.*)?$/, '');

/** Who reads, and whether the server wants to know. */
interface Session {
  readonly client: OctavoClient;
  readonly key: string | undefined;
  /** Why the server asks for a key; undefined while it does not. */
  readonly demand: string | undefined;
}

const listeners = new Set<() => void>();
let session = sessionWith(sessionStorage.getItem(STORED) ?? undefined);

function sessionWith(key: string | undefined): Session {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: authorizationOf(key) };
  return { client: new OctavoClient({ url: SERVER, retries: 1, headers }), key, demand: undefined };
}

/** Tokens of keys and JWTs are bearer tokens; any other text is the encoded form of a key. */
export function authorizationOf(key: string): string {
  return key.startsWith('octavo_') || /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key)
    ? `Bearer ${key}`
    : `ApiKey ${key}`;
}

function announce(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** The client of this session. */
export function client(): OctavoClient {
  return session.client;
}

/** The header that a request made without the client needs. */
export function authorization(): Readonly<Record<string, string>> {
  return session.key === undefined ? {} : { authorization: authorizationOf(session.key) };
}

export function useClient(): OctavoClient {
  return useSession().client;
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

/** Uses another key from now on; undefined forgets it. */
export function enterKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, key);
  announce(sessionWith(key));
}

/** Asks the reader for a key, or for another one. */
export function askForKey(demand: string): void {
  if (session.demand !== demand) announce({ ...session, demand });
}

export function dismissDemand(): void {
  announce({ ...session, demand: undefined });
}

/** Every failed call passes here: a key that is missing or refused makes the page ask for one. */
export function noteFailure(error: unknown): void {
  if (error instanceof OctavoError && error.status === 401)
    askForKey(
      session.key === undefined
        ? 'This server answers with a key only.'
        : 'The server does not accept this key. It may be revoked or expired.',
    );
}
