// Which fields does a tail know, and by which slots? Those that documents of it have, and the open one. Others are let go:
// what is refused, a document or a batch, may bring as many names as it likes.

import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { Memory } from '../../memory/memory.ts';
import type { TextWindow } from '../terms/text-window.ts';
import { ForwardField, type LentField } from './forward-field.ts';

/** The fields of one tail. */
export class TailFields {
  /** Changed here only. */
  readonly bySlot: (ForwardField | undefined)[] = [];
  readonly #memory: Memory;
  readonly #window: TextWindow;
  #version = 0;

  constructor(memory: Memory, window: TextWindow) {
    this.#memory = memory;
    this.#window = window;
  }

  /** Another number when there are others. */
  get version(): number {
    return this.#version;
  }

  /** In the order of their slots. */
  *[Symbol.iterator](): Generator<ForwardField> {
    for (const field of this.bySlot) if (field !== undefined) yield field;
  }

  /** REQUIRES: its slot is not taken. */
  add(spec: FieldSpec): ForwardField {
    this.#version++;
    // An array with a gap as large as many refused names may leave would become a table of hashes.
    while (this.bySlot.length < spec.slot) this.bySlot.push(undefined);
    return (this.bySlot[spec.slot] = new ForwardField(spec, this.#memory, this.#window));
  }

  /** Forgets what a field says of documents from one on, and the field itself where it says nothing of any other. */
  truncate(field: ForwardField, docCount: number): void {
    field.truncate(field.entryAt(docCount));
    if (field.docs.length === 0) this.#drop(field);
  }

  /** Shows what another thread has lent, and nothing else. */
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
