// Which names did someone mean who typed `@ada` or `#analysis`? Only those that the resolver knows: typed text itself
// never makes a mention.

import type { Content, Entity } from './content.ts';

/** A name that was typed, without its sign. */
export interface TypedName {
  readonly kind: 'user' | 'topic';
  readonly name: string;
}

/** What a typed name stands for; a user without a username is called as typed. */
export interface ResolvedName {
  readonly username?: string;
  readonly id?: string;
}

/** Says what a name stands for, or undefined if it is just text. */
export type NameResolver = (typed: TypedName) => ResolvedName | undefined;

/** No longer name is looked for, in UTF-16 units. */
export const LONGEST_NAME = 64;

const WORD = /^[\p{L}\p{N}\p{M}_]$/u;
const LETTER = /\p{L}/u;

/**
 * Entities, in UTF-16, for the `@name` and `#topic` in typed text that the resolver knows. A name follows the start, a
 * space or punctuation other than `/`, `@`, `#`, `&` and is made of letters, digits, marks and `_`, with `.` and `-`
 * within; a topic has at least one letter. Where `@ada.lovelace` is unknown, `@ada` is tried. The entity includes the
 * sign. O(n), with at most `LONGEST_NAME` calls of the resolver for each sign.
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
      entities.push({ kind, ...username, ...id, start, end: behind });
      break;
    }
  }
  return { text: typed, entities, unit: 'utf16' };
}

/** All names that `detectMentions` may ask for, each once: to look them up together beforehand. O(n). */
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

/** The names that start here: the longest, and what is left of it before each `.` and `-`. */
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
    // What goes on beyond the longest name is no name at all, but what it has before a joint may be.
    if (at - from > LONGEST_NAME) break;
    if (at === typed.length && wasWord) ends.push(at);
  }
  return ends.map((end) => typed.slice(from, end)).reverse();
}
