// Records documents for a tail of another thread: a sink that writes down its calls. Words are cut and
// numbered with a term table of its own per field.

import type { PlainText } from '../../analysis/words/ascii-words.ts';
import { immenseTermFault } from '../../mapping/document/write-scalar.ts';
import type { DocSink, FieldSpec } from '../../mapping/field-spec.ts';
import type { Memory } from '../../memory/memory.ts';
import { ForwardField } from '../forward/forward-field.ts';
import { GrowableBytes, GrowableWords } from '../terms/growable.ts';
import { MAX_TERM_BYTES } from '../terms/term-table.ts';
import { TextWindow } from '../terms/text-window.ts';
import {
  CALL_NUMBER,
  CALL_PRESENT,
  CALL_SOURCE_VALUE,
  CALL_TERM,
  CALL_VALUE,
  CALL_WORDS,
  type RecordedDocuments,
} from './recording.ts';

/** When the tables take more, all are started anew. */
const MOST_BYTES = 16 << 20;

interface OwnField {
  readonly number: number;
  readonly spec: FieldSpec;
  readonly forward: ForwardField;
  /** Terms sent so far. */
  sentTerms: number;
}

/** Records documents of one mapping, in batches. */
export class Recorder implements DocSink {
  readonly #memory: Memory;
  readonly #names: ReadonlyMap<FieldSpec, string> | undefined;
  readonly #window: TextWindow;
  readonly #fields = new Map<FieldSpec, OwnField>();
  readonly #calls: GrowableWords;
  readonly #bytes: GrowableBytes;
  #generation = 0;
  #ends: number[] = [];
  #isWhole: number[] = [];
  #source: Uint8Array = new Uint8Array(0);
  #start = 0;

  /**
   * `names`: the names by which the reader of the recordings knows the fields. A field without a name throws.
   * Without `names` there may be new fields, and `take` names them.
   */
  constructor(memory: Memory, names?: ReadonlyMap<FieldSpec, string>) {
    this.#memory = memory;
    this.#names = names;
    this.#window = new TextWindow(memory);
    this.#calls = new GrowableWords(memory);
    this.#bytes = new GrowableBytes(memory);
  }

  /** A document begins at `start` of these bytes. */
  begin(source: Uint8Array, start: number): void {
    this.#source = source;
    this.#start = start;
  }

  /** Ends a document; with `isWhole` false its calls are dropped. */
  end(isWhole: boolean): void {
    if (!isWhole) this.#calls.length = this.#ends.at(-1) ?? 0;
    this.#ends.push(this.#calls.length);
    this.#isWhole.push(isWhole ? 1 : 0);
  }

  /** The documents since the last call. */
  take(names: ReadonlyMap<FieldSpec, string> = this.#names!): RecordedDocuments {
    const recorded = {
      generation: this.#generation,
      ends: Uint32Array.from(this.#ends),
      isWhole: Uint8Array.from(this.#isWhole),
      calls: this.#calls.view.slice(0, this.#calls.length),
      bytes: this.#bytes.view.slice(0, this.#bytes.length),
      fields: Array.from(this.#fields.values(), ({ spec, forward: { table, tokens }, sentTerms }) => ({
        name: names.get(spec)!,
        terms: table.list(sentTerms),
        words: tokens.view.slice(0, tokens.length),
      })),
    };
    this.#calls.length = this.#bytes.length = 0;
    this.#ends = [];
    this.#isWhole = [];
    let bytes = this.#window.bytes + this.#calls.bytes + this.#bytes.bytes;
    for (const field of this.#fields.values()) {
      field.forward.tokens.length = 0;
      field.sentTerms = field.forward.table.count;
      bytes += field.forward.bytes;
    }
    if (bytes > MOST_BYTES) this.release();
    return recorded;
  }

  /** Frees all memory; recording may go on. */
  release(): void {
    for (const each of [this.#window, this.#calls, this.#bytes]) each.release();
    this.#calls.view = new Uint32Array(0);
    this.#bytes.view = new Uint8Array(0);
    for (const { forward } of this.#fields.values()) forward.release();
    this.#fields.clear();
    this.#generation++;
  }

  term(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    overlap: boolean = false,
  ): void {
    const field = this.#field(spec);
    if (end - start > MAX_TERM_BYTES) throw immenseTermFault(spec.path, bytes, start, end);
    const n = field.forward.table.intern(bytes, start, end);
    this.#call(CALL_TERM, field, n, position, overlap ? 1 : 0);
  }

  text(
    spec: FieldSpec,
    bytes: Uint8Array,
    start: number,
    end: number,
    base: number,
    plain: PlainText,
  ): number {
    const field = this.#field(spec);
    const first = field.forward.tokens.length;
    const count = field.forward.text(bytes, start, end, base, plain);
    this.#call(CALL_WORDS, field, first, count, base);
    return count;
  }

  keyword(spec: FieldSpec, bytes: Uint8Array, start: number, end: number): void {
    const field = this.#field(spec);
    if (end - start > MAX_TERM_BYTES) throw immenseTermFault(spec.path, bytes, start, end);
    if (bytes === this.#source) {
      this.#call(CALL_SOURCE_VALUE, field, start - this.#start, end - this.#start);
      return;
    }
    const from = this.#bytes.length;
    this.#bytes.append(bytes, start, end);
    this.#call(CALL_VALUE, field, from, this.#bytes.length);
  }

  numeric(spec: FieldSpec, hi: number, lo: number): void {
    this.#call(CALL_NUMBER, this.#field(spec), hi, lo);
  }

  present(spec: FieldSpec): void {
    this.#call(CALL_PRESENT, this.#field(spec));
  }

  #call(kind: number, { number }: OwnField, first?: number, second?: number, third?: number): void {
    const calls = this.#calls;
    calls.push(kind | (number << 3));
    if (first !== undefined) calls.push(first);
    if (second !== undefined) calls.push(second);
    if (third !== undefined) calls.push(third);
  }

  #field(spec: FieldSpec): OwnField {
    return this.#fields.get(spec) ?? this.#add(spec);
  }

  #add(spec: FieldSpec): OwnField {
    if (this.#names?.has(spec) === false) throw new Error(`a field without a name: [${spec.path}]`);
    // Only words and their numbers: positions are assigned when the recording is played.
    const plain: FieldSpec = { ...spec, index: 'freqs', norms: false, column: 'none' };
    const forward = new ForwardField(plain, this.#memory, this.#window);
    const field = { number: this.#fields.size, spec, forward, sentTerms: 0 };
    this.#fields.set(spec, field);
    return field;
  }
}
