// `octavo serve`: opens the data directory, listens, loads the demo if requested, and on Ctrl-C finishes
// running requests before it closes the data directory.

import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Server as TlsServer } from 'node:tls';
import type { Engine } from '@octavo/engine';
import type { Records, RecordsNote } from '@octavo/records';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { FastifyInstance } from 'fastify';
import { parseOrigin } from '../../access/callers/cors.ts';
import { FORWARDING, type Forwarding } from '../../access/callers/forwarded.ts';
import { parseBasePath } from '../../access/callers/sender-resolver.ts';
import { parseTrustedProxies } from '../../access/callers/trusted-proxies.ts';
import type { JwtOptions } from '../../access/jwt/jwt-verifier.ts';
import { parseRate, type Rate } from '../../access/limits/rate-limiter.ts';
import { LIMITS, type LimitName } from '../../limits.ts';
import { LOG_LEVELS, type LogLevel } from '../../observe/request-log.ts';
import { type RecordsNotes, readRecordsNote } from '../../records-notes.ts';
import type { ReadingThreads } from '../../threads/reading-threads.ts';
import { type ClusterFlagValues, clusterFlags, readClusterFlags } from '../cluster-flags.ts';
import { EXIT, Failure, systemReason } from '../failure.ts';
import {
  byteSize,
  collectList,
  flag,
  parseUrl,
  quietFlag,
  recordsFlag,
  recordsRecoveryFlags,
  switchFlag,
  wholeNumber,
} from '../flags.ts';
import { elapsedSeconds } from '../io/progress.ts';
import {
  hasUnusedRecords,
  openEngine,
  openRecordsAt,
  openStoredSettings,
  startRecordsNotes,
} from '../open-stores.ts';
import { tuneHeap } from '../process/heap.ts';
import { listenForInterrupts, waitForAbort } from '../process/interrupt.ts';
import { readTls, watchTlsFiles } from '../process/tls.ts';
import { lowerV8Priority } from '../process/v8-threads.ts';

interface ServeFlags extends ClusterFlagValues {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly records?: string;
  readonly acceptRecords?: boolean;
  readonly newRecords?: boolean;
  readonly threads: number;
  readonly memory?: number;
  readonly demo?: boolean;
  readonly compat: 'opensearch' | 'elasticsearch';
  readonly corsOrigin?: string[];
  readonly unsafePublic?: boolean;
  readonly refuseUnsealed?: boolean;
  readonly reindexFrom?: string[];
  readonly requireIdempotencyKeys?: boolean;
  readonly clusterName: string;
  readonly nodeName: string;
  readonly limit?: Partial<Record<LimitName, number>>;
  readonly rate?: Rate;
  readonly logLevel: LogLevel;
  readonly quiet?: boolean;
  readonly webhookAllowPrivate?: boolean;
  readonly config?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly trustProxy?: string[];
  readonly proxyHeader: Forwarding;
  readonly basePath?: string;
  readonly jwtJwks?: string;
  readonly jwtIssuer?: string;
  readonly jwtAudience?: string;
  readonly jwtScopeClaim?: string;
}

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Serve a data directory over HTTP.')
    .addOption(flag('--host <address>', 'the address to listen on', '127.0.0.1'))
    .addOption(flag('--port <n>', 'the port; 0 picks a free one', 9200).argParser(wholeNumber(0, 65535)))
    .addOption(flag('--data <dir>', 'the data directory, created if missing', 'data'))
    .addOption(recordsFlag('feeds, chats, accounts, keys and events'));
  for (const option of [...recordsRecoveryFlags(), ...clusterFlags()]) command.addOption(option);
  return command
    .addOption(
      flag('--threads <n>', 'threads that serve requests: one for writes, the others for reads', 1).argParser(
        wholeNumber(1, 256),
      ),
    )
    .addOption(
      flag(
        '--memory <size>',
        'the memory for documents, such as 4g; an eighth of it is for sources (default: no limit)',
      ).argParser(byteSize),
    )
    .addOption(switchFlag('--demo', 'load the synsets of WordNet into the index wordnet'))
    .addOption(
      new Option('--compat <product>', 'the product that clients expect: its version, media types and errors')
        .choices(['opensearch', 'elasticsearch'])
        .default('opensearch')
        .env('OCTAVO_COMPAT'),
    )
    .addOption(
      flag(
        '--cors-origin <origins>',
        'web origins whose pages may call, such as https://app.example.com, or * for all (repeatable)',
      ).argParser(collectOrigins),
    )
    .addOption(switchFlag('--unsafe-public', 'listen on a public address even without keys'))
    .addOption(switchFlag('--refuse-unsealed', 'refuse page tokens that a client built itself'))
    .addOption(
      flag(
        '--reindex-from <hosts>',
        'servers that _reindex may read from, such as 10.0.0.5:9200 or es-*:9200 (repeatable)',
      ).argParser(collectList),
    )
    .addOption(switchFlag('--require-idempotency-keys', 'refuse transactions without an Idempotency-Key'))
    .addOption(switchFlag('--webhook-allow-private', 'let webhooks call this machine and private networks'))
    .addOption(flag('--cluster-name <name>', 'the cluster name that GET / shows', 'octavo'))
    .addOption(flag('--node-name <name>', 'the name of this node', 'octavo-1'))
    .addOption(
      flag(
        '--limit <name=n>',
        'change a limit, such as pageSize=50000 (repeatable); docs/reference/limits.md lists all',
      ).argParser(collectLimits),
    )
    .addOption(
      flag(
        '--rate <cost/seconds>',
        'the rate limit of a caller whose key has none: a cost per seconds, such as 6000/60 (default: none)',
      ).argParser(parseRateFlag),
    )
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr, as JSON lines; info logs every request')
        .choices(LOG_LEVELS)
        .default('error')
        .env('OCTAVO_LOG_LEVEL'),
    )
    .addOption(
      flag('--jwt-jwks <url>', 'accept JWTs signed by the keys published at this URL').argParser(parseUrl),
    )
    .addOption(flag('--jwt-issuer <issuer>', 'the required issuer of JWTs (claim iss)'))
    .addOption(flag('--jwt-audience <audience>', 'the required audience of JWTs (claim aud)'))
    .addOption(flag('--jwt-scope-claim <name>', 'the claim with the scopes of a JWT', 'scope'))
    .addOption(
      flag(
        '--tls-cert <file>',
        'serve HTTPS with this certificate chain (PEM); a renewed file is read again',
      ),
    )
    .addOption(flag('--tls-key <file>', 'the private key of the certificate (PEM)'))
    .addOption(
      flag(
        '--trust-proxy <who>',
        'proxies to trust: addresses, networks, loopback, private, or the number of proxies (repeatable)',
      ).argParser(collectProxies),
    )
    .addOption(
      new Option('--proxy-header <kind>', 'the headers that these proxies set: X-Forwarded-* or Forwarded')
        .choices(FORWARDING)
        .default('x-forwarded')
        .env('OCTAVO_PROXY_HEADER'),
    )
    .addOption(
      flag('--base-path <path>', 'serve everything below this path, such as /octavo').argParser(
        parseBasePathFlag,
      ),
    )
    .addOption(
      flag(
        '--config <file>',
        'a YAML file with flags by their long names; the command line and the environment take precedence',
      ),
    )
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .hook('preAction', async (command) => {
      const file: unknown = command.opts()['config'];
      if (typeof file === 'string') (await import('../config.ts')).readConfig(command, file);
    })
    .action(runServe);
}

