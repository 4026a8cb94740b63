// Schemas of keys: snake case, times as RFC 3339, never a hash, and the secret only when it is new.

import type { TSchema } from 'typebox';
import { SCOPES } from '../../access/keys/grants.ts';
import { Type } from '../http/json-schema.ts';

const Query = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A query as in the search endpoints. Documents that do not match it do not exist for the key.',
});

const Rate = Type.Object(
  {
    quota: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    window_seconds: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  },
  {
    title: 'KeyRate',
    additionalProperties: false,
    description: '`quota` units of cost per `window_seconds`.',
  },
);

const NAME = Type.String({ minLength: 1, maxLength: 256, description: 'A name for people.' });
const SCOPE_LIST = Type.Array(Type.String({ enum: [...SCOPES] }), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: '`area:read`, `area:write` (includes read), `area:admin` or `area:*`; `*` grants everything.',
});
const PATTERNS = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Names of the indices the key may use, with `*` as wildcard. Default: all.',
});
const EXPIRES = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'When the key expires, RFC 3339.',
});

export const NewGrant: TSchema = Type.Object(
  {
    name: NAME,
    scopes: SCOPE_LIST,
    index_patterns: Type.Optional(PATTERNS),
    document_filter: Type.Optional(Query),
    rate: Type.Optional(Rate),
    expires_at: Type.Optional(EXPIRES),
  },
  { title: 'KeyGrant', additionalProperties: false, description: 'The rights of a new key.' },
);

export const GrantChange: TSchema = Type.Object(
  {
    name: Type.Optional(NAME),
    scopes: Type.Optional(SCOPE_LIST),
    index_patterns: Type.Optional(Type.Union([PATTERNS, Type.Null()])),
    document_filter: Type.Optional(Type.Union([Query, Type.Null()])),
    rate: Type.Optional(Type.Union([Rate, Type.Null()])),
    expires_at: Type.Optional(Type.Union([EXPIRES, Type.Null()])),
  },
  {
    title: 'KeyChange',
    additionalProperties: false,
    description: 'The members to change. Null removes a restriction.',
  },
);

export const Key: TSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    index_patterns: Type.Optional(Type.Array(Type.String())),
    document_filter: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    rate: Type.Optional(Rate),
    created_by: Type.String({ description: 'The caller that created the key.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    expires_at: Type.Optional(Type.String({ format: 'date-time' })),
    revoked_at: Type.Optional(Type.String({ format: 'date-time' })),
    previous_secret_until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the secret from before the last rotation expires.',
      }),
    ),
  },
  { title: 'Key', description: 'An API key.' },
);

export const KeyWithSecret: TSchema = Type.Object(
  {
    key: Key,
    token: Type.String({ description: 'For `Authorization: Bearer`. Shown only once.' }),
    encoded: Type.String({ description: 'The same for `Authorization: ApiKey`.' }),
  },
  { title: 'KeyWithSecret', description: 'A key with its secret, which is shown only once and not stored.' },
);
