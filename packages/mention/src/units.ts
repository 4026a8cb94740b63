// Converts positions between units, by one walk over the text with the positions in order.

import { type Content, type Unit, withRange } from './content.ts';

/** The length of a text in a unit. O(n); O(1) in UTF-16. */
export function lengthIn(text: string, unit: Unit): number {
  return unit === 'utf16' ? text.length : (mapOffsets(text, [text.length], 'utf16', unit).offsets[0] ?? 0);
}

/** Offsets in another unit, and a mark for each input that was not between two characters of the text. */
export interface MappedOffsets {
  readonly offsets: readonly number[];
  /** By index: true if the offset was inside a character or outside the text. */
  readonly broken: readonly boolean[];
}

/**
 * Converts offsets from one unit into another. An offset inside a character becomes the start of that character. Offsets
 * outside the text are clamped to it. O(n + k log k) for a text of n units and k offsets.
 */
export function mapOffsets(text: string, offsets: readonly number[], from: Unit, to: Unit): MappedOffsets {
  const at = (index: number): number => offsets[index] || 0;
  const order = offsets.map((_, index) => index).sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
  const mapped: number[] = offsets.map(() => 0);
  const broken: boolean[] = offsets.map(() => false);
  const size = { utf16: 0, utf8: 0, codepoint: 0 };
  let next = 0;
  const mapBelow = (limit: number): void => {
    // All offsets before `limit` lie in the character that starts at `size`.
    for (; next < order.length; next++) {
      const index = order[next] ?? 0;
      const offset = at(index);
      if (offset >= limit && limit !== Number.POSITIVE_INFINITY) break;
      mapped[index] = size[to];
      broken[index] = offset !== size[from];
    }
  };
  while (size.utf16 < text.length && next < order.length) {
    const point = text.codePointAt(size.utf16) ?? 0;
    const units = point > 0xffff ? 2 : 1;
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    const step = from === 'utf16' ? units : from === 'utf8' ? bytes : 1;
    mapBelow(size[from] + step);
    size.utf16 += units;
    size.utf8 += bytes;
    size.codepoint += 1;
  }
  mapBelow(Number.POSITIVE_INFINITY);
  return { offsets: mapped, broken };
}

/**
 * The same content counted in another unit. Invalid positions (inside a character, outside the text) move to the nearest
 * boundary before them. Validate first if that matters. O(n + k log k).
 */
export function convertUnit(content: Content, unit: Unit): Content {
  const { text, entities } = content;
  if (content.unit === unit) return content;
  const all = entities.flatMap(({ start, end }) => [start, end]);
  const { offsets } = mapOffsets(text, all, content.unit, unit);
  return {
    text,
    entities: entities.map((entity, i) => withRange(entity, offsets[2 * i] ?? 0, offsets[2 * i + 1] ?? 0)),
    unit,
  };
}
