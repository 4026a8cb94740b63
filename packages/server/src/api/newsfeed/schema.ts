// Schemas of feeds and their items.

import type { TSchema } from 'typebox';
import { entrySchema, NAME_PATTERN } from '../entries/schema.ts';
import { Type } from '../http/json-schema.ts';

export const Feed: TSchema = Type.Optional(
  Type.String({ pattern: NAME_PATTERN, description: 'The name of a feed. The default feed has none.' }),
);

export const Item: TSchema = entrySchema('Item', { feed: Feed }, 'An item.');
