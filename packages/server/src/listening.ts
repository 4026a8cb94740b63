// Opens the port of a server, if it may listen there. Apart from serve.ts, so that a start that fails has
// loaded nothing else.

import { createServer as createNetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from './access/callers/loopback.ts';

/** Where a server listens. */
export interface ListenOptions {
  readonly host?: string;
  readonly port?: number;
  readonly unsafePublic?: boolean;
  /** True if callers are authenticated by keys or JWTs: then any host is allowed. */
  readonly keyed?: boolean;
  /** True if other threads listen on the same port. */
  readonly isShared?: boolean;
}

/**
 * Opens the port and returns its address. Throws if the host is public while there are no keys, unless
 * `unsafePublic` is set.
 */
export async function listen(app: FastifyInstance, options: ListenOptions = {}): Promise<string> {
  const { host, port } = addressOf({ ...options, keyed: options.keyed ?? !app.keyless() });
  const place = { host, port, ...(options.isShared === true && { reusePort: true }) };
  return await app.listen(place);
}

/** Throws what `listen` would throw, before there is an engine: then a start that fails creates no data directory. */
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
      `The server does not listen on ${host}: there are no keys yet, so everyone who reaches the server could read and delete ` +
        `everything. Create a key with octavo keys create --data DIR, listen on 127.0.0.1, or give --unsafe-public.`,
    );
  }
  return { host, port: options.port ?? 9200 };
}
