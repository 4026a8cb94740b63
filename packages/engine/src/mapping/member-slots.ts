// The slots that a top-level member of a document feeds, if no other member feeds them. A partial update
// of such members only need not map the whole document again.

import { Field } from './field.ts';
import type { ObjectNode } from './mapping-nodes.ts';
import type { FieldKind, FieldType, Mapping } from './types/type.ts';

/** Kinds whose values go to the slot of their field only. */
const PLAIN: ReadonlySet<string> = new Set<FieldKind>([
  ...(['text', 'keyword', 'boolean', 'date', 'ip', 'long', 'integer', 'short', 'byte'] as const),
  ...(['unsigned_long', 'double', 'float', 'half_float', 'scaled_float'] as const),
]);

/** Implements `Mapping.slotsOfMembers`. */
export function slotsOfMembers(
  root: ObjectNode,
  fields: Iterable<FieldType>,
  names: readonly string[],
): ReadonlySet<number> | undefined {
  if (!root.def.enabled) return undefined;
  for (const field of fields) {
    if (!(field instanceof Field) || field.copyTo.length > 0) return undefined;
    // Other members may be its contexts.
    if (field.completion?.contexts.some(({ path }) => path !== undefined) === true) return undefined;
  }
  const slots = new Set<number>();
  for (const name of names) {
    const node = root.children.get(name);
    // A dotted name leads to a field that other members can name too.
    if (node?.kind !== 'field' || name.includes('.')) return undefined;
    for (const field of [node.field, ...node.field.multi]) {
      if (!PLAIN.has(field.kind)) return undefined;
      slots.add(field.spec.slot);
    }
  }
  return slots;
}

/** Remembers the last result, because the patches of a bulk name the same members again and again. */
export class MemberSlots {
  #mapping: Mapping | undefined;
  #names: readonly string[] = [];
  #slots: ReadonlySet<number> | undefined;

  find(mapping: Mapping, names: readonly string[]): ReadonlySet<number> | undefined {
    const last = this.#names;
    if (
      mapping !== this.#mapping ||
      !names.every((name, i) => name === last[i]) ||
      names.length !== last.length
    ) {
      this.#mapping = mapping;
      this.#names = names;
      this.#slots = mapping.slotsOfMembers(names);
    }
    return this.#slots;
  }
}
