// Content: plain text with entities, which are ranges of the text with a meaning.

/** The meaning of a range of text. */
export type Kind = 'user' | 'topic' | 'entity' | 'link';

/** The unit of `start` and `end`: UTF-16 code units, UTF-8 bytes or Unicode code points. */
export type Unit = 'utf16' | 'utf8' | 'codepoint';

interface Range {
  /** The first position inside the range, in the unit of the content. */
  readonly start: number;
  /** The first position behind the range. Always greater than `start`. */
  readonly end: number;
  /** A permanent identifier, which survives a change of name. */
  readonly id?: string;
}

/** A user, by name. */
export interface UserEntity extends Range {
  readonly kind: 'user';
  readonly username: string;
  readonly href?: never;
}

/** A link. */
export interface LinkEntity extends Range {
  readonly kind: 'link';
  /** Any text: check it with `safeHref` before making it live. */
  readonly href: string;
  readonly username?: never;
}

/** A topic, or anything else with an id. */
export interface TopicEntity extends Range {
  readonly kind: 'topic' | 'entity';
  readonly username?: never;
  readonly href?: never;
}

/** A range of the text with a meaning. A reader sees the slice from `start` to `end`. */
export type Entity = UserEntity | LinkEntity | TopicEntity;

/** Text and its entities, all counted in one unit. */
export interface Content {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly unit: Unit;
}

export const KINDS: readonly Kind[] = ['user', 'topic', 'entity', 'link'];
export const UNITS: readonly Unit[] = ['utf16', 'utf8', 'codepoint'];

/** The names of attributes. */
export type Attribute = 'username' | 'id' | 'href';

/** The attributes of each kind in the order of the markup. The first is required unless it is `id`. */
export const ATTRIBUTES: Readonly<Record<Kind, readonly Attribute[]>> = {
  user: ['username', 'id'],
  topic: ['id'],
  entity: ['id'],
  link: ['href', 'id'],
};

/** The attribute that entities of the kind must have. */
export function requiredAttribute(kind: Kind): 'username' | 'href' | undefined {
  return kind === 'user' ? 'username' : kind === 'link' ? 'href' : undefined;
}

/** The attributes of an entity, whatever its kind. */
export interface EntityAttributes {
  readonly kind: Kind;
  readonly username?: string;
  readonly id?: string;
  readonly href?: string;
}

/** The entity with these attributes, which must be those of its kind. Their order is fixed; absent ones stay absent. */
export function withRange(attributes: EntityAttributes, start: number, end: number): Entity {
  const { kind, username, id, href } = attributes;
  const entity = {
    kind,
    ...(username === undefined ? {} : { username }),
    ...(id === undefined ? {} : { id }),
    ...(href === undefined ? {} : { href }),
    start,
    end,
  };
  return entity as Entity;
}
