// Weak ETags over an answer's content and its caller. Page tokens are left out, since each sealing of the
// same position differs.

import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../../http/entity-tags.ts';

/**
 * A sealed token as a member's value. Quotes in a caller's string would be escaped, so nothing else matches.
 */
const TOKEN = /"(next|nextToken|prev|next_token|prev_token|as_of)":"v1\.[\w-]+\.[\w-]+"/g;

/** The weak ETag of a body for a caller. O(bytes). */
export function etagOf(body: string, principalId: string): string {
  const said = body.replace(TOKEN, '"$1":"v1"');
  return `W/"${hash('sha256', `${principalId}\n${said}`, 'base64url').slice(0, 22)}"`;
}

/**
 * Adds the tag to a successful answer, or turns it into a 304 if the caller has it. Returns the payload to
 * send.
 */
export function addEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const tag = etagOf(payload, request.principal.id);
  reply.header('etag', tag);
  reply.header('cache-control', 'private, no-cache');
  if (!matchesTag(request.headers['if-none-match'], tag)) return payload;
  reply.code(304);
  reply.removeHeader('content-type');
  reply.removeHeader('content-length');
  return null;
}
