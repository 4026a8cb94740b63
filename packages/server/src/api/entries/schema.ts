// What do items and messages look like, coming in and going out? One shape for both; validated, and printed in the
// OpenAPI document.

import type { TBoolean, TEnum, TObject, TOptional, TSchema, TString } from 'typebox';
import type { Limits } from '../../limits.ts';
import { Type } from '../http/json-schema.ts';

/** Names of feeds and chats: they stand in paths. */
export const NAME_PATTERN = '^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,127}$';

/** Ids in their text form; those that are given out are UUIDv7. */
export const ID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

/** Names of users: anything without control characters and halves of surrogate pairs. */
export const USER_PATTERN = '^[^\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]{1,128}$';

export const EntryId: TString = Type.String({
  pattern: ID_PATTERN,
  description: 'An id: UUIDv7. It rises with time.',
});
export const UserName: TString = Type.String({ pattern: USER_PATTERN, description: 'The name of a user.' });

const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const Entity = Type.Object(
  {
    kind: Type.Enum(['user', 'topic', 'entity', 'link']),
    username: Type.Optional(Type.String({ minLength: 1, description: 'Of users, and required there.' })),
    id: Type.Optional(Type.String({ minLength: 1, description: 'What survives a change of name.' })),
    href: Type.Optional(Type.String({ minLength: 1, description: 'Of links, and required there.' })),
    start: Offset,
    end: { ...Offset, description: 'The first position behind; greater than `start`.' },
  },
  {
    additionalProperties: false,
    description: 'A range of the text that stands for something. Ranges do not overlap.',
  },
);

const Unit = Type.Enum(['utf16', 'utf8', 'codepoint'], {
  description: 'What `start` and `end` count: UTF-16 code units, UTF-8 bytes, Unicode code points.',
});

const Attachment = Type.Object(
  {
    url: Type.String({ minLength: 8, maxLength: 2_048, description: 'Absolute; http or https.' }),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A media type.' })),
    title: Type.Optional(Type.String({ maxLength: 1_024 })),
  },
  { additionalProperties: false },
);

const Data = Type.Object(
  {},
  { additionalProperties: true, description: 'Yours: kept as it is, never looked at.' },
);

const EntryFields = {
  id: EntryId,
  author: UserName,
  text: Type.Optional(Type.String({ description: 'Absent with `format=markup`.' })),
  entities: Type.Optional(Type.Array(Entity, { description: 'Absent with `format=markup`.' })),
  unit: Type.Optional(Unit),
  markup: Type.Optional(Type.String({ description: 'With `format=markup`: text and entities in one.' })),
  attachments: Type.Array(Attachment),
  data: Type.Optional(Data),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({
    format: 'date-time',
    description: 'The same as `created_at` until it is changed.',
  }),
};

/** An item or a message in an answer; `where` names the feed or the chat. */
export function entrySchema(where: Record<string, TSchema>, description: string): TSchema {
  return Type.Object({ ...EntryFields, ...where }, { description });
}

function contentFields(limits: Limits): Record<string, TSchema> {
  return {
    text: Type.Optional(
      Type.String({ description: 'Taken literally: nothing in it becomes a mention by accident.' }),
    ),
    entities: Type.Optional(Type.Array(Entity, { maxItems: 10_000, description: 'What in `text` is what.' })),
    unit: Type.Optional(Unit),
    markup: Type.Optional(
      Type.String({
        description: 'Instead of text, entities and unit: `<user username="ada">Ada</user> was here`.',
      }),
    ),
    attachments: Type.Optional(Type.Array(Attachment, { maxItems: limits.entryAttachments })),
  };
}

/** The body of a POST. */
export function draftSchema(limits: Limits): TObject {
  return Type.Object(
    { author: UserName, ...contentFields(limits), data: Type.Optional(Data) },
    {
      additionalProperties: false,
      description: 'Either `text`, with entities if there are any, or `markup`.',
    },
  );
}

/** The body of a PATCH. */
export function editSchema(limits: Limits): TObject {
  return Type.Object(
    {
      ...contentFields(limits),
      data: Type.Optional(Type.Union([Data, Type.Null()], { description: 'Null takes it away.' })),
    },
    {
      additionalProperties: false,
      description:
        'What is to be replaced. New text without entities has none; entities alone refer to the text that is stored (`resolve=false`).',
    },
  );
}

/** The parameter of single reads and writes that says how text is given. */
export const Format: TOptional<TEnum<['entities', 'markup']>> = Type.Optional(
  Type.Enum(['entities', 'markup'], {
    default: 'entities',
    description: 'How text is given: `text` with `entities` and `unit`, or `markup`.',
  }),
);

/** The parameter of reads that says whether users are called as they are now. */
export const Resolve: TOptional<TBoolean> = Type.Optional(
  Type.Boolean({
    default: true,
    description:
      'Mentioned users that the directory (`/api/users`) knows by id have the `username` of today, and the text says it where it was `@` and the name of then, or a display of then. `false` gives what is stored, as writes and events do.',
  }),
);
