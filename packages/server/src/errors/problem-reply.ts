// Sends problems as application/problem+json (RFC 9457) with the request id. Defects of ours are logged under
// that id.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { MOVED_RETRY_SECONDS, PROBLEMS, Problem, problemBody } from './problem.ts';
import { toProblem } from './to-problem.ts';

/** The media type of every refusal. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

interface ProblemReply {
  readonly status: number;
  /** In addition to those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The reply for anything thrown; logs defects of ours. */
export function problemReply(
  thrown: unknown,
  requestId: string,
  log: Pick<FastifyBaseLogger, 'error'>,
  mount = '',
): ProblemReply {
  const problem = toProblem(thrown);
  if (problem === undefined) log.error({ err: thrown, reqId: requestId }, 'a request has failed');
  else if (PROBLEMS[problem.code].status === 500) log.error({ err: problem, reqId: requestId });
  const body = problemBody(problem, requestId, mount);
  // An unavailable store may be back soon (RFC 9110, 10.2.3).
  const seconds = body.code === 'records-moved' ? MOVED_RETRY_SECONDS : '1';
  const soon = body.status === 503 ? { 'retry-after': seconds } : {};
  return {
    status: body.status,
    headers: { ...soon, ...(problem instanceof Problem ? problem.headers : {}) },
    body: JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  };
}

/** Replies with the problem for anything thrown. */
export function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  mount: string = request.mount,
): FastifyReply {
  const { status, headers, body } = problemReply(thrown, request.id, request.log, mount);
  reply.headers(headers);
  if (hasUnreadBody(request)) reply.header('connection', 'close');
  // Set for the answer that is not sent now.
  reply.removeHeader('link');
  return reply.code(status).header('cache-control', 'no-store').type(PROBLEM_TYPE).send(body);
}

/**
 * True if the body was not read to its end: on a kept connection the rest would be taken for the next
 * request.
 */
export function hasUnreadBody(request: FastifyRequest): boolean {
  const { headers, complete } = request.raw;
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
