// Maps offsets of a chunk to its file: a list of stretches by their start in the chunk, with the ends and
// checksums of their units. Memory: 8 bytes per 4,096 packed bytes and 4 per 4,096 raw ones (a thousandth), 8
// bytes per append, and 24 more for an append that is packed, has several units or does not follow another raw
// one. A document in a segment takes more than that.

import { type FileStretch, headLength, STRETCH_HEADER, stretchEnd, type UnitTable } from './stretch.ts';

/** Position of a vocabulary in the file. */
interface VocabularyPlace {
  /** Its CRC-32. */
  readonly crc: number;
  /** Offset of its bytes in the file. */
  readonly place: number;
  readonly length: number;
}

/** A growable array of numbers below 2^32. */
class Numbers {
  #values = new Uint32Array(16);
  length = 0;

  at(i: number): number {
    return this.#values[i]!;
  }

  set(i: number, value: number): void {
    this.#values[i] = value;
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

/** The stretches of a file. Those with bytes of the chunk ascend by start and do not overlap. */
export class StretchMap {
  readonly #starts = new Numbers();
  // Columns by run. A run is one stretch, or raw stretches of one unit each that follow each other in the
  // chunk and in the file. (Without checksums, a raw stretch of any length counts as one unit.)
  /** First stretch of the run. */
  readonly #runs = new Numbers();
  /** Offset of its payload in the file. */
  readonly #places = new Numbers();
  /** Bytes of the chunk in the last stretch of the run. */
  readonly #lengths = new Numbers();
  /** CRC of the vocabulary; 0 if raw. */
  readonly #crcs = new Numbers();
  /** Index of the first unit in #ends. */
  readonly #firsts = new Numbers();
  /** Ends of units in the file. */
  readonly #ends = new Numbers();
  /** Index of the first checksum in #sums. */
  readonly #sumFirsts = new Numbers();
  readonly #sums = new Numbers();
  /** The run found last. */
  #run = 0;
  #vocabularies: VocabularyPlace[] = [];
  /** Offset in the file behind the last stretch. */
  end: number;
  readonly #begin: number;

  /** `begin`: offset in the file of the first stretch. */
  constructor(begin: number) {
    this.#begin = begin;
    this.end = begin;
  }

  /** Whether units have checksums. All stretches of a file have them, or none. */
  get isSummed(): boolean {
    return this.#sums.length > 0;
  }

  /** Number of stretches with bytes of the chunk. */
  get count(): number {
    return this.#starts.length;
  }

  get vocabularies(): readonly VocabularyPlace[] {
    return this.#vocabularies;
  }

  /** Offset in the chunk behind the last byte; 0 if there is none. */
  get size(): number {
    return this.count === 0 ? 0 : this.stopOf(this.count - 1);
  }

  /** Memory in bytes. */
  get bytes(): number {
    return this.#starts.bytes + this.#runs.bytes * 6 + this.#ends.bytes + this.#sums.bytes;
  }

  /** Adds the next stretch of the file. It replaces the bytes of earlier stretches from its start on. */
  add(stretch: FileStretch, { ends, sums }: UnitTable): void {
    this.end = stretchEnd(stretch);
    const place = stretch.place + headLength(stretch);
    if (stretch.kind === 'vocabulary') {
      this.#vocabularies.push({ crc: stretch.vocabulary, place, length: stretch.payload });
      return;
    }
    this.#cut(stretch.start);
    const last = this.#runs.length - 1;
    const follows =
      stretch.kind === 'raw' &&
      sums.length <= 1 &&
      last >= 0 &&
      this.#crcs.at(last) === 0 &&
      this.#sums.length - this.#sumFirsts.at(last) === sums.length * (this.count - this.#runs.at(last)) &&
      stretch.start === this.size &&
      stretch.place === this.fileEnd(this.count - 1);
    if (follows) this.#lengths.set(last, stretch.length);
    else {
      this.#runs.push(this.count);
      this.#places.push(place);
      this.#lengths.push(stretch.length);
      this.#crcs.push(stretch.kind === 'packed' ? stretch.vocabulary : 0);
      this.#firsts.push(this.#ends.length);
      this.#sumFirsts.push(this.#sums.length);
      this.#ends.pushAll(ends);
    }
    this.#sums.pushAll(sums);
    this.#starts.push(stretch.start);
  }

  /** Removes the stretches that begin at or behind `start`; returns the length to truncate the file to. */
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
    const length = count === 0 ? 0 : this.stopOf(count - 1) - this.#starts.at(count - 1);
    const runs = count === 0 ? 0 : this.#runOf(count - 1) + 1;
    if (runs < this.#runs.length) {
      this.#ends.length = this.#firsts.at(runs);
      this.#sums.length = this.#sumFirsts.at(runs);
    }
    // Stretches are cut out of a run only if each has one unit.
    if (runs > 0 && this.isSummed && this.#behind(runs - 1) > count)
      this.#sums.length = this.#sumFirsts.at(runs - 1) + count - this.#runs.at(runs - 1);
    for (const numbers of [
      this.#runs,
      this.#places,
      this.#lengths,
      this.#crcs,
      this.#firsts,
      this.#sumFirsts,
    ])
      numbers.length = runs;
    if (runs > 0) this.#lengths.set(runs - 1, length);
    this.#starts.length = count;
  }

  /** The run of a stretch. */
  #runOf(i: number): number {
    // Mostly all raw stretches come before packed ones: then it is a subtraction.
    const far = i - this.count + this.#runs.length;
    if (far >= 0 && this.#runs.at(far) === i) return far;
    const run = this.#run;
    if (run < this.#runs.length && this.#runs.at(run) <= i && i < this.#behind(run)) return run;
    this.#run = lastUpTo(this.#runs, i);
    return this.#run;
  }

  /** The stretch behind those of a run. */
  #behind(run: number): number {
    return run + 1 < this.#runs.length ? this.#runs.at(run + 1) : this.count;
  }

  /** The last stretch that begins at or before an offset of the chunk; -1 if there is none. O(log n). */
  find(offset: number): number {
    return lastUpTo(this.#starts, offset);
  }

  startOf(i: number): number {
    return this.#starts.at(i);
  }

  /** Offset in the chunk behind a stretch. */
  stopOf(i: number): number {
    const run = this.#runOf(i);
    return i + 1 < this.#behind(run) ? this.#starts.at(i + 1) : this.#starts.at(i) + this.#lengths.at(run);
  }

  /** Offset in the file of the payload of a stretch. */
  placeOf(i: number): number {
    const run = this.#runOf(i);
    const first = this.#runs.at(run);
    const before = this.#starts.at(i) - this.#starts.at(first);
    return this.#places.at(run) + before + (i - first) * (STRETCH_HEADER + (this.isSummed ? 4 : 0));
  }

  /** CRC-32 of a unit of a stretch. REQUIRES: units have checksums. */
  sumOf(i: number, unit: number): number {
    const run = this.#runOf(i);
    return this.#sums.at(this.#sumFirsts.at(run) + i - this.#runs.at(run) + unit);
  }

  /** CRC of the vocabulary that a stretch is packed with; 0 if raw. */
  vocabularyOf(i: number): number {
    return this.#crcs.at(this.#runOf(i));
  }

  /** Offset in the file of a unit of a packed stretch; with the number of units, the end of the last one. */
  unitPlace(i: number, unit: number): number {
    const run = this.#runOf(i);
    return unit === 0 ? this.#places.at(run) : this.#ends.at(this.#firsts.at(run) + unit - 1);
  }

  /** Offset in the file behind a stretch. */
  fileEnd(i: number): number {
    const run = this.#runOf(i);
    if (this.#crcs.at(run) === 0) return this.placeOf(i) + this.stopOf(i) - this.#starts.at(i);
    const after = run + 1 < this.#runs.length ? this.#firsts.at(run + 1) : this.#ends.length;
    return this.#ends.at(after - 1);
  }
}

/** Index of the last of ascending numbers that is not above `most`; -1 if there is none. O(log n). */
function lastUpTo(numbers: Numbers, most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers.at(middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
