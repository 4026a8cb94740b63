// Prints content as markup, in one canonical form: entities in order, attributes in order, four characters
// escaped.

import { ATTRIBUTES, type Content, type Entity, withRange } from './content.ts';
import { escapeMarkup } from './escape.ts';
import { wellFormed } from './unicode.ts';
import { convertUnit, mapOffsets } from './units.ts';
import { isEntity } from './validate.ts';

/**
 * The canonical form of content. Content without faults only gets its entities sorted. O(n + k log k).
 *
 * - Entities are in order. Those that `validateContent` would report are left out.
 * - Of two entities that share text, the first one stays. Of two with the same start, the shorter one stays.
 * - Lone surrogates become U+FFFD and U+0000 becomes a space.
 */
export function normalizeContent(content: Content): Content {
  const { unit } = content;
  const text = wellFormed(content.text);
  const sound = content.entities.filter((entity) => isEntity(entity) && isRange(entity));
  const all = sound.flatMap(({ start, end }) => [start, end]);
  // An offset is a character boundary if it survives the conversion into another unit.
  const { broken } = mapOffsets(text, all, unit, 'utf16');
  const whole = sound.filter((_, i) => !broken[2 * i] && !broken[2 * i + 1]);
  const entities: Entity[] = [];
  for (const entity of whole.sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (entity.start >= (entities.at(-1)?.end ?? 0))
      entities.push(withRange(entity, entity.start, entity.end));
  }
  return { text, entities, unit };
}

/**
 * Content as markup. The content is normalized first, so this never throws. `parseMarkup` of the result equals
 * `normalizeContent(content)` counted in UTF-16. O(n + k log k).
 */
export function toMarkup(content: Content): string {
  const { text, entities } = convertUnit(normalizeContent(content), 'utf16');
  const parts: string[] = [];
  let at = 0;
  for (const entity of entities) {
    parts.push(escapeMarkup(text.slice(at, entity.start)));
    parts.push(`<${entity.kind}${attributesOf(entity)}>`);
    parts.push(escapeMarkup(text.slice(entity.start, entity.end)), `</${entity.kind}>`);
    at = entity.end;
  }
  parts.push(escapeMarkup(text.slice(at)));
  return parts.join('');
}

function attributesOf(entity: Entity): string {
  return ATTRIBUTES[entity.kind]
    .filter((name) => entity[name] !== undefined)
    .map((name) => ` ${name}="${escapeMarkup(entity[name] ?? '')}"`)
    .join('');
}

function isRange({ start, end }: Entity): boolean {
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end > start;
}
