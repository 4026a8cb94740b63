// Where in its file does a byte of a chunk lie? A list of stretches, by their starts in the chunk, with the ends of their
// units: 4 bytes for each 4,096 of the chunk, and some 20 for each append.

import { endOf, headOf, type Stretch } from './stretch.ts';

/** A vocabulary in the file. */
export interface VocabularyPlace {
  /** Its CRC-32. */
  readonly crc: number;
  /** Of its bytes in the file. */
  readonly place: number;
  readonly length: number;
}

/** Numbers below 2^32, as many as are pushed. */
class Numbers {
  #values = new Uint32Array(16);
  length = 0;

  at(i: number): number {
    return this.#values[i]!;
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  pushAll(values: Uint32Array): void {
    for (const value of values) this.push(value);
  }

  get bytes(): number {
    return this.#values.byteLength;
  }
}

/** The stretches of a file. Those that hold something ascend by start and do not overlap. */
export class StretchMap {
  readonly #starts = new Numbers();
  readonly #lengths = new Numbers();
  /** Of payloads in the file. */
  readonly #places = new Numbers();
  /** CRC of the vocabulary; 0 where it is raw. */
  readonly #crcs = new Numbers();
  /** Of the first unit in #ends. */
  readonly #firsts = new Numbers();
  /** Of units in the file. */
  readonly #ends = new Numbers();
  #vocabularies: VocabularyPlace[] = [];
  /** Offset in the file behind the last stretch: where the next one goes. */
  end: number;
  readonly #begin: number;

  /** `begin`: offset in the file of the first stretch. */
  constructor(begin: number) {
    this.#begin = begin;
    this.end = begin;
  }

  /** Number of stretches that hold something. */
  get count(): number {
    return this.#starts.length;
  }

  get vocabularies(): readonly VocabularyPlace[] {
    return this.#vocabularies;
  }

  /** Offset in the chunk behind the last byte; 0 when there is none. */
  get size(): number {
    return this.count === 0 ? 0 : this.stopOf(this.count - 1);
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#starts.bytes * 5 + this.#ends.bytes;
  }

  /** The next stretch of the file. What it holds replaces what those before it held from its start on. */
  add(stretch: Stretch, ends: Uint32Array): void {
    this.end = endOf(stretch);
    const place = stretch.place + headOf(stretch);
    if (stretch.kind === 'vocabulary') {
      this.#vocabularies.push({ crc: stretch.vocabulary, place, length: stretch.payload });
      return;
    }
    this.#cut(stretch.start);
    this.#starts.push(stretch.start);
    this.#lengths.push(stretch.length);
    this.#places.push(place);
    this.#crcs.push(stretch.kind === 'packed' ? stretch.vocabulary : 0);
    this.#firsts.push(this.#ends.length);
    this.#ends.pushAll(ends);
  }

  /** Forgets the stretches that begin at `start` of the chunk or behind it; returns where the file has to end for it. */
  truncate(start: number): number {
    this.#cut(start);
    this.end = this.count === 0 ? this.#begin : this.fileEnd(this.count - 1);
    this.#vocabularies = this.#vocabularies.filter(({ place }) => place < this.end);
    return this.end;
  }

  #cut(start: number): void {
    let count = this.count;
    while (count > 0 && this.#starts.at(count - 1) >= start) count--;
    if (count === this.count) return;
    this.#ends.length = this.#firsts.at(count);
    for (const numbers of [this.#starts, this.#lengths, this.#places, this.#crcs, this.#firsts])
      numbers.length = count;
  }

  /** The last stretch that begins at or before an offset of the chunk; -1 where there is none. O(log n). */
  find(offset: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts.at(middle) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  startOf(i: number): number {
    return this.#starts.at(i);
  }

  /** Offset in the chunk behind what a stretch holds. */
  stopOf(i: number): number {
    return this.#starts.at(i) + this.#lengths.at(i);
  }

  /** Offset in the file of the payload of a stretch. */
  placeOf(i: number): number {
    return this.#places.at(i);
  }

  /** CRC of the vocabulary that a stretch is packed with; 0 where it is raw. */
  vocabularyOf(i: number): number {
    return this.#crcs.at(i);
  }

  /** Offset in the file of a unit of a packed stretch, or, with their number, behind the last one. */
  unitPlace(i: number, unit: number): number {
    return unit === 0 ? this.#places.at(i) : this.#ends.at(this.#firsts.at(i) + unit - 1);
  }

  /** Offset in the file behind a stretch. */
  fileEnd(i: number): number {
    const after = i + 1 < this.count ? this.#firsts.at(i + 1) : this.#ends.length;
    return after === this.#firsts.at(i) ? this.#places.at(i) + this.#lengths.at(i) : this.#ends.at(after - 1);
  }
}
