// What is text with mentions in it? Plain text, and beside it the ranges that mean something.

/** What a range of text stands for. */
export type Kind = 'user' | 'topic' | 'entity' | 'link';

/** What `start` and `end` count: UTF-16 code units, UTF-8 bytes or Unicode code points. */
export type Unit = 'utf16' | 'utf8' | 'codepoint';

/** A range of the text that stands for something. The slice from `start` to `end` is what a reader sees. */
export interface Entity {
  readonly kind: Kind;
  /** Of users, and theirs alone: required there. */
  readonly username?: string;
  /** A lasting identifier, which survives a change of name. */
  readonly id?: string;
  /** Of links, and theirs alone: required there. Any text; see `safeHref` before making it live. */
  readonly href?: string;
  /** The first position inside, in the unit of the content. */
  readonly start: number;
  /** The first position behind. Always greater than `start`. */
  readonly end: number;
}

/** Text and its entities, all counted in one unit. */
export interface Content {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly unit: Unit;
}

export const KINDS: readonly Kind[] = ['user', 'topic', 'entity', 'link'];
export const UNITS: readonly Unit[] = ['utf16', 'utf8', 'codepoint'];

/** The three attributes there are. */
export type Attribute = 'username' | 'id' | 'href';

/** Attributes of each kind in the order in which they are printed; the first is required if it is not `id`. */
export const ATTRIBUTES: Readonly<Record<Kind, readonly Attribute[]>> = {
  user: ['username', 'id'],
  topic: ['id'],
  entity: ['id'],
  link: ['href', 'id'],
};

/** The attribute that an entity of the kind cannot be without. */
export function requiredAttribute(kind: Kind): 'username' | 'href' | undefined {
  return kind === 'user' ? 'username' : kind === 'link' ? 'href' : undefined;
}

/** The same entity elsewhere, with its properties in the order of `Entity`; what is absent stays absent. */
export function placed(entity: Entity, start: number, end: number): Entity {
  const { kind, username, id, href } = entity;
  return {
    kind,
    ...(username === undefined ? {} : { username }),
    ...(id === undefined ? {} : { id }),
    ...(href === undefined ? {} : { href }),
    start,
    end,
  };
}
