// The text changes under its entities: where are they now? An entity keeps what is left of its own characters, and
// grows only by what is written between two of them.
//
//   text     Hi Ada Lovelace!      insert at 3 or at 15: outside, the entity moves or stays
//   entity      [----------)      insert at 5: inside, it grows
//                                 replace 0..6: it starts behind the new text, at its " "
//                                 replace 3..15: nothing is left of it, it goes

import { type Content, type Entity, placed, type Unit } from './content.ts';
import { lengthIn, mapOffsets } from './units.ts';

/** Replaces `remove` units at `at` by a text: an insertion where `remove` is 0, a deletion where `insert` is empty. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/**
 * Moves entities through edits, made one after another: each counts in the text that the one before has left. Edits
 * must lie between whole characters, and within the text. O(edits × entities).
 */
export function mapEntities(
  entities: readonly Entity[],
  edits: readonly Edit[],
  unit: Unit = 'utf16',
): Entity[] {
  let mapped = entities.map((entity) => placed(entity, entity.start, entity.end));
  for (const edit of edits) {
    const inserted = lengthIn(edit.insert, unit);
    mapped = mapped.flatMap((entity) => moved(entity, edit.at, edit.at + edit.remove, inserted));
  }
  return mapped;
}

/**
 * Edits text and entities together, one edit after another. Edits are clamped to the text; one that would cut a
 * surrogate pair or a UTF-8 sequence takes the whole character. O(edits × (n + entities)).
 */
export function applyEdits(content: Content, edits: readonly Edit[]): Content {
  const { unit } = content;
  let { text, entities } = content;
  for (const { at, remove, insert } of edits) {
    const [from, to] = wholeCharacters(text, at, at + remove, unit);
    const [start = 0, end = 0] = mapOffsets(text, [from, to], 'utf16', unit).offsets;
    text = text.slice(0, from) + insert + text.slice(to);
    entities = mapEntities(entities, [{ at: start, remove: end - start, insert }], unit);
  }
  return { text, entities, unit };
}

/** The entity after `from..to` became `inserted` units: one, or none if nothing of it is left. */
function moved(entity: Entity, from: number, to: number, inserted: number): Entity[] {
  const grown = inserted - (to - from);
  const start =
    entity.start >= to ? entity.start + grown : entity.start >= from ? from + inserted : entity.start;
  const end = entity.end > to ? entity.end + grown : Math.min(entity.end, from);
  return end > start ? [placed(entity, start, end)] : [];
}

/** A range in UTF-16, widened to whole characters. */
function wholeCharacters(text: string, from: number, to: number, unit: Unit): readonly [number, number] {
  const { offsets, broken } = mapOffsets(text, [from, Math.max(from, to)], unit, 'utf16');
  const [start = 0, end = 0] = offsets;
  if (!broken[1] || end === text.length || end < start) return [start, end];
  if (to <= from) return [start, start];
  return [start, to <= 0 ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)];
}
