// What does the API look like to a program? An OpenAPI 3.1 document, made from the schemas that validate: nothing in it
// is written twice, and a route cannot be left out.

import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { Type } from '../http/json-schema.ts';
import { API_INFO, SECURITY_SCHEMES, TAGS } from './about.ts';

/** Members of a problem, beside those of its code. */
export const PROBLEM_SCHEMA: object = Type.Object(
  {
    type: Type.String({ description: 'A relative URI that answers with the meaning of the code.' }),
    title: Type.String({ description: 'The same for every occurrence.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What was wrong this time, where, and what to do.' }),
    code: Type.String({ description: 'The code, for programs.' }),
    field: Type.Optional(Type.String({ description: 'The parameter or body path that is wrong.' })),
    instance: Type.Optional(Type.String({ description: 'The id of the request, as in the logs.' })),
  },
  { $id: 'Problem', additionalProperties: true, description: 'A refusal (RFC 9457).' },
);

function problemResponse(description: string): object {
  return { description, content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } } };
}

/** Completes a route on its way in: problems as answers, what its scope is. */
export function describeOperation(route: RouteOptions): void {
  const schema: FastifySchema = route.schema ?? {};
  const scope = route.config?.scope;
  const needs = scope === undefined ? '' : `Needs the scope \`${scope[0]}:${scope[1]}\`.`;
  const description = [schema.description, needs].filter((part) => part !== undefined && part !== '');
  route.schema = {
    ...schema,
    ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
    ...(scope === undefined ? { security: [] } : {}),
    response: {
      ...(route.config?.etag === true ? { 304: { type: 'null', description: 'What the ETag names.' } } : {}),
      '4xx': problemResponse('The request is refused.'),
      '5xx': problemResponse('The server cannot answer.'),
      ...(schema.response as object | undefined),
    },
  };
}

/** Begins to collect routes; `room.swagger()` then is the document. */
export async function collectRoutes(app: FastifyInstance): Promise<void> {
  app.addSchema(PROBLEM_SCHEMA);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: API_INFO,
      servers: [{ url: '/' }],
      tags: TAGS.map((tag) => ({ ...tag })),
      components: { securitySchemes: SECURITY_SCHEMES },
      // The empty one: on loopback, while there are no keys, everybody may ask.
      security: [{ ApiKey: [] }, { Bearer: [] }, {}],
    },
    hideUntagged: false,
    convertConstToEnum: false,
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => String(json['$id'] ?? `schema-${i}`),
    },
    transform: ({ schema, url }) => ({ schema: withListStyle(schema), url }),
    transformObject: (made) => ('openapiObject' in made ? withOptionalBodies(made.openapiObject) : {}),
  });
}

interface Described {
  readonly paths?: Readonly<Record<string, object | undefined>>;
}

interface Body {
  required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema?: { type?: unknown; required?: string[] } }>>;
}

/** No body is `{}`: where nothing in it must be there, the body need not be there either. */
function withOptionalBodies<D extends Described>(document: D): D {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {}) as { readonly requestBody?: Body }[]) {
      const body = operation.requestBody;
      const schema = body?.content['application/json']?.schema;
      if (body === undefined || schema?.type !== 'object') continue;
      body.required = (schema.required ?? []).length > 0;
    }
  }
  return document;
}

/** Lists in query strings are one parameter with commas. */
function withListStyle(schema: FastifySchema | undefined): FastifySchema {
  const query = schema?.querystring;
  if (schema === undefined || typeof query !== 'object' || query === null) return schema ?? {};
  return { ...schema, querystring: { ...query, style: 'form', explode: false } };
}
