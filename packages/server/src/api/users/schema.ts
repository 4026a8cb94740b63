// Schemas of the directory of users.

import type { TObject, TOptional, TSchema, TString } from 'typebox';
import { USER_PATTERN } from '../entries/schema.ts';
import { Type } from '../http/json-schema.ts';

export const UserId: TString = Type.String({
  pattern: USER_PATTERN,
  description: 'The id of a user, which you choose. Entities refer to it as `id`.',
});
export const OneUser: TObject<{ id: TString }> = Type.Object({ id: UserId });

/** The members that callers choose. */
export const NAMES: { username: TString; display: TOptional<TString> } = {
  username: Type.String({ pattern: USER_PATTERN, description: 'Unique and case-sensitive.' }),
  display: Type.Optional(
    Type.String({ pattern: USER_PATTERN, description: 'The display name. Default: `@username`.' }),
  ),
};

export const User: TSchema = Type.Object(
  { id: UserId, ...NAMES, updated_at: Type.String({ format: 'date-time' }) },
  { title: 'User', description: 'A user of the directory.' },
);
