// A recording of documents that another thread has read: the calls that they make on a tail, in order,
// with the words of texts as that thread's term numbers. Playing it into a tail gives the same result as
// mapping the documents here, down to the numbers of the terms.
//
//   calls   per call a head (kind | field << 3), then
//           WORDS first word, count, position | TERM number, position, overlap
//           VALUE start, end in `bytes` | HERE start, end in the document | NUMBER hi, lo | PRESENT

import type { FieldSpec } from '../../mapping/field-spec.ts';
import { releaseBuffers } from '../../memory/release-buffers.ts';
import type { ForwardField } from '../forward/forward-field.ts';
import { ForeignTerms } from '../terms/foreign-terms.ts';
import type { TermList } from '../terms/term-table.ts';

export const CALL_WORDS = 0;
export const CALL_TERM = 1;
export const CALL_VALUE = 2;
export const CALL_SOURCE_VALUE = 3;
export const CALL_NUMBER = 4;
export const CALL_PRESENT = 5;

/** Words of calls in a step: some 150 calls, each of which may add a field. */
const STEP = 512;

/** Receives the fields of a document: a tail. */
interface FieldEntries {
  /** The field, with an entry for the open document. */
  entry(spec: FieldSpec): ForwardField;
}

/** A field of a recording. */
interface RecordedField {
  /** The name in `fieldSpecsByName`. */
  readonly name: string;
  /** Terms that earlier recordings have not sent. */
  readonly terms: TermList;
  /** Term numbers of the words of all texts, concatenated. */
  readonly words: Uint32Array;
}

/** The message between the threads. */
export interface RecordedDocuments {
  /** When it changes, the terms of all fields are numbered anew. */
  readonly generation: number;
  /** Where the calls of each document end. A document that could not be recorded has none ... */
  readonly ends: Uint32Array;
  /** ... and a 0 here. */
  readonly isWhole: Uint8Array;
  readonly calls: Uint32Array;
  /** Values that do not occur verbatim in the documents. */
  readonly bytes: Uint8Array;
  readonly fields: readonly RecordedField[];
}

interface PlayedField {
  readonly spec: FieldSpec;
  readonly terms: ForeignTerms;
  readonly words: Uint32Array;
}

/** Reads the recordings of one recorder, in order. */
export class RecordingReader {
  readonly #specs: ReadonlyMap<string, FieldSpec>;
  #generation = -1;
  #terms = new Map<string, ForeignTerms>();

  /** `specs`: the fields of the mapping that the documents were read under, by name. */
  constructor(specs: ReadonlyMap<string, FieldSpec>) {
    this.#specs = specs;
  }

  /** Reads the next recording. None may be skipped. Throws if a field is not mapped. */
  next(recorded: RecordedDocuments): Recording {
    if (recorded.generation !== this.#generation) {
      this.#generation = recorded.generation;
      this.#terms = new Map();
    }
    const fields = recorded.fields.map(({ name, terms: more, words }): PlayedField => {
      const spec = this.#specs.get(name);
      if (spec === undefined) throw new Error(`a recording of the field [${name}], which is not mapped`);
      let terms = this.#terms.get(name);
      if (terms === undefined) this.#terms.set(name, (terms = new ForeignTerms()));
      terms.extend(more);
      return { spec, terms, words };
    });
    return new Recording(recorded, fields);
  }
}

/** Documents that another thread has read. */
export class Recording {
  readonly #recorded: RecordedDocuments;
  readonly #fields: readonly PlayedField[];

  constructor(recorded: RecordedDocuments, fields: readonly PlayedField[]) {
    this.#recorded = recorded;
    this.#fields = fields;
  }

  /** False for a document that this thread must map itself: it is malformed, or extends the mapping. */
  has(document: number): boolean {
    return this.#recorded.isWhole[document] === 1;
  }

  /** Frees its memory now: with every write comes a lot of it. REQUIRES: not played again. */
  release(): void {
    const { ends, isWhole, calls, bytes } = this.#recorded;
    releaseBuffers([ends, isWhole, calls, bytes, ...this.#fields.map(({ words }) => words)]);
  }

  /**
   * Replays the calls of a document. REQUIRES: it is open in the tail; `has(document)`; `source` are its
   * bytes.
   */
  play(document: number, source: Uint8Array, tail: FieldEntries): void {
    this.#play(this.#start(document), this.#recorded.ends[document]!, source, tail);
  }

  /** As `play`, for a large document: yields every `STEP` words of calls. */
  *playInSteps(document: number, source: Uint8Array, tail: FieldEntries): Generator<void, void> {
    const end = this.#recorded.ends[document]!;
    for (let at = this.#start(document); at < end; ) {
      at = this.#play(at, Math.min(at + STEP, end), source, tail);
      yield;
    }
  }

  #start(document: number): number {
    return document === 0 ? 0 : this.#recorded.ends[document - 1]!;
  }

  /** Replays the calls that begin in [from, end), and returns where the last of them ends. */
  #play(from: number, end: number, source: Uint8Array, tail: FieldEntries): number {
    const { calls, bytes } = this.#recorded;
    let at = from;
    while (at < end) {
      const head = calls[at]!;
      const { spec, terms, words } = this.#fields[head >>> 3]!;
      const entry = tail.entry(spec);
      const first = calls[at + 1]!;
      const second = calls[at + 2]!;
      switch (head & 7) {
        case CALL_WORDS:
          entry.words(words, first, first + second, calls[at + 3]!, terms);
          at += 4;
          break;
        case CALL_TERM:
          entry.foreignTerm(terms, first, second, calls[at + 3] === 1);
          at += 4;
          break;
        case CALL_VALUE:
          entry.value(bytes, first, second);
          at += 3;
          break;
        case CALL_SOURCE_VALUE:
          entry.value(source, first, second);
          at += 3;
          break;
        case CALL_NUMBER:
          entry.number(first, second);
          at += 3;
          break;
        default:
          at += 1;
      }
    }
    return at;
  }
}
