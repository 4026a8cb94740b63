// Truncates content without splitting a grapheme (a character as people see it) and without entities behind
// the end.

import { type Content, withRange } from './content.ts';
import { lengthIn } from './units.ts';

/** Characters that join the one before: marks, variation selectors, skin tones, the zero width joiner. */
const EXTENDS = /^[\p{M}\p{Emoji_Modifier}\u200d]/u;

/**
 * The first `maxGraphemes` graphemes (UAX #29). If anything is cut, the ellipsis is appended and counts as graphemes.
 * An entity across the cut ends there; an entity behind it is removed. O(length of the result).
 *
 * Graphemes come from `Intl.Segmenter`. A runtime without it keeps code points together with marks and joiners.
 */
export function truncate(content: Content, maxGraphemes: number, ellipsis = ''): Content {
  const { text, unit } = content;
  const max = Math.max(0, Math.floor(maxGraphemes) || 0);
  if (boundaryAfter(text, max) === text.length) return content;
  const room = max - Math.min(max, countGraphemes(ellipsis, max));
  const sign = ellipsis.slice(0, boundaryAfter(ellipsis, max));
  const head = text.slice(0, boundaryAfter(text, room));
  const limit = lengthIn(head, unit);
  const entities = content.entities
    .filter(({ start }) => start < limit)
    .map((entity) => withRange(entity, entity.start, Math.min(entity.end, limit)));
  return { text: head + sign, entities, unit };
}

/** The end of the first `count` graphemes, in UTF-16. */
function boundaryAfter(text: string, count: number): number {
  let seen = 0;
  for (const at of graphemeStarts(text)) {
    if (seen === count) return at;
    seen++;
  }
  return text.length;
}

function countGraphemes(text: string, max: number): number {
  let seen = 0;
  for (const _ of graphemeStarts(text)) if (++seen >= max) break;
  return seen;
}

/** The start of each grapheme. */
function* graphemeStarts(text: string): Generator<number> {
  if (typeof Intl === 'object' && typeof Intl.Segmenter === 'function') {
    for (const { index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text))
      yield index;
    return;
  }
  let at = 0;
  let joins = false;
  for (const character of text) {
    if (at === 0 || (!joins && !EXTENDS.test(character))) yield at;
    joins = character === '\u200d';
    at += character.length;
  }
}