const EXAMPLES = `
The first Ctrl-C (or SIGTERM) lets running requests finish and closes the data directory. A second one exits immediately and
loses no acknowledged write.

Examples:
  octavo serve --demo                                    an index, a feed, a chat and accounts to try
  octavo serve --data /var/lib/octavo --port 9201
  PGPASSWORD=... octavo serve --records postgres://octavo@db.internal/octavo
  OCTAVO_DOCUMENTS_PASSWORD=... octavo serve --documents https://node1:9200,https://node2:9200 --documents-user octavo
  OCTAVO_DATA=/var/lib/octavo octavo serve --compat elasticsearch --limit pageSize=50000`;

const COMPILE_CACHE_MS = 10_000;

async function runServe(flags: ServeFlags): Promise<void> {
  const interrupted = listenForInterrupts();
  const say = flags.quiet === true ? () => {} : (line: string) => process.stderr.write(`${line}\n`);
  tuneHeap(flags.memory !== undefined, say);
  lowerV8Priority();
  const place = { host: flags.host, port: flags.port, unsafePublic: flags.unsafePublic === true };
  // If there may be keys, they decide once they are loaded.
  const mayHaveKeys = ['records.db', 'catalog'].some((name) => existsSync(join(flags.data, name)));
  const keyed = flags.jwtJwks !== undefined || flags.records !== undefined || mayHaveKeys;
  const jwt = jwtOf(flags);
  const tls = readTls(flags);
  const address = readClusterFlags(flags);
  if (address !== undefined && flags.demo === true)
    throw new Failure('--demo needs the embedded store, not a cluster.', EXIT.usage);
  if (address !== undefined && flags.memory !== undefined)
    throw new Failure('--memory limits the embedded store, not a cluster.', EXIT.usage);
  const threads = await prepareReadingThreads(flags, tls !== undefined, say);
  // Threads read documents and open the records while this thread links the rest of the server.
  const reading = Promise.withResolvers<void>();
  const documents = sayIfSlow(openDocuments(reading.resolve), `opening ${flags.data}`, say);
  void documents.catch(() => {}).finally(reading.resolve);
  await reading.promise;
  const found = Promise.withResolvers<RecordsNote | undefined>();
  const opening = openRecordsAt(flags, found.promise);
  opening.catch(() => {});
  const giveUp = async (error: unknown): Promise<never> => {
    found.reject(error);
    await opening.catch(() => {});
    throw error;
  };
  // An installation with a file missing must end, not wait with an open data directory.
  const serving = await import('../../serve.ts').catch(async (error: unknown) => {
    await (await documents.catch(() => undefined))?.close();
    return await giveUp(error);
  });
  const engine = await documents.catch(giveUp);
  let records: Records | undefined;
  let notes: RecordsNotes | undefined;
  let server: FastifyInstance | undefined;
  let readers: ReadingThreads | undefined;
  let unfollow = (): void => {};
  let starting = flags.demo === true ? 'The demo is being loaded.' : undefined;
  try {
    if (hasUnusedRecords(flags))
      say(`octavo: ${join(flags.data, 'records.db')} is not used, because of --records.`);
    found.resolve(readRecordsNote(engine.settings));
    records = await opening;
    notes = await startRecordsNotes(engine.settings, records, flags);
    const cluster = address === undefined ? undefined : await serving.openCluster(address, flags.limit);
    server = await serving.createServer(engine, {
      compat: flags.compat,
      clusterName: flags.clusterName,
      nodeName: flags.nodeName,
      corsOrigins: flags.corsOrigin ?? [],
      unsafePublic: place.unsafePublic,
      openTokens: flags.refuseUnsealed !== true,
      reindexFrom: flags.reindexFrom ?? [],
      requireIdempotencyKeys: flags.requireIdempotencyKeys === true,
      limits: flags.limit ?? {},
      cluster,
      records,
      notes,
      jwt,
      webhookAllowPrivate: flags.webhookAllowPrivate === true,
      rate: flags.rate,
      logLevel: flags.logLevel,
      tls,
      trust: parseTrustedProxies(flags.trustProxy ?? []),
      forwarding: flags.proxyHeader,
      basePath: flags.basePath,
      starting: () => starting,
    });
    if (tls !== undefined) unfollow = watchTlsFiles(server.server as unknown as TlsServer, flags, say);
    const app = server;
    const { connections } = app.threadHost.limits;
    const wanted = flags.limit?.connections ?? LIMITS.connections.value;
    if (connections < wanted)
      say(
        `octavo: the limit of open files leaves room for ${connections} connections, not ${wanted}; raise it with ulimit -n`,
      );
    const listening = await startListening(place, () =>
      serving.listen(app, { ...place, isShared: threads !== undefined }),
    );
    const startThreads = async (): Promise<ReadingThreads | undefined> =>
      threads &&
      (await startListening(place, () =>
        threads.start(app, engine, {
          count: flags.threads - 1,
          trust: flags.trustProxy ?? [],
          senders: { forwarding: flags.proxyHeader, basePath: flags.basePath },
          unsafePublic: place.unsafePublic,
          memoryBytes: threads.memoryBytes && Math.floor(threads.memoryBytes / (flags.threads - 1)),
          onDeath: (error) =>
            process.stderr.write(`octavo: a reading thread has died, the others continue: ${error}\n`),
        }),
      ));
    // Reading threads do not know that the server is still starting.
    if (flags.demo !== true) readers = await startThreads();
    const at = listening + (flags.basePath ?? '');
    // On stdout and in this form, so that a script can wait for it.
    const documents =
      address === undefined ? '' : `, documents in ${address.nodes.map((n) => n.host).join()}`;
    // Then the directory contains nothing and is not created.
    const isElsewhere = address !== undefined && flags.records !== undefined;
    const data = isElsewhere ? 'records in PostgreSQL' : `data in ${flags.data}`;
    process.stdout.write(`Octavo listens on ${at} (${data}${documents})\n`);
    // Flushed for the next start, however this one ends; delayed until the hottest functions are compiled as
    // well.
    setTimeout(flushCompileCache, COMPILE_CACHE_MS).unref();
    if (flags.demo === true) {
      const { loadDemo } = await import('./demo.ts');
      await loadDemo(engine, records, at, {
        quiet: flags.quiet === true,
        signal: interrupted.signal,
        onProgress: (progress) => {
          starting = progress;
        },
      });
      if (!interrupted.signal.aborted) readers = await startThreads();
      starting = undefined;
    }
    await waitForAbort(interrupted.signal);
    say('octavo: finishing running requests (Ctrl-C again to exit immediately)');
  } finally {
    unfollow();
    await readers?.close();
    await server?.close();
    await notes?.close();
    await records?.close();
    await engine.close();
    interrupted.stop();
  }
  say('octavo: closed');

  async function openDocuments(onReading: () => void): Promise<Engine> {
    const { tryListening } = await import('../../listening.ts');
    await startListening(place, () => tryListening({ ...place, keyed }));
    if (address !== undefined) {
      const { createEmptyEngine } = await import('../../proxy/empty-engine.ts');
      return createEmptyEngine(
        flags.records === undefined ? await openStoredSettings(flags.data) : undefined,
      );
    }
    const memoryBytes = flags.memory && flags.memory - (threads?.memoryBytes ?? 0);
    return await openEngine(flags.data, {
      compat: flags.compat,
      ...(memoryBytes !== undefined && { memoryBytes }),
      allowReplicas: threads !== undefined,
      onReading,
    });
  }
}

