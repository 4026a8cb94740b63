// `Link` headers (RFC 8288) to neighbouring pages, as relative references that hold behind any proxy: the
// requested path and parameters with some replaced.

import type { FastifyReply, FastifyRequest } from 'fastify';

/** Parameters to replace; undefined removes one. */
type LinkParams = Readonly<Record<string, string | number | undefined>>;

/** Pages by relation; undefined if there is none. */
export type Links = { readonly [relation in 'next' | 'prev' | 'first' | 'last']?: LinkParams | undefined };

/** Sets the header if there are neighbours. */
export function setLinks(request: FastifyRequest, reply: FastifyReply, links: Links): void {
  const value = linkHeader(request.mount + (request.raw.url ?? '/'), links);
  if (value !== undefined) reply.header('link', value);
}

/** `</api/newsfeed?limit=20&max_id=0198…>; rel="next"`. */
export function linkHeader(url: string, links: Links): string | undefined {
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const parts: string[] = [];
  for (const [relation, changes] of Object.entries(links)) {
    if (changes === undefined) continue;
    const params = new URLSearchParams(queryAt < 0 ? '' : url.slice(queryAt + 1));
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) params.delete(name);
      else params.set(name, String(value));
    }
    const query = params.toString();
    parts.push(`<${path}${query === '' ? '' : `?${query}`}>; rel="${relation}"`);
  }
  return parts.length === 0 ? undefined : parts.join(', ');
}
