// Detects typed mentions such as `@ada` and `#analysis`. Only names that the resolver knows become mentions.

import { type Content, type Entity, withRange } from './content.ts';

/** A typed name, without its sign. */
export interface TypedName {
  readonly kind: 'user' | 'topic';
  readonly name: string;
}

/** The target of a typed name. Without a username the user gets the typed name. */
export interface ResolvedName {
  readonly username?: string;
  readonly id?: string;
}

/** Returns the target of a name, or undefined if the name is plain text. */
export type NameResolver = (typed: TypedName) => ResolvedName | undefined;

/** The limit for the length of a name, in UTF-16 units. */
export const LONGEST_NAME = 64;

const WORD = /^[\p{L}\p{N}\p{M}_]$/u;
const LETTER = /\p{L}/u;

/**
 * Content in UTF-16 with an entity for each `@name` and `#topic` that the resolver knows. An entity includes the sign.
 *
 * - A name follows the start, a space or punctuation other than `/`, `@`, `#`, `&`.
 * - It has letters, digits, marks and `_`, with `.` and `-` inside. A topic has at least one letter.
 * - If `@ada.lovelace` is unknown, `@ada` is tried.
 *
 * O(n), with at most `LONGEST_NAME` calls of the resolver per sign.
 */
export function detectMentions(typed: string, resolver: NameResolver): Content {
  const entities: Entity[] = [];
  let behind = 0;
  for (const { kind, start, names } of typedNames(typed)) {
    if (start < behind) continue;
    for (const name of names) {
      const resolved = resolver({ kind, name });
      if (resolved === undefined) continue;
      behind = start + 1 + name.length;
      const username = kind === 'user' ? { username: resolved.username ?? name } : {};
      const id = resolved.id === undefined ? {} : { id: resolved.id };
      entities.push(withRange({ kind, ...username, ...id }, start, behind));
      break;
    }
  }
  return { text: typed, entities, unit: 'utf16' };
}

/** All names that `detectMentions` may pass to its resolver, each once, so that one query can look them up. O(n). */
export function mentionCandidates(typed: string): TypedName[] {
  const found = new Map<string, TypedName>();
  for (const { kind, names } of typedNames(typed)) {
    for (const name of names) found.set(`${kind} ${name}`, { kind, name });
  }
  return [...found.values()];
}

interface Candidate {
  readonly kind: 'user' | 'topic';
  readonly start: number;
  /** The longest first. */
  readonly names: readonly string[];
}

function* typedNames(typed: string): Generator<Candidate> {
  let before = '';
  let at = 0;
  for (const character of typed) {
    const sign = character === '@' || character === '#';
    if (sign && !WORD.test(before) && !'/@#&'.includes(before || ' ')) {
      const kind = character === '@' ? 'user' : 'topic';
      const names = namesAt(typed, at + 1).filter((name) => kind === 'user' || LETTER.test(name));
      if (names.length > 0) yield { kind, start: at, names };
    }
    before = character;
    at += character.length;
  }
}

/** The names that start here: the longest one, and its prefixes before each `.` and `-`. */
function namesAt(typed: string, from: number): string[] {
  const ends: number[] = [];
  let at = from;
  let wasWord = false;
  while (at < typed.length) {
    const character = String.fromCodePoint(typed.codePointAt(at) ?? 0);
    const isWord = WORD.test(character);
    const isJoint = character === '.' || character === '-';
    if (!isWord && wasWord) ends.push(at);
    if (!isWord && !(isJoint && wasWord)) break;
    wasWord = isWord;
    at += character.length;
    // A longer word is not a name, but its prefixes before a joint may be.
    if (at - from > LONGEST_NAME) break;
    if (at === typed.length && wasWord) ends.push(at);
  }
  return ends.map((end) => typed.slice(from, end)).reverse();
}
