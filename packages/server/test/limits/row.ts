// A row of the test of limits: a server with a small limit refuses a request beyond it, or acts as the limit
// says.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { LimitName } from '../../src/limits.ts';
import { listen, type ServeOptions } from '../../src/serve.ts';
import { type Answer, type Ask, server } from '../ask.ts';

/** Shows that a limit acts. */
export type Row = (t: TestContext) => Promise<void>;

/** Rows by the name of their limit. */
export type Rows<Names extends LimitName> = Readonly<Record<Names, Row>>;

/** What a server is asked under some limits. */
export async function under(
  limits: Partial<Record<LimitName, number>>,
  options: ServeOptions = {},
): ReturnType<typeof server> {
  return await server({ ...options, limits });
}

/** The same over sockets. */
export async function listening(
  limits: Partial<Record<LimitName, number>>,
  options: ServeOptions = {},
): Promise<{ ask: Ask; port: number; app: Awaited<ReturnType<typeof server>>['app'] }> {
  const { ask, app } = await under(limits, options);
  await listen(app, { port: 0 });
  return { ask, app, port: (app.server.address() as AddressInfo).port };
}

/** An answer that refuses, by its status and by what its text says. */
export function refused(answer: Answer, status: number, says: RegExp): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.text, says);
}

/** An answer that does not. */
export function taken(answer: Answer): Answer {
  assert.ok(answer.status < 300, answer.text);
  return answer;
}

/** What is to happen from time to time, by its period: to be called when a test wants it. */
export function periods(t: TestContext): Map<number, () => void> {
  const found = new Map<number, () => void>();
  const real = setInterval;
  t.mock.method(globalThis, 'setInterval', (call: () => void, ms: number) => {
    found.set(ms, call);
    return real(call, ms);
  });
  return found;
}
