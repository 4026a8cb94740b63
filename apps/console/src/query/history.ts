// The last requests of the query editor, kept by the browser.

import type { ConsoleRequest } from './console-request.ts';

const STORED = 'octavo.history';
const MOST = 50;

export function readHistory(): readonly ConsoleRequest[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRequest) : [];
  } catch {
    return [];
  }
}

/** Puts a request first. */
export function remember(request: ConsoleRequest): readonly ConsoleRequest[] {
  const same = JSON.stringify(request);
  const history = [request, ...readHistory().filter((one) => JSON.stringify(one) !== same)].slice(0, MOST);
  try {
    localStorage.setItem(STORED, JSON.stringify(history));
  } catch {
    // A full or forbidden storage costs the history, not the answer.
  }
  return history;
}

function isRequest(one: unknown): one is ConsoleRequest {
  if (typeof one !== 'object' || one === null) return false;
  const { method, path, body } = one as Record<string, unknown>;
  return [method, path, body].every((part) => typeof part === 'string');
}
