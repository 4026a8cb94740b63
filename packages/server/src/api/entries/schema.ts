// Schemas of items and messages, in and out. One shape for both.

import type { TBoolean, TEnum, TObject, TOptional, TSchema, TString } from 'typebox';
import { describedPattern } from '../../errors/validation-problem.ts';
import type { Limits } from '../../limits.ts';
import { Type } from '../http/json-schema.ts';

/** Names of feeds and chats stand in paths. */
export const NAME_PATTERN: string = describedPattern(
  '^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,127}$',
  '1 to 128 letters, digits or characters of . _ ~ - and must not begin with a dot',
);

/** Ids as text; issued ids are UUIDv7. */
export const ID_PATTERN: string = describedPattern(
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  'a UUID, such as 019aab3f-6e1c-7d40-9a51-2f0c8d1b7e63',
);

/** Anything without control characters and lone surrogates. */
export const USER_PATTERN: string = describedPattern(
  '^[^\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]{1,128}$',
  '1 to 128 characters without control characters',
);

export const EntryId: TString = Type.String({
  pattern: ID_PATTERN,
  description: 'A UUIDv7; ids increase with time.',
});
export const UserName: TString = Type.String({ pattern: USER_PATTERN, description: 'The name of a user.' });

const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const Entity = Type.Object(
  {
    kind: Type.Enum(['user', 'topic', 'entity', 'link']),
    username: Type.Optional(Type.String({ minLength: 1, description: 'Required for users.' })),
    id: Type.Optional(
      Type.String({ minLength: 1, description: 'An id that stays the same when the name changes.' }),
    ),
    href: Type.Optional(Type.String({ minLength: 1, description: 'Required for links.' })),
    start: Offset,
    end: { ...Offset, description: 'The first position after the range; greater than `start`.' },
  },
  {
    title: 'Entity',
    additionalProperties: false,
    description: 'A range of the text that refers to something. Ranges do not overlap.',
  },
);

const Unit = Type.Enum(['utf16', 'utf8', 'codepoint'], {
  title: 'Unit',
  description: 'The unit of `start` and `end`: UTF-16 code units, UTF-8 bytes or Unicode code points.',
});

const Attachment = Type.Object(
  {
    url: Type.String({ minLength: 8, maxLength: 2_048, description: 'An absolute http or https URL.' }),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A media type.' })),
    title: Type.Optional(Type.String({ maxLength: 1_024 })),
  },
  {
    title: 'Attachment',
    additionalProperties: false,
    description: 'A link that belongs to an item or message.',
  },
);

const Data = Type.Object(
  {},
  { additionalProperties: true, description: 'Your own data: stored unchanged and never interpreted.' },
);

const EntryFields = {
  id: EntryId,
  author: UserName,
  text: Type.Optional(Type.String({ description: 'Absent with `format=markup`.' })),
  entities: Type.Optional(Type.Array(Entity, { description: 'Absent with `format=markup`.' })),
  unit: Type.Optional(Unit),
  markup: Type.Optional(
    Type.String({ description: 'Only with `format=markup`: the text with its entities as tags.' }),
  ),
  attachments: Type.Array(Attachment),
  data: Type.Optional(Data),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({
    format: 'date-time',
    description: 'Equal to `created_at` until the first change.',
  }),
};

/** An item or message in an answer; `where` names its feed or chat. */
export function entrySchema(title: string, where: Record<string, TSchema>, description: string): TSchema {
  return Type.Object({ ...EntryFields, ...where }, { title, description });
}

function contentFields(limits: Limits): Record<string, TSchema> {
  return {
    text: Type.Optional(
      Type.String({ description: 'Plain text: nothing in it is interpreted as a mention.' }),
    ),
    entities: Type.Optional(
      Type.Array(Entity, { maxItems: 10_000, description: 'The ranges of `text` that refer to something.' }),
    ),
    unit: Type.Optional(Unit),
    markup: Type.Optional(
      Type.String({
        description: 'Replaces `text`, `entities` and `unit`: `<user username="ada">Ada</user> was here`.',
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
      title: 'EntryInput',
      additionalProperties: false,
      description: 'A new item or message: either `text`, optionally with `entities`, or `markup`.',
    },
  );
}

/** The body of a PATCH. */
export function editSchema(limits: Limits): TObject {
  return Type.Object(
    {
      ...contentFields(limits),
      data: Type.Optional(Type.Union([Data, Type.Null()], { description: 'Null removes it.' })),
    },
    {
      title: 'EntryChange',
      additionalProperties: false,
      description:
        'The members to replace. `text` without `entities` removes the entities; `entities` without `text` refer to the stored text (read it with `resolve=false`).',
    },
  );
}

/** How text is given in reads and writes. */
export const Format: TOptional<TEnum<['entities', 'markup']>> = Type.Optional(
  Type.Enum(['entities', 'markup'], {
    default: 'entities',
    description: 'The form of the text: `text` with `entities` and `unit`, or `markup`.',
  }),
);

/** Whether reads show the present names of users. */
export const Resolve: TOptional<TBoolean> = Type.Optional(
  Type.Boolean({
    default: true,
    description:
      'True shows mentioned users whose id is in the directory (`/api/users`) with their current `username`, and replaces an earlier `@username` or display name in the text. False returns what is stored, as writes and events do.',
  }),
);
