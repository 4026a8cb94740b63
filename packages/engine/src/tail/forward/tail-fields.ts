// The fields of a tail, by slot: those that its documents have, and those of the open document. Others
// are dropped: refused documents may bring any number of names.

import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { Memory } from '../../memory/memory.ts';
import type { TextWindow } from '../terms/text-window.ts';
import { ForwardField, type LentField } from './forward-field.ts';

/** The fields of one tail. */
export class TailFields {
  /** Read-only for others. */
  readonly bySlot: (ForwardField | undefined)[] = [];
  readonly #memory: Memory;
  readonly #window: TextWindow;
  #version = 0;

  constructor(memory: Memory, window: TextWindow) {
    this.#memory = memory;
    this.#window = window;
  }

  /** Changes when fields are added or dropped. */
  get version(): number {
    return this.#version;
  }

  /** In the order of their slots. */
  *[Symbol.iterator](): Generator<ForwardField> {
    for (const field of this.bySlot) if (field !== undefined) yield field;
  }

  /** Adds a field. REQUIRES: its slot is free. */
  add(spec: FieldSpec): ForwardField {
    this.#version++;
    // Filled up: V8 turns an array with a large gap, as refused names may leave, into a hash table.
    while (this.bySlot.length < spec.slot) this.bySlot.push(undefined);
    return (this.bySlot[spec.slot] = new ForwardField(spec, this.#memory, this.#window));
  }

  /** Drops the entries of documents from `docCount` on, and the field itself if none is left. */
  truncate(field: ForwardField, docCount: number): void {
    field.truncate(field.entryAt(docCount));
    if (field.docs.length === 0) this.#drop(field);
  }

  /** Replaces all fields by those that another thread has lent. */
  borrow(fields: readonly LentField[]): void {
    const slots = new Set(fields.map(({ spec }) => spec.slot));
    for (const field of this) if (!slots.has(field.spec.slot)) this.#drop(field);
    for (const lent of fields) (this.bySlot[lent.spec.slot] ?? this.add(lent.spec)).borrow(lent);
  }

  release(): void {
    for (const field of this) field.release();
    this.bySlot.length = 0;
  }

  #drop(field: ForwardField): void {
    this.#version++;
    field.release();
    this.bySlot[field.spec.slot] = undefined;
  }
}
