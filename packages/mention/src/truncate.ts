// How is text cut short without cutting a character as people see it, or leaving an entity that points behind it?

import { type Content, placed } from './content.ts';
import { lengthIn } from './units.ts';

/** Joins to the character before it: marks, variation selectors, skin tones, the zero width joiner. */
const EXTENDS = /^[\p{M}\p{Emoji_Modifier}\u200d]/u;

/**
 * The first `maxGraphemes` characters as people see them (UAX #29 by `Intl.Segmenter`; where a runtime has none, code
 * points kept with the marks and joiners behind them). If anything is cut, the ellipsis stands at the end and counts.
 * An entity over the cut ends there; one behind it goes. O(length of what is kept).
 */
export function truncate(content: Content, maxGraphemes: number, ellipsis = ''): Content {
  const { text, unit } = content;
  const max = Math.max(0, Math.floor(maxGraphemes) || 0);
  if (boundaryAfter(text, max) === text.length) return content;
  const room = max - Math.min(max, countGraphemes(ellipsis, max));
  const sign = ellipsis.slice(0, boundaryAfter(ellipsis, max));
  const kept = text.slice(0, boundaryAfter(text, room));
  const limit = lengthIn(kept, unit);
  const entities = content.entities
    .filter(({ start }) => start < limit)
    .map((entity) => placed(entity, entity.start, Math.min(entity.end, limit)));
  return { text: kept + sign, entities, unit };
}

/** Where the first `count` graphemes end, in UTF-16. */
function boundaryAfter(text: string, count: number): number {
  let seen = 0;
  for (const at of starts(text)) {
    if (seen === count) return at;
    seen++;
  }
  return text.length;
}

function countGraphemes(text: string, max: number): number {
  let seen = 0;
  for (const _ of starts(text)) if (++seen >= max) break;
  return seen;
}

/** Where each grapheme starts. */
function* starts(text: string): Generator<number> {
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
