// What is a caller told whose request takes too long? 503 `timeout` at its time, in the place of the answer; what the
// work comes to then has nobody to go to.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../errors/problem.ts';
import { sendProblem } from '../../errors/problem-reply.ts';

/** Answers in the place of a handler that takes too long. */
export function startTimeLimit(request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (!reply.sent) sendProblem(timeoutProblem(request.method, milliseconds), request, reply);
  }, milliseconds);
  timer.unref();
  reply.raw.once('close', () => clearTimeout(timer));
}

/** What is said then: a write may happen yet. */
export function timeoutProblem(method: string, milliseconds: number): Problem {
  const again =
    method === 'GET' || method === 'HEAD'
      ? 'Try again later.'
      : 'It may happen yet: send it again with the same Idempotency-Key to learn what came of it.';
  return new Problem('timeout', `There was no answer within ${milliseconds} ms. ${again}`);
}
