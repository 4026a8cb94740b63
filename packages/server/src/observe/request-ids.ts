// Names requests: by the sender's `X-Request-Id` if it is a plain name, else by a number of this process. The
// name appears in the answer, in problems and in the logs.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTED_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Fastify's genReqId. Names are unique across processes. */
export function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const start = randomBytes(6).toString('base64url');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && ACCEPTED_ID.test(given)) return given;
    return `${start}-${(count++).toString(36)}`;
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The pattern of the search wire's route, for metrics; empty until it is found. */
    routeName: string;
  }
}