/** The share of a limited memory for all reading threads together. */
const READING_SHARE = 0.25;

/** How to start reading threads, if there are to be any; prints the reason if there cannot be. */
async function prepareReadingThreads(
  { threads, records, documents, memory }: ServeFlags,
  hasTls: boolean,
  say: (line: string) => void,
): Promise<{ start: typeof ReadingThreads.start; memoryBytes: number | undefined } | undefined> {
  if (threads === 1) return undefined;
  const { singleThreadReason, ReadingThreads } = await import('../../threads/reading-threads.ts');
  const why = singleThreadReason({
    hasCluster: documents !== undefined,
    hasTls,
    sharesRecords: records !== undefined,
  });
  if (why === undefined)
    return {
      start: (app, engine, options) => ReadingThreads.start(app, engine, options),
      memoryBytes: memory && Math.floor(memory * READING_SHARE),
    };
  say(`octavo: serving with 1 thread, not ${threads}: ${why}.`);
  return undefined;
}

/** Issuer and audience are required: otherwise any token of the same keys would be accepted. */
function jwtOf(flags: ServeFlags): JwtOptions | undefined {
  const { jwtJwks: jwks, jwtIssuer: issuer, jwtAudience: audience, jwtScopeClaim: scopeClaim } = flags;
  if (jwks === undefined && issuer === undefined && audience === undefined) return undefined;
  if (jwks === undefined || issuer === undefined || audience === undefined) {
    throw new Failure('--jwt-jwks, --jwt-issuer and --jwt-audience must be given together.', EXIT.usage);
  }
  return { jwks, issuer, audience, ...(scopeClaim === undefined ? {} : { scopeClaim }) };
}

