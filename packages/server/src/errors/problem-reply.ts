// How does a problem leave? As application/problem+json (RFC 9457) with the id of the request; what is a defect of ours
// goes to the log under that id.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { MOVED_RETRY_SECONDS, PROBLEMS, Problem, problemBody } from './problem.ts';
import { toProblem } from './to-problem.ts';

/** The media type of every refusal. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A refusal as it leaves. */
export interface ProblemReply {
  readonly status: number;
  /** Beside those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is said of anything thrown; defects of ours are written to the log. */
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
  // What is away or too busy may be back soon (RFC 9110, 10.2.3).
  const seconds = body.code === 'records-moved' ? MOVED_RETRY_SECONDS : '1';
  const soon = body.status === 503 ? { 'retry-after': seconds } : {};
  return {
    status: body.status,
    headers: { ...soon, ...(problem instanceof Problem ? problem.headers : {}) },
    body: JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  };
}

/** Answers with the problem behind anything thrown. */
export function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  mount: string = request.mount,
): FastifyReply {
  const { status, headers, body } = problemReply(thrown, request.id, request.log, mount);
  reply.headers(headers);
  if (hasUnreadBody(request)) reply.header('connection', 'close');
  // Keys that later members of the chain might have set for the answer that is not given.
  reply.removeHeader('link');
  return reply.code(status).header('cache-control', 'no-store').type(PROBLEM_TYPE).send(body);
}

/** True where a body has not been read to its end: on a kept connection it would be taken for the next request. */
export function hasUnreadBody(request: FastifyRequest): boolean {
  const { headers, complete } = request.raw;
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
