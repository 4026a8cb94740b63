// Has the caller seen this answer already? A weak ETag over what the answer says and whom it was said to; page tokens
// do not count, as the same position is sealed anew each time.

import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A sealed token as the value of a key: inside a string of the caller the quotes would be escaped. */
const TOKEN = /"(next|prev|next_token|prev_token|as_of)":"v1\.[\w-]+\.[\w-]+"/g;

/** The weak ETag of a body for a caller. O(bytes). */
export function etagOf(body: string, principalId: string): string {
  const said = body.replace(TOKEN, '"$1":"v1"');
  return `W/"${hash('sha256', `${principalId}\n${said}`, 'base64url').slice(0, 22)}"`;
}

/** True where `If-None-Match` names the tag (weak comparison, RFC 9110, 8.8.3.2). */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque);
}

/** Adds the tag to a successful answer and empties it where the caller has it. Returns what is to be sent. */
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
