// Builds the OpenAPI 3.1 document from the schemas that validate requests: nothing is written twice, and no
// route of `/api` can be left out. The search wire has no such schemas, so its main endpoints are described apart.

import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { Type } from '../http/json-schema.ts';
import { API_INFO, SECURITY_SCHEMES, TAGS } from './about.ts';
import { withExamples } from './examples.ts';
import { withNamedSchemas } from './named-schemas.ts';
import { searchPaths } from './search-operations.ts';

/** The members all problems have. */
const PROBLEM_SCHEMA: object = Type.Object(
  {
    type: Type.String({ description: 'A relative URI that describes the code.' }),
    title: Type.String({ description: 'The same for every occurrence.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What was wrong in this request, where, and what to do.' }),
    code: Type.String({ description: 'The code, for programs.' }),
    field: Type.Optional(Type.String({ description: 'The wrong parameter or body path.' })),
    instance: Type.Optional(Type.String({ description: 'The request id, as in the logs.' })),
  },
  { title: 'Problem', additionalProperties: true, description: 'An error (RFC 9457).' },
);

function problemResponse(description: string): object {
  return { description, content: { 'application/problem+json': { schema: PROBLEM_SCHEMA } } };
}

/** Completes a route's schema with its problems and scope. */
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
      ...(route.config?.etag === true
        ? { 304: { type: 'null', description: 'The caller has the current version.' } }
        : {}),
      '4xx': problemResponse('The request is refused.'),
      '5xx': problemResponse('The server cannot answer.'),
      ...(schema.response as object | undefined),
    },
  };
}

/** Starts to collect routes; `swagger()` then returns the document. */
export async function collectRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: API_INFO,
      servers: [{ url: '/' }],
      tags: TAGS.map((tag) => ({ ...tag })),
      components: { securitySchemes: SECURITY_SCHEMES },
      // The empty one: on loopback, while there are no keys, no credentials are needed.
      security: [{ ApiKey: [] }, { Bearer: [] }, {}],
    },
    hideUntagged: false,
    convertConstToEnum: false,
    transform: ({ schema, url }) => ({ schema: withListStyle(schema), url }),
    transformObject: (made) => ('openapiObject' in made ? completed(made.openapiObject) : {}),
  });
}

interface Described {
  readonly paths?: Readonly<Record<string, object | undefined>>;
  readonly components?: object;
}

/** The document of the routes, with the search wire, names and examples. */
function completed<D extends Described>(document: D): D {
  const routes = withoutReplyPatterns(withOptionalBodies(document));
  return withExamples(withNamedSchemas({ ...routes, paths: { ...routes.paths, ...searchPaths() } }));
}

/**
 * Removes the patterns of replies. They check nothing, but some generated clients refuse a reply by them: in Go, whose
 * expressions have no \u escapes, each reply with the name of a user.
 */
function withoutReplyPatterns<D extends Described>(document: D): D {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {}) as { responses?: unknown }[])
      operation.responses = withoutPatterns(operation.responses);
  }
  return document;
}

function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => name !== 'pattern' || typeof member !== 'string',
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutPatterns(member)]));
}

interface Body {
  required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema?: { type?: unknown; required?: string[] } }>>;
}

/** A missing body counts as `{}`, so it is optional if the object has no required members. */
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
