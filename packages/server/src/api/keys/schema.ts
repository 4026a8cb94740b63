// How does a key look under `/api`? In snake case, times as RFC 3339, never with a hash; its secret only when it is new.

import type { TSchema } from 'typebox';
import { SCOPES } from '../../access/keys/grants.ts';
import { Type } from '../http/json-schema.ts';

const Query = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A query of the search endpoints: documents that do not match it do not exist for the key.',
});

const Rate = Type.Object(
  {
    quota: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    window_seconds: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  },
  { additionalProperties: false, description: 'So much cost in so many seconds.' },
);

const NAME = Type.String({ minLength: 1, maxLength: 256, description: 'What a person calls it.' });
const SCOPE_LIST = Type.Array(Type.String({ enum: [...SCOPES] }), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: '`area:read`, `area:write` (which includes read), `area:admin` or `area:*`; `*` is all.',
});
const PATTERNS = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Names of indices, with `*`, that the key may touch; all of them by default.',
});
const EXPIRES = Type.String({ format: 'date-time', maxLength: 40, description: 'When it ends, RFC 3339.' });

/** What a new key is given. */
export const NewGrant: TSchema = Type.Object(
  {
    name: NAME,
    scopes: SCOPE_LIST,
    index_patterns: Type.Optional(PATTERNS),
    document_filter: Type.Optional(Query),
    rate: Type.Optional(Rate),
    expires_at: Type.Optional(EXPIRES),
  },
  { additionalProperties: false },
);

/** What can be changed; null takes a limit away. */
export const GrantChange: TSchema = Type.Object(
  {
    name: Type.Optional(NAME),
    scopes: Type.Optional(SCOPE_LIST),
    index_patterns: Type.Optional(Type.Union([PATTERNS, Type.Null()])),
    document_filter: Type.Optional(Type.Union([Query, Type.Null()])),
    rate: Type.Optional(Type.Union([Rate, Type.Null()])),
    expires_at: Type.Optional(Type.Union([EXPIRES, Type.Null()])),
  },
  { additionalProperties: false },
);

/** A key as it is shown. */
export const Key: TSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    index_patterns: Type.Optional(Type.Array(Type.String())),
    document_filter: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    rate: Type.Optional(Type.Object({ quota: Type.Integer(), window_seconds: Type.Integer() })),
    created_by: Type.String({ description: 'The caller that made it.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    expires_at: Type.Optional(Type.String({ format: 'date-time' })),
    revoked_at: Type.Optional(Type.String({ format: 'date-time' })),
    previous_secret_until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until then the secret before the last rotation works.',
      }),
    ),
  },
  { description: 'An API key.' },
);

/** A key with its secret. */
export const KeyWithSecret: TSchema = Type.Object(
  {
    key: Key,
    token: Type.String({ description: 'For `Authorization: Bearer`. Shown this once.' }),
    encoded: Type.String({ description: 'The same for `Authorization: ApiKey`.' }),
  },
  { description: 'A key with its secret, which is shown this once and kept nowhere.' },
);
