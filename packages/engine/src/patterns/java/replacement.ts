// The text that stands for a match, as in Java: `$1` and `${name}` are groups, a backslash takes its meaning from what follows.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { Pattern, PatternMatch } from './pattern.ts';

export class Replacement {
  /** Texts, and numbers of groups. */
  readonly #parts: readonly (string | number)[];

  /** Throws illegal_argument_exception for a malformed text. */
  constructor(text: string, pattern: Pattern) {
    this.#parts = partsOf(text, pattern);
  }

  /** The text for a match. */
  of(match: PatternMatch, text: string): string {
    let out = '';
    for (const part of this.#parts) {
      if (typeof part === 'string') out += part;
      else if (part * 2 >= match.length)
        throw new EngineError('index_out_of_bounds_exception', `No group ${part}`);
      else if (match[part * 2]! >= 0) out += text.slice(match[part * 2], match[part * 2 + 1]);
    }
    return out;
  }
}

function partsOf(text: string, pattern: Pattern): (string | number)[] {
  const parts: (string | number)[] = [];
  let literal = '';
  const flush = (part: string | number): void => {
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(part);
  };
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!;
    if (c === '\\') {
      if (++at === text.length) throw illegalArgument('character to be escaped is missing');
      literal += text[at];
    } else if (c !== '$') literal += c;
    else {
      const name = /^\{([^}]*)(\}?)/.exec(text.slice(at + 1, at + 102));
      if (name !== null) {
        flush(groupNamed(name[1]!, name[2] === '}', pattern));
        at += name[0].length;
        continue;
      }
      let number = digit(text[at + 1]);
      if (number === undefined)
        throw illegalArgument(
          at + 1 === text.length
            ? 'Illegal group reference: group index is missing'
            : 'Illegal group reference',
        );
      at++;
      // Further digits count as long as there is such a group.
      for (let next = digit(text[at + 1]); next !== undefined; next = digit(text[at + 1])) {
        if (number * 10 + next > pattern.groups) break;
        number = number * 10 + next;
        at++;
      }
      flush(number);
    }
  }
  if (literal !== '') parts.push(literal);
  return parts;
}

function groupNamed(name: string, isClosed: boolean, pattern: Pattern): number {
  if (!isClosed) throw illegalArgument("named capturing group is missing trailing '}'");
  const number = pattern.names.get(name);
  if (number === undefined) throw illegalArgument(`No group with name {${name}}`);
  return number;
}

function digit(c: string | undefined): number | undefined {
  return c !== undefined && c >= '0' && c <= '9' ? Number(c) : undefined;
}
