// Which fields does a member of a document feed, that nothing else in the document does? Where that is known, a document of
// which only such members have changed need not be read as a whole.

import { Field } from './field.ts';
import type { ObjectNode } from './mapping-nodes.ts';
import type { FieldKind, FieldType, Mapping } from './types/type.ts';

/** Kinds whose values go to the slot of their field, and nowhere else. */
const PLAIN: ReadonlySet<string> = new Set<FieldKind>([
  ...(['text', 'keyword', 'boolean', 'date', 'ip', 'long', 'integer', 'short', 'byte'] as const),
  ...(['unsigned_long', 'double', 'float', 'half_float', 'scaled_float'] as const),
]);

/** As `Mapping.slotsFed` has it. */
export function slotsOfMembers(
  root: ObjectNode,
  fields: Iterable<FieldType>,
  names: readonly string[],
): ReadonlySet<number> | undefined {
  if (!root.def.enabled) return undefined;
  for (const field of fields) if (!(field instanceof Field) || field.copyTo.length > 0) return undefined;
  const slots = new Set<number>();
  for (const name of names) {
    const node = root.children.get(name);
    // A name with a dot is the way to a field that has other names as well.
    if (node?.kind !== 'field' || name.includes('.')) return undefined;
    for (const field of [node.field, ...node.field.multi]) {
      if (!PLAIN.has(field.kind)) return undefined;
      slots.add(field.spec.slot);
    }
  }
  return slots;
}

/** The same for patches that name the same members again and again, as those of a bulk do. */
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
