// The time limit of a request: 503 `timeout` instead of the answer. The work continues, and its result is
// dropped.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../errors/problem.ts';
import { sendProblem } from '../../errors/problem-reply.ts';

/** Sends a timeout if the handler takes too long. */
export function startTimeLimit(request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (!reply.sent) sendProblem(timeoutProblem(request.method, milliseconds), request, reply);
  }, milliseconds);
  timer.unref();
  reply.raw.once('close', () => clearTimeout(timer));
}

/** The problem; a write may still complete. */
function timeoutProblem(method: string, milliseconds: number): Problem {
  const again =
    method === 'GET' || method === 'HEAD'
      ? 'Try again later.'
      : 'The write may still complete: repeat it with the same Idempotency-Key to learn the result.';
  return new Problem('timeout', `There was no answer within ${milliseconds} ms. ${again}`);
}
