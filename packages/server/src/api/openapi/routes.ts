// `/api/openapi.json`, built on first use.

import { Type } from '../http/json-schema.ts';
import type { ServerResource } from '../resource.ts';

export const openapi: ServerResource = async (app) => {
  app.get(
    '/openapi.json',
    {
      config: { etag: true },
      schema: {
        operationId: 'getOpenApi',
        tags: ['server'],
        summary: 'Read the OpenAPI document',
        response: {
          200: Type.Object(
            { openapi: Type.String() },
            { title: 'OpenApi', additionalProperties: true, description: 'OpenAPI 3.1.' },
          ),
        },
      },
    },
    async ({ mount }) => ({
      ...(app.swagger() as { openapi: string }),
      ...(mount === '' ? {} : { servers: [{ url: mount }] }),
    }),
  );
};
