// Automata of plain texts, prefixes and wildcards, built character by character; `?` is any character, `*`
// any number of them.

import { illegalArgument } from '../../errors.ts';
import type { Automaton } from './automaton.ts';
import { Derivatives } from './derivatives.ts';
import { Expressions, type Id } from './expression.ts';

/**
 * One character, in both cases where `insensitive`. As in the peer, only ASCII letters have a second case.
 */
export function character(expressions: Expressions, codePoint: number, insensitive: boolean): Id {
  const isLetter = (codePoint >= 65 && codePoint <= 90) || (codePoint >= 97 && codePoint <= 122);
  if (!insensitive || !isLetter) return expressions.chars([codePoint, codePoint]);
  const upper = codePoint & ~32;
  return expressions.chars([upper, upper, upper | 32, upper | 32]);
}

/** A term has at most so many bytes. */
const LONGEST_PATTERN = 32_766;

function build(
  kind: string,
  text: string,
  insensitive: boolean,
  maxStates: number,
  part: (e: Expressions, chars: number[]) => Id[],
): Automaton {
  if (text.length > LONGEST_PATTERN) {
    throw illegalArgument(
      `The pattern has [${text.length}] characters, which exceeds the allowed maximum of [${LONGEST_PATTERN}]: no term is longer.`,
    );
  }
  const codePoints = Array.from(text, (c) => c.codePointAt(0)!);
  const expressions = new Expressions(codePoints.length * 64 + 100_000);
  const parts = part(expressions, codePoints);
  // As in Lucene, a pattern without any part matches nothing, not even an empty value.
  let root = parts.length === 0 ? expressions.never : expressions.empty;
  for (let i = parts.length - 1; i >= 0; i--) root = expressions.then(parts[i]!, root);
  return new Derivatives(
    `${kind}${insensitive ? 'i' : ''}:${text}`,
    expressions,
    root,
    codePoints.length * 4 + maxStates,
  );
}

/** States beside four for each character: a text needs few more. */
const EXTRA_STATES = 100;

/** Exactly the text. */
export function literalAutomaton(text: string, insensitive: boolean): Automaton {
  return build('t', text, insensitive, EXTRA_STATES, (e, chars) =>
    chars.map((c) => character(e, c, insensitive)),
  );
}

/** The text and anything after it. */
export function prefixAutomaton(text: string, insensitive: boolean): Automaton {
  return build('p', text, insensitive, EXTRA_STATES, (e, chars) => [
    ...chars.map((c) => character(e, c, insensitive)),
    e.anything,
  ]);
}

/**
 * A pattern with `*`, `?` and `\` before literal characters (Lucene's WildcardQuery). `maxStates` counts
 * states beside four for each character.
 */
export function wildcardAutomaton(pattern: string, insensitive: boolean, maxStates: number): Automaton {
  return build('w', pattern, insensitive, maxStates, (e, chars) => {
    const parts: Id[] = [];
    for (let i = 0; i < chars.length; i++) {
      const c = chars[i]!;
      if (c === 0x2a) {
        if (parts[parts.length - 1] !== e.anything) parts.push(e.anything);
      } else if (c === 0x3f) {
        parts.push(e.any);
      } else {
        if (c === 0x5c && i + 1 < chars.length) i++;
        parts.push(character(e, chars[i]!, insensitive));
      }
    }
    return parts;
  });
}