/** How often slow work of a start is reported. */
const SLOW_MS = 1_000;

/** Says that work goes on, and for how long, once a second. */
async function sayIfSlow<T>(work: Promise<T>, what: string, say: (line: string) => void): Promise<T> {
  const started = performance.now();
  const timer = setInterval(() => say(`octavo: ${what}, ${elapsedSeconds(started)} s`), SLOW_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

async function startListening<T>(
  { host, port }: { readonly host: string; readonly port: number },
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Failure((error as Error).message);
    const cure =
      code === 'EADDRINUSE'
        ? ` Is another server running? Use another port, such as --port ${port + 1}.`
        : '';
    throw new Failure(`Cannot listen on ${host}, port ${port}: ${systemReason(error)}.${cure}`);
  }
}

function parseRateFlag(text: string): Rate {
  const parsed = parseRate(text);
  if (parsed === undefined) {
    throw new InvalidArgumentError('A rate is a cost per number of seconds, such as 6000/60.');
  }
  return parsed;
}

/** Kept as text once it parses: the meaning depends on all entries. */
function collectProxies(text: string, before: string[] | undefined): string[] {
  const all = collectList(text, before);
  parseArgument(() => parseTrustedProxies(all));
  return all;
}

function collectOrigins(text: string, before: string[] | undefined): string[] {
  return [
    ...(before ?? []),
    ...collectList(text, undefined).map((each) => parseArgument(() => parseOrigin(each))),
  ];
}

function parseBasePathFlag(text: string): string {
  return parseArgument(() => parseBasePath(text));
}

function parseArgument<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

function collectLimits(
  text: string,
  before: Partial<Record<LimitName, number>> | undefined,
): Partial<Record<LimitName, number>> {
  const limits = { ...before };
  for (const part of collectList(text, undefined)) {
    const [name = '', value] = part.split('=', 2);
    if (!Object.hasOwn(LIMITS, name)) {
      throw new InvalidArgumentError(`Unknown limit ${name}; limits are ${Object.keys(LIMITS).join(', ')}.`);
    }
    if (value === undefined) throw new InvalidArgumentError(`Give a value: ${name}=N.`);
    // A timer cannot be longer; only the age of events is measured without one.
    const { unit, most = 1e15 - 1 } = LIMITS[name as LimitName];
    const isTimer = unit === 'ms' && name !== 'eventsAgeMs';
    limits[name as LimitName] = wholeNumber(1, isTimer ? LONGEST_TIMER_MS : most)(value);
  }
  return limits;
}
