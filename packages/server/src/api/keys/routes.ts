// `/api/keys`: create, list, change, rotate and revoke keys. Nobody can grant or take over more rights than
// they have.

import type { KeyGrant } from '@octavo/records';
import { listKeys } from '@octavo/records';
import type { KeyStore } from '../../access/keys/key-store.ts';
import { Problem } from '../../errors/problem.ts';
import { Type } from '../http/json-schema.ts';
import { pageSchema } from '../http/page-envelope.ts';
import { tokenPage, tokenParameters, tokenText } from '../http/token-page.ts';
import type { Resource } from '../resource.ts';
import { type GrantBody, keyView, newKeyView, parseGrant } from './key-view.ts';
import { GrantChange, Key, KeyWithSecret, NewGrant } from './schema.ts';

const HOUR_SECONDS = 3_600;
const OneKey = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });

export const keys: Resource = async (app, services) => {
  const { records, access, limits } = services;
  const keyStore = (): KeyStore => {
    if (access.keys !== undefined) return access.keys;
    throw new Problem('unavailable', 'This server stores no keys.');
  };

  app.post(
    '/keys',
    {
      config: { scope: ['keys', 'write'] },
      schema: {
        operationId: 'createKey',
        tags: ['keys'],
        summary: 'Create a key',
        description:
          'The answer contains the secret, which is shown only once. As soon as there is a key, every request needs one: give the first key the scope `*`.',
        body: NewGrant,
        response: { 201: KeyWithSecret },
      },
    },
    async (request, reply) => {
      const made = await keyStore().create(
        request.principal,
        parseGrant(request.body as GrantBody) as KeyGrant,
      );
      reply.code(201).header('location', `/api/keys/${made.key.id}`);
      return newKeyView(made);
    },
  );

  app.get(
    '/keys',
    {
      config: { scope: ['keys', 'read'], etag: true },
      schema: {
        operationId: 'listKeys',
        tags: ['keys'],
        summary: 'List all keys, including revoked and expired ones',
        description: 'Ordered by id.',
        querystring: Type.Object(tokenParameters(limits)),
        response: { 200: pageSchema(Key) },
      },
    },
    async (request, reply) =>
      await tokenPage(
        services,
        { principal: request.principal, listing: 'keys' },
        { read: (page) => records.read(listKeys, page), tupleOf: ({ id }) => [id], keyOf: tokenText },
        keyView,
        { request, reply },
      ),
  );

  app.get(
    '/keys/:id',
    {
      config: { scope: ['keys', 'read'], etag: true },
      schema: {
        operationId: 'getKey',
        tags: ['keys'],
        summary: 'Read a key',
        params: OneKey,
        response: { 200: Key },
      },
    },
    async (request) => keyView(await keyStore().get(request.params.id)),
  );

  app.patch(
    '/keys/:id',
    {
      config: { scope: ['keys', 'write'] },
      schema: {
        operationId: 'updateKey',
        tags: ['keys'],
        summary: 'Change a key',
        params: OneKey,
        body: GrantChange,
        response: { 200: Key },
      },
    },
    async (request) =>
      keyView(
        await keyStore().update(request.principal, request.params.id, parseGrant(request.body as GrantBody)),
      ),
  );

  app.post(
    '/keys/:id/rotate',
    {
      config: { scope: ['keys', 'write'] },
      schema: {
        operationId: 'rotateKey',
        tags: ['keys'],
        summary: 'Rotate the secret of a key',
        params: OneKey,
        body: Type.Object(
          {
            grace_seconds: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: 30 * 24 * HOUR_SECONDS,
                default: HOUR_SECONDS,
                description: 'How long the old secret stays valid.',
              }),
            ),
          },
          { title: 'KeyRotation', additionalProperties: false, description: 'How a secret is rotated.' },
        ),
        response: { 200: KeyWithSecret },
      },
    },
    async (request) => {
      const graceMs = (request.body.grace_seconds ?? HOUR_SECONDS) * 1_000;
      return newKeyView(await keyStore().rotate(request.principal, request.params.id, graceMs));
    },
  );

  app.delete(
    '/keys/:id',
    {
      config: { scope: ['keys', 'write'] },
      schema: {
        operationId: 'revokeKey',
        tags: ['keys'],
        summary: 'Revoke a key immediately and permanently',
        params: OneKey,
        response: { 200: Key },
      },
    },
    async (request) => keyView(await keyStore().revoke(request.principal, request.params.id)),
  );
};
