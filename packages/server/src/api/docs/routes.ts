// Where can a person read the API? One page (Scalar) over /api/openapi.json. Its script is served from here, and the
// page may talk to nobody else.

import Fastify from 'fastify';
import { Type } from '../http/json-schema.ts';
import type { ServerResource } from '../resource.ts';

/** Scalar sets styles on elements; all else must come from this server. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** The page for who sees all paths below `mount`, which has no characters that mean anything in HTML. */
const pageAt = (mount: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Octavo API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript; the document itself is <a href="${mount}/api/openapi.json">${mount}/api/openapi.json</a>.</noscript>
<script id="api-reference" data-configuration='${JSON.stringify({ url: `${mount}/api/openapi.json`, ...CONFIGURATION })}'></script>
<script src="${mount}/api/docs/scalar.js"></script>
</body>
</html>
`;

/** `/api/docs` and its script. */
export const docs: ServerResource = async (app) => {
  let script: Promise<string> | undefined;
  app.get(
    '/docs',
    {
      config: { produces: ['text/html'] },
      schema: {
        operationId: 'getDocs',
        tags: ['server'],
        summary: 'This document as a page to browse',
        response: {
          200: { description: 'HTML.', content: { 'text/html': { schema: Type.String() } } },
        },
      },
    },
    async ({ mount }, reply) =>
      reply
        .headers({
          'content-security-policy': POLICY,
          'referrer-policy': 'no-referrer',
        })
        .type('text/html; charset=utf-8')
        .send(pageAt(mount)),
  );
  app.get(
    '/docs/scalar.js',
    { config: { produces: ['text/javascript'], etag: true }, schema: { hide: true } },
    async (_request, reply) => {
      script ??= loadScript();
      return reply.type('text/javascript; charset=utf-8').send(await script);
    },
  );
};

/** Scalar's script, 4 MB, out of its own plugin: read when somebody opens the page, not before. */
async function loadScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const apart = Fastify();
  await apart.register(scalar, { routePrefix: '/scalar', configuration: { url: '/api/openapi.json' } });
  const reply = await apart.inject('/scalar/js/scalar.js');
  await apart.close();
  return reply.payload;
}
