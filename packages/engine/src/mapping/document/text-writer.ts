// Writes the text fields of a document as terms at positions: each value by the field's analyzer, the
// values of an array one after the other with the field's position gap between them.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { Field } from '../field.ts';
import type { DocSink, FieldSpec } from '../field-spec.ts';
import { MAX_TERM } from '../types/keywords.ts';
import { immenseTermFault, type Scalar } from './write-scalar.ts';

/** Occurrences of terms in one value, where the text says how often each counts. */
const MAX_OCCURRENCES = 100_000;

/** Keeps the next position per slot; reused for all documents, with one closure. */
export class TextWriter {
  #sink!: DocSink;
  /** Next position per slot, valid where #stamps holds the current document. */
  #positions = new Int32Array(64);
  #stamps = new Int32Array(64);
  #document = 0;
  #spec!: FieldSpec;
  #base = 0;
  #count = 0;
  /** Whether overlaps do not count for the length. */
  #discounts = true;
  /** Occurrences of the terms of a value that sets frequencies. */
  #occurrences = 0;
  readonly #emit = (
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    overlap: boolean,
  ): void => {
    if (end - start > MAX_TERM) throw immenseTermFault(this.#spec.path, bytes, start, end);
    this.#count++;
    this.#sink.term(this.#spec, bytes, start, end, this.#base + position, overlap && this.#discounts);
  };

  /** As `#emit`, for terms that count several times. Only an index of frequencies without positions has a place for that. */
  readonly #emitCounted = (
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    overlap: boolean,
    frequency = 1,
  ): void => {
    if (frequency > 1 && this.#spec.index !== 'freqs') {
      const must = this.#spec.index === 'positions' ? 'cannot index positions' : 'must index term freq';
      throw new EngineError(
        'illegal_state_exception',
        `field "${this.#spec.path}": ${must} while using custom TermFrequencyAttribute`,
      );
    }
    this.#occurrences += frequency;
    if (this.#occurrences > MAX_OCCURRENCES)
      throw illegalArgument(
        `The terms of a value of field [${this.#spec.path}] occur more than ${MAX_OCCURRENCES} times: give lower frequencies`,
      );
    this.#emit(bytes, start, end, position, overlap);
    for (let i = 1; i < frequency; i++) this.#emit(bytes, start, end, position, false);
  };

  /** A new document begins. */
  begin(sink: DocSink): void {
    this.#sink = sink;
    this.#document = (this.#document + 1) | 0;
  }

  /** One value of a text field. */
  write(target: Field, value: Scalar): void {
    const { spec } = target;
    if (spec.index === 'none') {
      this.#sink.present(spec);
      return;
    }
    const slot = spec.slot;
    if (slot >= this.#positions.length) this.#grow(slot);
    this.#spec = spec;
    this.#base =
      this.#stamps[slot] === this.#document ? this.#positions[slot]! + target.analyzer!.positionGap : 0;
    this.#positions[slot] = this.#base + this.#terms(target, value);
    this.#stamps[slot] = this.#document;
  }

  /** Positions that the value takes. */
  #terms(target: Field, { bytes, start, stop }: Scalar): number {
    const sink = this.#sink;
    const { plain } = target.analyzer!;
    if (plain !== undefined && sink.text !== undefined)
      return sink.text(target.spec, bytes, start, stop, this.#base, plain);
    this.#count = 0;
    this.#discounts = target.similarity.discountsOverlaps;
    this.#occurrences = 0;
    const emit = target.analyzer!.setsFrequencies === true ? this.#emitCounted : this.#emit;
    const length = target.analyzer!.analyzeBytes(bytes, start, stop, emit);
    if (this.#count === 0) sink.present(target.spec);
    return length;
  }

  #grow(slot: number): void {
    const size = Math.max(slot + 1, this.#positions.length * 2);
    const positions = new Int32Array(size);
    positions.set(this.#positions);
    const stamps = new Int32Array(size);
    stamps.set(this.#stamps);
    this.#positions = positions;
    this.#stamps = stamps;
  }
}
