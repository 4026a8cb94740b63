// The envelope of all lists: `items`, whether there are more, and tokens of the neighbouring pages. Lists of entries add
// cursors and numbered pages to it (entries/list-reply.ts).

import type { TSchema } from 'typebox';
import { Type } from './json-schema.ts';

/** A page of a list. */
export interface PageEnvelope<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
  readonly next?: string;
  /** `next` by the name that the interface specification gives it. */
  readonly nextToken?: string;
  readonly prev?: string;
}

/** Builds the envelope; a token that is undefined is left out. */
export function pageEnvelope<Item>(
  items: readonly Item[],
  more: boolean,
  { next, prev }: { readonly next?: string | undefined; readonly prev?: string | undefined },
): PageEnvelope<Item> {
  return {
    items,
    more,
    ...(next === undefined ? {} : { next, nextToken: next }),
    ...(prev === undefined ? {} : { prev }),
  };
}

/** The schema of a page of named items, with members that only some lists have. */
export function pageSchema(item: TSchema, more: Readonly<Record<string, TSchema>> = {}): TSchema {
  return Type.Object(
    {
      items: Type.Array(item),
      more: Type.Boolean({ description: 'Whether there are more items in the direction of the walk.' }),
      next: Type.Optional(
        Type.String({ description: 'Token of the next page: send it as `next_token`. Absent at the end.' }),
      ),
      nextToken: Type.Optional(Type.String({ description: 'The same token as `next`.' })),
      prev: Type.Optional(
        Type.String({
          description: 'Token of the previous page: send it as `prev_token`. Absent at the start.',
        }),
      ),
      ...more,
    },
    { title: `${(item as { readonly title?: string }).title}List`, description: 'A page.' },
  );
}
