// `/api/docs`: a page (Scalar) over /api/openapi.json. Its script is served from here, and the page may not
// connect anywhere else.

import Fastify from 'fastify';
import { PAGE_HEADERS } from '../../http/page-policy.ts';
import { Type } from '../http/json-schema.ts';
import type { ServerResource } from '../resource.ts';

const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** The page for a mount path, which contains no characters that are special in HTML. */
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

export const docs: ServerResource = async (app) => {
  let script: Promise<string> | undefined;
  app.get(
    '/docs',
    {
      config: { produces: ['text/html'] },
      schema: {
        operationId: 'getDocs',
        tags: ['server'],
        summary: 'Browse the API documentation',
        response: {
          200: { description: 'HTML.', content: { 'text/html': { schema: Type.String() } } },
        },
      },
    },
    async ({ mount }, reply) =>
      reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(pageAt(mount)),
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

/** Scalar's script, 4 MB, taken from its own plugin when the page is first opened. */
async function loadScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const apart = Fastify();
  await apart.register(scalar, { routePrefix: '/scalar', configuration: { url: '/api/openapi.json' } });
  const reply = await apart.inject('/scalar/js/scalar.js');
  await apart.close();
  return reply.payload;
}
