// May this request come in at all? In this order: is its web page named, does it come from this machine where there are
// no keys, who is it, and has the caller asked too much? The same for both surfaces; each says no in its own words.

import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '@octavo/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { leavesBody, sendProblem } from '../api/answer.ts';
import { PROBLEMS, Problem } from '../api/problem.ts';
import { asEngineError, errorBody } from '../errors/body.ts';
import { answerCors } from './cors.ts';
import { Failures } from './failures.ts';
import { refusedOrigin } from './loopback.ts';
import { ANONYMOUS, type Principal } from './principal.ts';
import { type Rate, RateLimiter, rateHeaders } from './rates.ts';
import type { Senders, Sent } from './senders.ts';

/** Who sends this request? Throws Problem (`unauthorized`) or EngineError for keys that are not valid. */
export type Authenticate = (
  request: { readonly headers: IncomingHttpHeaders },
  optional: boolean,
) => Principal | Promise<Principal>;

/** What the door goes by. */
export interface DoorRules {
  /** Web origins that may call; `*` is all. */
  readonly origins: readonly string[];
  /** True while only this machine may ask: no keys, and nobody said otherwise. */
  readonly guarded: () => boolean;
  readonly authenticate: Authenticate;
  readonly senders: Senders;
  /** For callers that have no rate of their own; undefined is no limit. */
  readonly rate: Rate | undefined;
  /** So many credentials that are not valid may come from one address. */
  readonly failures: Rate;
}

/** `/api` in any spelling that somebody between may take for it: more slashes, capitals, percent-encoded. */
const LIKE_API = /^\/+(?:a|%[46]1)(?:p|%[57]0)(?:i|%[46]9)(?:$|[/?]|%2f)/i;

/**
 * True for requests that are answered with problems. What only looks like `/api` belongs to them, though there is nothing
 * at it: it must never reach the search wire as the name of an index.
 */
export function isApiPath(url: string): boolean {
  return url === '/api' || url.startsWith('/api/') || url.startsWith('/api?') || LIKE_API.test(url);
}

/**
 * The caller of a request to the search wire that may come in without further ado: it is no web page's, no header has
 * to be set, no rate counted, and who sends it is known at once. Undefined for all others: they ring at the door.
 */
export function knownCaller(request: Sent, rules: DoorRules): Principal | undefined {
  if (rules.origins.length > 0 || rules.rate !== undefined) return undefined;
  if (rules.guarded() && refusedOrigin(request, rules.origins) !== undefined) return undefined;
  try {
    const principal = rules.authenticate(request, false);
    return principal instanceof Promise || principal.rate !== undefined ? undefined : principal;
  } catch {
    return undefined;
  }
}

/** Puts the door in front of all routes of an app. */
export function hangDoor(app: FastifyInstance, rules: DoorRules): void {
  const limiter = new RateLimiter();
  const failures = new Failures(rules.failures);
  app.addHook('onRequest', async (request, reply) => {
    request.principal = ANONYMOUS;
    if (answerCors(request, reply, rules.origins)) return reply;
    const foreign = rules.guarded() ? refusedOrigin(request.raw, rules.origins) : undefined;
    if (foreign !== undefined) return refuse(foreign, request, reply);
    try {
      const principal = rules.authenticate(request, isOpen(request));
      request.principal = principal instanceof Promise ? await principal : principal;
    } catch (thrown) {
      const failed = failures.of(request, rules.senders.of(request.raw).address, thrown, reply);
      return refuse(failed, request, reply);
    }
    const rate = request.principal.rate ?? rules.rate;
    if (rate === undefined) return undefined;
    const verdict = limiter.take(request.principal.id, costOf(request), rate, performance.now());
    reply.headers(rateHeaders(verdict, rate));
    return verdict.allowed ? undefined : refuse(tooMany(verdict.retryAfterSeconds), request, reply);
  });
}

/** Routes of the application API without a scope are for everybody: health, problems, the OpenAPI document. */
function isOpen(request: FastifyRequest): boolean {
  return (
    !request.is404 && isApiPath(request.raw.url ?? '/') && request.routeOptions.config?.scope === undefined
  );
}

function tooMany(seconds: number): Problem {
  return new Problem('rate-limited', `The quota of this caller is used up; try again in ${seconds} s.`, {
    extra: { retry_after: seconds },
  });
}

/** Requests that stand for many. */
const HEAVY = /\/_(?:bulk|msearch|mget|delete_by_query|update_by_query|reindex|forcemerge)\b/;
const HEAVY_COST = 10;

function costOf(request: FastifyRequest): number {
  const url = request.raw.url ?? '/';
  if (isApiPath(url)) return request.routeOptions.config?.cost ?? 1;
  return HEAVY.test(url) ? HEAVY_COST : 1;
}

/** Never thrown: on the search wire, an error handler would answer the request. */
function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isApiPath(request.raw.url ?? '/')) return sendProblem(thrown, request, reply);
  const error = wireError(thrown);
  if (leavesBody(request)) reply.header('connection', 'close');
  if (thrown instanceof Problem && thrown.headers !== undefined) reply.headers(thrown.headers);
  return reply.code(error.status).send(errorBody(error));
}

function wireError(thrown: unknown): EngineError {
  if (!(thrown instanceof Problem)) return asEngineError(thrown);
  const { status } = PROBLEMS[thrown.code];
  if (thrown.code === 'unauthorized') {
    return new EngineError('security_exception', thrown.message, {
      status,
      details: { header: { 'WWW-Authenticate': ['ApiKey', 'Bearer realm="octavo"'] } },
    });
  }
  const type = status === 429 ? 'rejected_execution_exception' : 'forbidden_exception';
  return new EngineError(type, thrown.message, { status });
}
