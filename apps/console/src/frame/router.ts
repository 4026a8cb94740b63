// The address of a view, which is the fragment of the page's address: path and parameters. It never reaches the server, and works below
// any base path. An example is `#/list/books?sort=year:desc&at=1204`.

import { useSyncExternalStore } from 'react';

/** A view and its parameters. */
export interface Route {
  /** Decoded parts of the path: `['list', 'books']`. */
  readonly path: readonly string[];
  readonly params: URLSearchParams;
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decodePart), params: new URLSearchParams(query) };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function hrefOf(path: readonly string[], params?: URLSearchParams | Record<string, string>): string {
  const query = new URLSearchParams(params).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}

const listeners = new Set<() => void>();
let current = parseRoute(location.hash);

addEventListener('hashchange', announce);

function announce(): void {
  current = parseRoute(location.hash);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, () => current);
}

/** Goes to a view. `replace` adds no entry to the history of the browser. */
export function navigate(href: string, replace = false): void {
  if (href === location.hash) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  announce();
}

/** Changes parameters of the current view; undefined or an empty text removes one. */
export function setParams(changes: Readonly<Record<string, string | undefined>>, replace = false): void {
  const params = new URLSearchParams(current.params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  navigate(hrefOf(current.path, params), replace);
}
