// `/_console`: the built console (apps/console) as static files. The page itself is open to everybody; it shows nothing but what the
// API gives to the key that the reader enters.

import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Problem } from '../errors/problem.ts';
import { sendProblem } from '../errors/problem-reply.ts';
import { PAGE_HEADERS } from '../http/page-policy.ts';
import { CONSOLE_PATH } from '../http/request-target.ts';

/** Where `npm ci` builds the console to, in a checkout and in the published package alike. */
const BUILT: string = fileURLToPath(new URL('../../assets/console/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files in this folder have a content hash in their name; they never change. */
const HASHED = 'files/';
/** Names of the build; none leads out of its folder. */
const NAME = /^(?:files\/)?[\w-][\w.-]*$/;

/** Registers the page and its files. `folder` is for tests. */
export function registerConsole(app: FastifyInstance, folder: string = BUILT): void {
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const takesGzip = new Negotiator(request.raw).encoding(['gzip', 'identity']) === 'gzip';
    const path = join(folder, name);
    const compressed = takesGzip && NAME.test(name) ? await contentOf(`${path}.gz`) : undefined;
    const body = compressed ?? (NAME.test(name) ? await contentOf(path) : undefined);
    if (body === undefined) return sendProblem(await missing(name, folder), request, reply);
    reply.headers({
      ...PAGE_HEADERS,
      vary: 'accept-encoding',
      'cache-control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(compressed === undefined ? {} : { 'content-encoding': 'gzip' }),
    });
    return reply.type(TYPES[extname(name)] ?? 'application/octet-stream').send(body);
  };
  app.get(CONSOLE_PATH, async (request, reply) => {
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
    if (path.endsWith('/')) return send(request, reply, 'index.html');
    // Files are named relative to the page, which therefore ends in a slash.
    reply.headers({ vary: 'accept', 'cache-control': 'no-store' });
    return reply.redirect(`${request.mount}${CONSOLE_PATH}/`, 302);
  });
  app.get(`${CONSOLE_PATH}/*`, async (request, reply) =>
    send(request, reply, (request.params as { readonly '*': string })['*']),
  );
}

/** A file of the build; undefined if there is none. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  return await readFile(path).catch(() => undefined);
}

async function missing(name: string, folder: string): Promise<Problem> {
  const isBuilt = (await contentOf(join(folder, 'index.html'))) !== undefined;
  return new Problem(
    'not-found',
    isBuilt
      ? `The console has no file ${name.slice(0, 200)}; it starts at ${CONSOLE_PATH}/.`
      : 'The console is not built: run `npm run console` in the checkout, with its development dependencies installed.',
  );
}
