// May it listen there, and is the place free? Apart from the server, so that a start that fails has loaded none of it.

import { createServer as createNetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from './access/callers/loopback.ts';

/** Where to listen. */
export interface ListenOptions {
  readonly host?: string;
  readonly port?: number;
  readonly unsafePublic?: boolean;
  /** True where callers are known by keys or JWTs: then any host will do. */
  readonly keyed?: boolean;
  /** True where other threads listen on the same port. */
  readonly isShared?: boolean;
}

/** Opens the port and gives its address. Throws where the host is public and nobody said that this is meant. */
export async function listen(app: FastifyInstance, options: ListenOptions = {}): Promise<string> {
  const { host, port } = addressOf({ ...options, keyed: options.keyed ?? !app.keyless() });
  const place = { host, port, ...(options.isShared === true && { reusePort: true }) };
  return await app.listen(place);
}

/** Throws what `listen` would throw, before there is an engine: a start that fails leaves no data directory behind. */
export async function tryListening(options: ListenOptions = {}): Promise<void> {
  const place = addressOf(options);
  const probe = createNetServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(place, () => probe.close(() => resolve()));
  });
}

function addressOf(options: ListenOptions): { host: string; port: number } {
  const host = options.host ?? '127.0.0.1';
  if (!isLoopback(host) && options.unsafePublic !== true && options.keyed !== true) {
    throw new Error(
      `refusing to listen on ${host}: there are no keys yet, so anybody who reaches it could read and delete ` +
        `everything. Make a key with octavo keys create --data DIR, listen on 127.0.0.1, or say --unsafe-public.`,
    );
  }
  return { host, port: options.port ?? 9200 };
}
