// The request log: one line of JSON (pino) per request with id, path, status and time. Never a header, a
// body, or the query string of a transfer.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Sender } from '../access/callers/sender-resolver.ts';

/** From quiet to loud; from `info` on, one line per request. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogStream {
  write(line: string): void;
}

/** Fastify's logger option. Secrets are redacted, should a header ever get into a line. */
export function loggerOptions(level: LogLevel = 'error', stream: LogStream = process.stderr): object {
  const secrets = ['authorization', 'cookie', 'idempotency-key'];
  return {
    level,
    stream,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: secrets.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]),
      censor: '[secret]',
    },
  };
}

/** An answered request. */
interface RequestLogLine {
  readonly id: string;
  readonly method: string;
  /** Path and query string without secrets. */
  readonly url: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly caller: string | undefined;
  readonly sender: Sender;
}

/** True if requests are logged. */
export function logsRequests({ level }: FastifyBaseLogger): boolean {
  return level === 'info' || level === 'debug';
}

/** Logs an answered request. */
export function logRequest(log: FastifyBaseLogger, line: RequestLogLine): void {
  const { id, method, url, status, milliseconds, caller, sender } = line;
  const { address: client, scheme } = sender;
  const ms = Math.round(milliseconds * 10) / 10;
  log.info(
    { reqId: id, method, path: loggedPath(url, false), status, ms, caller, client, scheme },
    'answered',
  );
}

/** The log line of a request answered by Fastify. */
export function logLineOf(request: FastifyRequest, reply: FastifyReply, sender: Sender): RequestLogLine {
  return {
    id: request.id,
    method: request.method,
    url: loggedPath(request.raw.url ?? '/', request.routeOptions.config?.secretQuery === true),
    status: reply.statusCode,
    milliseconds: reply.elapsedTime,
    caller: request.principal?.id,
    sender,
  };
}

/** The path with its query string; a secret one is left out: amounts and accounts stay private. */
function loggedPath(url: string, secretQuery: boolean): string {
  const queryAt = url.indexOf('?');
  if (queryAt < 0) return url;
  const path = url.slice(0, queryAt);
  // Also by name: for an unsupported method there is no route to ask.
  return secretQuery || /transaction/i.test(unescaped(path)) ? `${path}?[secret]` : url;
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return 'transaction';
  }
}
