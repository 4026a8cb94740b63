// What is a user called today? `/api/users`: a directory of names by the caller's own ids. Items and messages are read
// with it (entries/renamed.ts).

import { deleteUser, getUser, listUsers, putUser, type UserNames, userView } from '@octavo/records';
import type { TObject, TSchema, TString } from 'typebox';
import { USER_PATTERN, UserName } from '../entries/schema.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { setLinks } from '../http/links.ts';
import { DEFAULT_PAGE_SIZE } from '../http/page-parameters.ts';
import type { Resource } from '../resource.ts';

const UserId: TString = Type.String({
  pattern: USER_PATTERN,
  description: 'The id of a user, yours to choose: what entities have as `id`.',
});
const OneUser: TObject<{ id: TString }> = Type.Object({ id: UserId });

const NAMES = {
  username: { ...UserName, description: 'Unique; upper and lower case are different.' },
  display: Type.Optional(
    Type.String({ pattern: USER_PATTERN, description: 'What readers see, where that is not `@username`.' }),
  ),
};

const User: TSchema = Type.Object(
  { id: UserId, ...NAMES, updated_at: Type.String({ format: 'date-time' }) },
  { description: 'A user of the directory.' },
);

/** `/api/users`. */
export const users: Resource = async (app, { records, limits }) => {
  app.get(
    '/users',
    {
      config: { scope: ['feed', 'read'], etag: true },
      schema: {
        operationId: 'listUsers',
        tags: ['users'],
        summary: 'The users of the directory',
        querystring: Type.Object({
          after: Type.Optional({ ...UserId, description: '`next_after` of an earlier reply.' }),
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: limits.feedPageSize, default: DEFAULT_PAGE_SIZE }),
          ),
        }),
        response: {
          200: Type.Object(
            { users: Type.Array(User), next_after: Type.Optional(UserId) },
            { description: 'Users by id. Without `next_after` there are no more.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { after, limit = DEFAULT_PAGE_SIZE } = request.query;
      const found = await records.read(listUsers, { after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const next = found.length > limit ? page.at(-1)?.id : undefined;
      if (next !== undefined) setLinks(request, reply, { next: { after: next } });
      return { users: page.map(userView), ...(next === undefined ? {} : { next_after: next }) };
    },
  );

  app.get(
    '/users/:id',
    {
      config: { scope: ['feed', 'read'], etag: true },
      schema: {
        operationId: 'getUser',
        tags: ['users'],
        summary: 'What a user is called',
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
        summary: 'Say what a user is called',
        description:
          'From now on items and messages show these names wherever an entity of kind `user` has this id. A username that another user has is 409 `username-taken`: to swap two, give one of them a third name first.',
        params: OneUser,
        headers: IdempotencyHeader,
        body: Type.Object(NAMES, {
          additionalProperties: false,
          description: 'All there is to say: without `display` there is none.',
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
        summary: 'Take a user out of the directory',
        description: 'Their mentions are shown as they were written.',
        params: OneUser,
        headers: IdempotencyHeader,
        response: { 204: Type.Null({ description: 'They are out of the directory.' }) },
      },
    },
    async (request, reply) => {
      await records.write(deleteUser, request.params, writeOptions(request, reply));
      return await reply.code(204).send(null);
    },
  );
};
