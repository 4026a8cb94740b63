// Admission of requests, the same for both surfaces (`/api`, search wire) and for lanes and Fastify. In this order:
//
// - web origins (Fastify only)
// - whether the server has started
// - local requests only, while there are no keys
// - authentication
// - rate limits
//
// Each surface prints refusals in its own format.

import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '@octavo/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asEngineError, errorBody } from '../errors/error-body.ts';
import { PROBLEMS, Problem, serverStarting } from '../errors/problem.ts';
import { hasUnreadBody, sendProblem } from '../errors/problem-reply.ts';
import type { Incoming } from '../http/exchange.ts';
import { CONSOLE_PATH } from '../http/request-target.ts';
import { chain, type MaybePromise, rescue } from '../sync-first.ts';
import { answerCors } from './callers/cors.ts';
import { refuseNonLocal } from './callers/loopback.ts';
import { ANONYMOUS, type Principal } from './callers/principal.ts';
import type { SenderResolver } from './callers/sender-resolver.ts';
import { AuthFailures } from './limits/auth-failures.ts';
import { type Rate, RateLimiter, rateHeaders } from './limits/rate-limiter.ts';

/** Authenticates a request. Throws Problem (`unauthorized`) or EngineError for invalid credentials. */
export type Authenticate = (
  request: { readonly headers: IncomingHttpHeaders },
  optional: boolean,
) => Principal | Promise<Principal>;

/** The rules of a server. */
interface AdmissionRules {
  /** Web origins that may call; `*` allows all. */
  readonly origins: readonly string[];
  /** True while only this machine may call: there are no keys, and --unsafe-public is not set. */
  readonly isLocalOnly: () => boolean;
  /** What the server is still loading, as a sentence; undefined once it has started. */
  readonly starting?: (() => string | undefined) | undefined;
  readonly authenticate: Authenticate;
  readonly senders: SenderResolver;
  /** For callers without a rate of their own; undefined for no limit. */
  readonly rate: Rate | undefined;
  /** How many invalid credentials one address may send. */
  readonly authFailures: Rate;
}

/** `/api` in any spelling that a proxy may treat as `/api`: more slashes, capitals, an escaped slash. */
const LOOKS_LIKE_API = /^\/+api(?:$|[/?]|%2f)/i;

/**
 * True for requests that are answered with problems, by their normalized path. A path that only looks like `/api` is one: it must never
 * reach the search wire as the name of an index.
 */
export function isApiPath(url: string): boolean {
  return (
    url === '/api' ||
    url.startsWith('/api/') ||
    url.startsWith('/api?') ||
    LOOKS_LIKE_API.test(url) ||
    isConsolePath(url)
  );
}

/** The console is no index either: no name of one starts with an underscore. */
function isConsolePath(url: string): boolean {
  return url.startsWith(CONSOLE_PATH) && /^(?:$|[/?])/.test(url.slice(CONSOLE_PATH.length));
}

/** The outcome of admission. */
export interface Admission {
  readonly principal: Principal;
  /** The refusal; undefined if the request is admitted. */
  readonly refusal?: unknown;
  /** Headers to add to any answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Admits or refuses every request of a server. */
export class AdmissionControl {
  readonly rules: AdmissionRules;
  readonly #limiter = new RateLimiter();
  readonly #authFailures: AuthFailures;

  constructor(rules: AdmissionRules) {
    this.rules = rules;
    this.#authFailures = new AuthFailures(rules.authFailures);
  }

