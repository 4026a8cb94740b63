// A server over its own engine, with a one-line client.

import { after } from 'node:test';
import type { Engine } from '@octavo/engine';
import type { FastifyInstance } from 'fastify';
import { createEmptyEngine } from '../src/proxy/empty-engine.ts';
import { createServer, type ServeOptions } from '../src/serve.ts';
import { followedRecords, isWrite, refreshed, testCluster } from './over-cluster.ts';
import { ownEngine } from './own-engine.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are read by tests as they expect them
  readonly body: any;
}

/** Sends `METHOD /path` with a body (objects as JSON, strings as they are). */
export type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** A server for one test file, over an empty engine that goes with it. */
export async function server(
  options: ServeOptions = {},
): Promise<{ ask: Ask; app: FastifyInstance; engine: Engine }> {
  const { engine, end } = await ownEngine();
  const served = await askOver(engine, options);
  // Behind the end of the server: these run in the order in which they were told.
  after(end);
  return served;
}

/** The same over an engine that is there already. */
export async function askOver(
  engine: Engine,
  options: ServeOptions = {},
): Promise<{ ask: Ask; app: FastifyInstance; engine: Engine }> {
  const cluster = await testCluster(engine);
  const app = await createServer(cluster === undefined ? engine : createEmptyEngine(), {
    ...(cluster === undefined ? {} : { records: await followedRecords() }),
    ...options,
    ...(cluster === undefined ? {} : { cluster }),
  });
  after(() => app.close());
  const ask: Ask = async (line, body, headers = {}) => {
    const [method = 'GET', url = '/'] = line.split(' ');
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        host: 'localhost',
        // A page of events, not the stream, which has no end.
        ...(url.startsWith('/api/events') ? { accept: 'application/json' } : {}),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    // Here writes are seen at once; a cluster shows them when it is refreshed.
    if (cluster !== undefined && isWrite(method, url) && reply.statusCode < 300) await refreshed(cluster);
    const json = String(reply.headers['content-type']).includes('json') && reply.payload !== '';
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.payload,
      body: json ? JSON.parse(reply.payload) : undefined,
    };
  };
  return { ask, app, engine };
}
