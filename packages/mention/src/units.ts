// How are positions in one unit written in another? One walk over the text with the wanted positions in order.

import { type Content, placed, type Unit } from './content.ts';

/** How long a text is in a unit. O(n); O(1) in UTF-16. */
export function lengthIn(text: string, unit: Unit): number {
  return unit === 'utf16' ? text.length : (mapOffsets(text, [text.length], 'utf16', unit).offsets[0] ?? 0);
}

/** Offsets in another unit, and which of those given were no boundary between two characters of the text. */
export interface MappedOffsets {
  readonly offsets: readonly number[];
  /** By index: true where the offset was inside a character, or outside the text. */
  readonly broken: readonly boolean[];
}

/**
 * Rewrites offsets from one unit into another. An offset inside a character becomes the start of that character; one
 * beyond the text becomes its end, one below 0 becomes 0. O(n + k log k) for a text of n units and k offsets.
 */
export function mapOffsets(text: string, offsets: readonly number[], from: Unit, to: Unit): MappedOffsets {
  const at = (index: number): number => offsets[index] || 0;
  const order = offsets.map((_, index) => index).sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
  const mapped: number[] = offsets.map(() => 0);
  const broken: boolean[] = offsets.map(() => false);
  const size = { utf16: 0, utf8: 0, codepoint: 0 };
  let next = 0;
  const answer = (limit: number): void => {
    // All offsets before `limit` lie in the character that starts at `size`.
    for (; next < order.length; next++) {
      const index = order[next] ?? 0;
      const wanted = at(index);
      if (wanted >= limit && limit !== Number.POSITIVE_INFINITY) break;
      mapped[index] = size[to];
      broken[index] = wanted !== size[from];
    }
  };
  while (size.utf16 < text.length && next < order.length) {
    const point = text.codePointAt(size.utf16) ?? 0;
    const units = point > 0xffff ? 2 : 1;
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    const step = from === 'utf16' ? units : from === 'utf8' ? bytes : 1;
    answer(size[from] + step);
    size.utf16 += units;
    size.utf8 += bytes;
    size.codepoint += 1;
  }
  answer(Number.POSITIVE_INFINITY);
  return { offsets: mapped, broken };
}

/**
 * The same content counted in another unit. Positions that were wrong (inside a character, outside the text) move to the
 * nearest boundary before them that exists: validate first where that matters. O(n + k log k).
 */
export function convertUnit(content: Content, unit: Unit): Content {
  const { text, entities } = content;
  if (content.unit === unit) return content;
  const all = entities.flatMap(({ start, end }) => [start, end]);
  const { offsets } = mapOffsets(text, all, content.unit, unit);
  return {
    text,
    entities: entities.map((entity, i) => placed(entity, offsets[2 * i] ?? 0, offsets[2 * i + 1] ?? 0)),
    unit,
  };
}
