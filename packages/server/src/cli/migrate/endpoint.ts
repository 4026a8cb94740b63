// The ends of a move: a server by its address (Octavo, OpenSearch, Elasticsearch), or an unused data
// directory, which is then served to this process only. Both are accessed over the search wire.

import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, parseJson } from '@octavo/engine';
import type { FastifyInstance } from 'fastify';
import { EXIT, Failure, systemReason } from '../failure.ts';
import { type HttpAnswer, HttpClient, refusalReason } from '../io/http-client.ts';
import { openEngine, requireDataDirectory } from '../open-stores.ts';

/** One end of a move. */
export interface Endpoint {
  /** Its name for people, without credentials. */
  readonly name: string;
  readonly kind: 'octavo' | 'cluster';
  /** One exchange. Temporary failures (overload, nobody listening) are retried for half a minute. */
  send(method: string, path: string, body?: Buffer | string, type?: string): Promise<HttpAnswer>;
  /** The same; an error answer is a Failure. */
  request(method: string, path: string, body?: Buffer | string, type?: string): Promise<Buffer>;
  close(): Promise<void>;
}

interface EndpointOptions {
  /** Selects its flags: `--from-key`, `--to-key`. */
  readonly role: 'from' | 'to';
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Creates nothing: a missing directory counts as an empty one. */
  readonly dryRun?: boolean | undefined;
}

/** True for an address, false for a directory. */
function isAddress(endpoint: string): boolean {
  return /^https?:\/\//i.test(endpoint);
}

/** The scheme before `://`; undefined for a directory. */
export function schemeOf(endpoint: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(endpoint)?.[1];
}

/** The name without credentials, to be printed and stored. */
export function endpointName(endpoint: string): string {
  if (!isAddress(endpoint) || !URL.canParse(endpoint)) return endpoint;
  const url = new URL(endpoint);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Throws Failure if it cannot be used. */
export async function openEndpoint(endpoint: string, options: EndpointOptions): Promise<Endpoint> {
  if (/^postgres(ql)?:/i.test(endpoint)) {
    const cure = `for records in PostgreSQL use --records-${options.role}.`;
    throw new Failure(
      `--${options.role} takes a data directory or the http(s):// address of a server; ${cure}`,
      EXIT.usage,
    );
  }
  const scheme = schemeOf(endpoint);
  if (scheme !== undefined && !isAddress(endpoint))
    throw new Failure(
      `--${options.role}: the scheme ${scheme}:// is unknown; give a data directory or the http(s):// address of a server.`,
      EXIT.usage,
    );
  return isAddress(endpoint) ? await openServer(endpoint, options) : await openDirectory(endpoint, options);
}

const TRIES = 9;
const FIRST_PAUSE_MS = 100;
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

async function openServer(address: string, { role, key, headers }: EndpointOptions): Promise<Endpoint> {
  if (!URL.canParse(address)) throw new Failure(`--${role} is not an address.`, EXIT.usage);
  const url = new URL(address);
  const sent: Record<string, string> = { ...headers };
  if (key !== undefined) sent['authorization'] = `ApiKey ${key}`;
  else if (url.username !== '') {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    sent['authorization'] = `Basic ${Buffer.from(user).toString('base64')}`;
  }
  const name = endpointName(address);
  const client = new HttpClient(name, sent, { cure: `Is --${role} correct, and is the server running?` });
  const first = await client.send('GET', '/');
  if (first.status >= 400) {
    client.close();
    const cure =
      first.status === 401 || first.status === 403 ? ` Give --${role}-key or --${role}-header.` : '';
    throw new Failure(`${name} refused: ${refusalReason(first)}.${cure}`);
  }
  const health = await client.send('GET', '/api/health');
  const kind = health.status === 200 && health.body.includes('"live"') ? 'octavo' : 'cluster';
  if (kind === 'octavo') await requireDocuments(client, name, role);
  return createEndpoint(client, name, kind, async () => client.close());
}

/** A server over a cluster shows it as one index of one shard, which cannot be walked by sequence numbers. */
async function requireDocuments(client: HttpClient, name: string, role: string): Promise<void> {
  const { body } = await client.send('GET', '/api/health/ready');
  if (!body.includes('"cluster"')) return;
  client.close();
  throw new Failure(`${name} has its documents in a cluster: give the cluster itself, --${role} https://….`);
}

async function openDirectory(dir: string, { role, dryRun }: EndpointOptions): Promise<Endpoint> {
  if (role === 'from') requireDataDirectory(dir);
  const folder = mkdtempSync(join(tmpdir(), 'octavo-migrate-'));
  chmodSync(folder, 0o700);
  const data = dryRun === true && !existsSync(dir) ? join(folder, 'data') : dir;
  const engine = await openEngine(data).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    if (!(error instanceof Failure) || !error.message.includes('in use by')) throw error;
    throw new Failure(
      `${error.message.replace(/; stop it first.*$/, '')}. Stop it, or give the address of its server: --${role} http://127.0.0.1:9200`,
    );
  });
  let app: FastifyInstance | undefined;
  const close = async (): Promise<void> => {
    await app?.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { createServer } = await import('../../serve.ts');
    // Only this process reaches the socket.
    app = await createServer(engine, { unsafePublic: true });
    const socketPath = join(folder, 'wire');
    await app.listen({ path: socketPath });
    const client = new HttpClient('http://localhost', {}, { socketPath });
    return createEndpoint(client, dir, 'octavo', async () => {
      client.close();
      await close();
    });
  } catch (error) {
    await close();
    throw new Failure(`${dir} cannot be served: ${systemReason(error)}.`);
  }
}

function createEndpoint(
  client: HttpClient,
  name: string,
  kind: Endpoint['kind'],
  close: () => Promise<void>,
): Endpoint {
  const send: Endpoint['send'] = async (...request) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await client.send(...request);
        if (!TEMPORARY.has(answer.status) || attempt === TRIES) return answer;
      } catch (error) {
        if (attempt === TRIES) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  };
  return {
    name,
    kind,
    send,
    async request(method, path, body, type) {
      const answer = await send(method, path, body, type);
      if (answer.status >= 400)
        throw new Failure(`${name} refused ${method} ${path}: ${refusalReason(answer)}`);
      return answer.body;
    },
    close,
  };
}

/**
 * True if both have a node in common; false if one does not report its nodes. A server has many names
 * (localhost, 127.0.0.1, a proxy's) and a cluster many nodes, so addresses are not compared.
 */
export async function isSameEndpoint(a: Endpoint, b: Endpoint): Promise<boolean> {
  const [some, others] = await Promise.all([nodesOf(a), nodesOf(b)]);
  return some.some((id) => others.includes(id));
}

/** Node ids, which are globally unique. */
async function nodesOf(endpoint: Endpoint): Promise<string[]> {
  const { status, body } = await endpoint.send('GET', '/_nodes/_all/http?filter_path=nodes.*.name');
  if (status !== 200) return [];
  const answer = parseJson(body);
  const nodes = isObject(answer) ? answer['nodes'] : undefined;
  return isObject(nodes) ? Object.keys(nodes) : [];
}