  /**
   * Decides synchronously if the caller can be authenticated so. `isOpen` admits requests without
   * credentials. `cost` is taken from the caller's rate; by default it depends on the path.
   */
  admit(
    request: Incoming & { readonly url?: string | undefined },
    isOpen: boolean = false,
    cost: number = costOf(request.url ?? '/'),
  ): MaybePromise<Admission> {
    const { starting, isLocalOnly, origins, authenticate, senders } = this.rules;
    const progress = isOpen ? undefined : starting?.();
    if (progress !== undefined) return { principal: ANONYMOUS, refusal: serverStarting(progress) };
    const foreign = isLocalOnly() ? refuseNonLocal(request, origins) : undefined;
    if (foreign !== undefined) return { principal: ANONYMOUS, refusal: foreign };
    return rescue(
      () => chain(authenticate(request, isOpen), (principal) => this.#applyRate(principal, cost)),
      (thrown) => {
        const refusal = this.#authFailures.limit(request, senders.resolve(request).address, thrown);
        return { principal: ANONYMOUS, refusal };
      },
    );
  }

  #applyRate(principal: Principal, cost: number): Admission {
    const rate = principal.rate ?? this.rules.rate;
    if (rate === undefined) return { principal };
    const verdict = this.#limiter.take(principal.id, cost, rate, performance.now());
    const headers = rateHeaders(verdict, rate);
    return verdict.allowed
      ? { principal, headers }
      : { principal, headers, refusal: rateLimited(verdict.retryAfterSeconds) };
  }
}

/** Runs admission before all routes of an app. */
export function registerAdmission(app: FastifyInstance, control: AdmissionControl): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.principal = ANONYMOUS;
    if (answerCors(request, reply, control.rules.origins)) return;
    const { url = '/' } = request.raw;
    const cost = isApiPath(url) ? (request.routeOptions.config?.cost ?? 1) : undefined;
    const admission = control.admit(request.raw, isOpen(request), cost);
    void chain(admission, ({ principal, refusal, headers }) => {
      request.principal = principal;
      if (headers !== undefined) reply.headers(headers);
      if (refusal === undefined) done();
      else refuse(refusal, request, reply);
    });
  });
}

/** API routes without a scope are open to everybody: health, problems, the OpenAPI document. */
function isOpen(request: FastifyRequest): boolean {
  return (
    !request.is404 && isApiPath(request.raw.url ?? '/') && request.routeOptions.config?.scope === undefined
  );
}

function rateLimited(seconds: number): Problem {
  return new Problem('rate-limited', `The quota of this caller is used up; try again in ${seconds} s.`, {
    extra: { retry_after: seconds },
  });
}

/** Requests that contain many operations. */
const HEAVY = /\/_(?:bulk|msearch|mget|delete_by_query|update_by_query|reindex|forcemerge)\b/;
const HEAVY_COST = 10;

function costOf(url: string): number {
  return HEAVY.test(url) ? HEAVY_COST : 1;
}

/** Answers in the format of the surface. Sends instead of throwing: on the search wire an error handler would answer otherwise. */
export function refuse(refusal: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isApiPath(request.raw.url ?? '/')) return sendProblem(refusal, request, reply);
  const { status, headers, body } = refusalReply(refusal);
  if (hasUnreadBody(request)) reply.header('connection', 'close');
  return reply.code(status).headers(headers).send(body);
}

/** A refusal in the format of the search wire. */
export function refusalReply(refusal: unknown): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReturnType<typeof errorBody>;
} {
  const error = asWireError(refusal);
  const own = refusal instanceof Problem ? refusal.headers : undefined;
  const headers = { ...own, 'content-type': 'application/json; charset=utf-8' };
  return { status: error.status, headers, body: errorBody(error) };
}

function asWireError(thrown: unknown): EngineError {
  if (!(thrown instanceof Problem)) return asEngineError(thrown);
  const { status } = PROBLEMS[thrown.code];
  if (thrown.code === 'unauthorized') {
    return new EngineError('security_exception', thrown.message, {
      status,
      details: { header: { 'WWW-Authenticate': ['ApiKey', 'Bearer realm="octavo"'] } },
    });
  }
  const type =
    status === 429
      ? 'rejected_execution_exception'
      : status === 503
        ? 'cluster_block_exception'
        : 'forbidden_exception';
  return new EngineError(type, thrown.message, { status });
}
