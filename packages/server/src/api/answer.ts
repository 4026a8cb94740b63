// How does a problem leave? As application/problem+json (RFC 9457) with the id of the request; what is a defect of ours
// goes to the log under that id.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, Problem, problemBody } from './problem.ts';
import { problemOf } from './thrown.ts';

/** The media type of every refusal. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Answers with the problem behind anything thrown. */
export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(thrown);
  if (problem === undefined) request.log.error({ err: thrown, reqId: request.id }, 'a request has failed');
  else if (PROBLEMS[problem.code].status === 500) request.log.error({ err: problem, reqId: request.id });
  const body = problemBody(problem, request.id);
  // What is away or too busy may be back soon (RFC 9110, 10.2.3).
  if (body.status === 503) reply.header('retry-after', '1');
  if (problem instanceof Problem && problem.headers !== undefined) reply.headers(problem.headers);
  if (leavesBody(request)) reply.header('connection', 'close');
  // Keys that later members of the chain might have set for the answer that is not given.
  reply.removeHeader('link');
  return reply
    .code(body.status)
    .header('cache-control', 'no-store')
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? String(value) : value)));
}

/** True where a body has not been read to its end: on a kept connection it would be taken for the next request. */
export function leavesBody(request: FastifyRequest): boolean {
  const { headers, complete } = request.raw;
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
