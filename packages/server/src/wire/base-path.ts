// Is this request for us, where everything is below one path? Behind it, nothing knows of the path but what prints links.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEM_TYPE } from '../api/answer.ts';
import { Problem, problemBody } from '../api/problem.ts';
import type { TakePlain } from '../lane/request.ts';

const SLASH = 47;
const QUESTION = 63;

/** `/octavo/api/x?y` as `/api/x?y`; undefined for what lies outside. `base` has no slash at its end. */
export function innerUrl(url: string, base: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  if (url.length === base.length) return '/';
  const next = url.charCodeAt(base.length);
  if (next === SLASH) return url.slice(base.length);
  return next === QUESTION ? `/${url.slice(base.length)}` : undefined;
}

/** The same who answer, for what is asked below a path; what lies outside they do not take. */
export function plainBelow(plain: TakePlain, base: string): TakePlain {
  return {
    awaits: (head) => {
      const target = innerUrl(head.target, base);
      return target !== undefined && plain.awaits({ ...head, target });
    },
    take: (request, asker) => {
      const target = innerUrl(request.target, base);
      return target !== undefined && plain.take({ ...request, target }, asker);
    },
  };
}

/** Says that there is nothing. */
export function answerOutside(request: IncomingMessage, response: ServerResponse, base: string): void {
  const detail = `There is nothing at ${pathOf(request.url ?? '/')}: everything is below ${base}/.`;
  const body = JSON.stringify(problemBody(new Problem('not-found', detail), undefined, base));
  response.writeHead(404, {
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    // A body that nobody reads would be taken for the next request.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(body);
}

function pathOf(url: string): string {
  return url.split('?', 1)[0]!.slice(0, 200);
}
