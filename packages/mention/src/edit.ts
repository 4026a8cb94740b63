// Moves entities when their text is edited. An entity keeps the characters that are left of it, and grows
// only by text inserted between two of them.
//
//   text     Hi Ada Lovelace!      insert at 3 or at 15: outside, the entity moves or stays
//   entity      [----------)      insert at 5: inside, it grows
//                                 replace 0..6: it starts behind the new text, at its " "
//                                 replace 3..15: none of its characters is left, it is removed

import { type Content, type Entity, type Unit, withRange } from './content.ts';
import { lengthIn, mapOffsets } from './units.ts';

/** Replaces `remove` units at `at` by a text: an insertion if `remove` is 0, a deletion if `insert` is empty. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/**
 * Moves entities through successive edits. The positions of an edit refer to the text after the edits before it.
 * REQUIRES: edits lie within the text and between whole characters. O(edits × entities).
 */
export function mapEntities(
  entities: readonly Entity[],
  edits: readonly Edit[],
  unit: Unit = 'utf16',
): Entity[] {
  let mapped = entities.map((entity) => withRange(entity, entity.start, entity.end));
  for (const edit of edits) {
    const inserted = lengthIn(edit.insert, unit);
    mapped = mapped.flatMap((entity) => shiftEntity(entity, edit.at, edit.at + edit.remove, inserted));
  }
  return mapped;
}

/**
 * Applies successive edits to text and entities. Edits are clamped to the text. An edit that would split a surrogate pair
 * or a UTF-8 sequence is widened to the whole character. O(edits × (n + entities)).
 */
export function applyEdits(content: Content, edits: readonly Edit[]): Content {
  const { unit } = content;
  let { text, entities } = content;
  for (const { at, remove, insert } of edits) {
    const [from, to] = widenToCharacters(text, at, at + remove, unit);
    const [start = 0, end = 0] = mapOffsets(text, [from, to], 'utf16', unit).offsets;
    text = text.slice(0, from) + insert + text.slice(to);
    entities = mapEntities(entities, [{ at: start, remove: end - start, insert }], unit);
  }
  return { text, entities, unit };
}

/** The entity after `from..to` is replaced by `inserted` units; an empty array if none of it is left. */
function shiftEntity(entity: Entity, from: number, to: number, inserted: number): Entity[] {
  const delta = inserted - (to - from);
  const start =
    entity.start >= to ? entity.start + delta : entity.start >= from ? from + inserted : entity.start;
  const end = entity.end > to ? entity.end + delta : Math.min(entity.end, from);
  return end > start ? [withRange(entity, start, end)] : [];
}

/** The range in UTF-16, widened to whole characters. */
function widenToCharacters(text: string, from: number, to: number, unit: Unit): readonly [number, number] {
  const { offsets, broken } = mapOffsets(text, [from, Math.max(from, to)], unit, 'utf16');
  const [start = 0, end = 0] = offsets;
  if (!broken[1] || end === text.length || end < start) return [start, end];
  if (to <= from) return [start, start];
  return [start, to <= 0 ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)];
}
