// `/api/users`: a directory of users' present names by the caller's own ids. Reads of items and messages
// apply it (entries/user-names.ts).

import { deleteUser, getUser, listUsers, putUser, type UserNames, userView } from '@octavo/records';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { pageSchema } from '../http/page-envelope.ts';
import { tokenPage, tokenParameters, tokenText } from '../http/token-page.ts';
import type { Resource } from '../resource.ts';
import { NAMES, OneUser, User } from './schema.ts';

export const users: Resource = async (app, services) => {
  const { records, limits } = services;
  app.get(
    '/users',
    {
      config: { scope: ['feed', 'read'], etag: true },
      schema: {
        operationId: 'listUsers',
        tags: ['users'],
        summary: 'List the users of the directory',
        description: 'Ordered by id.',
        querystring: Type.Object(tokenParameters(limits)),
        response: { 200: pageSchema(User) },
      },
    },
    async (request, reply) =>
      await tokenPage(
        services,
        { principal: request.principal, listing: 'users' },
        { read: (page) => records.read(listUsers, page), tupleOf: ({ id }) => [id], keyOf: tokenText },
        userView,
        { request, reply },
      ),
  );

  app.get(
    '/users/:id',
    {
      config: { scope: ['feed', 'read'], etag: true },
      schema: {
        operationId: 'getUser',
        tags: ['users'],
        summary: 'Read the names of a user',
        params: OneUser,
        response: { 200: User },
      },
    },
    async (request) => userView(await records.read(getUser, request.params)),
  );

  app.put(
    '/users/:id',
    {
      config: { scope: ['feed', 'write'] },
      schema: {
        operationId: 'putUser',
        tags: ['users'],
        summary: 'Set the names of a user',
        description:
          'Items and messages then show these names wherever an entity of kind `user` has this id. A username of another user returns 409 `username-taken`. To swap two usernames, first rename one user to a third name.',
        params: OneUser,
        headers: IdempotencyHeader,
        body: Type.Object(NAMES, {
          title: 'UserNames',
          additionalProperties: false,
          description: 'Replaces both names. Without `display`, the display name is removed.',
        }),
        response: { 200: User, 201: User },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const names = request.body as UserNames;
      const { made, user } = await records.write(putUser, { id, names }, writeOptions(request, reply));
      if (made) reply.code(201).header('location', `/api/users/${encodeURIComponent(id)}`);
      return userView(user);
    },
  );

  app.delete(
    '/users/:id',
    {
      config: { scope: ['feed', 'write'] },
      schema: {
        operationId: 'deleteUser',
        tags: ['users'],
        summary: 'Remove a user from the directory',
        description: 'Mentions of the user are then shown as written.',
        params: OneUser,
        headers: IdempotencyHeader,
        response: { 204: Type.Null({ description: 'Removed.' }) },
      },
    },
    async (request, reply) => {
      await records.write(deleteUser, request.params, writeOptions(request, reply));
      return await reply.code(204).send(null);
    },
  );
};
