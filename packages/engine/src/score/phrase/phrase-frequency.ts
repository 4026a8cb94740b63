// How often a phrase occurs in a document, exactly or sloppily. Each slot of the phrase is a sorted list of
// positions; a match of length m (the words that would have to move, in all) counts 1 / (1 + m).
//
//   phrase "a b" with slop 2, document: a x b      a at 0 - 0 = 0, b at 2 - 1 = 1: length 1, counts 1/2
//
// Source of the sloppy part: org.apache.lucene.search.SloppyPhraseMatcher. Slots that share a term may not
// use the same word, which is why colliding slots push each other on.

/** One slot of a phrase in one document. */
export interface PhrasePositions {
  /** Offset of the slot within the phrase. */
  readonly offset: number;
  /** Positions in the document, ascending. */
  positions: Uint32Array;
  count: number;
  /** Slots with the same number >= 0 share a term, directly or through others. */
  readonly group: number;
}

/**
 * Number of exact occurrences. `limit` ends the counting early. An occurrence counts for each time that the first slot lists its
 * position: `repeats` says that this may be more than once.
 */
export function exactFrequency(
  slots: readonly PhrasePositions[],
  limit: number = Number.POSITIVE_INFINITY,
  repeats: boolean = false,
): number {
  let lead = 0;
  for (let i = 1; i < slots.length && !repeats; i++) if (slots[i]!.count < slots[lead]!.count) lead = i;
  const first = slots[lead]!;
  let freq = 0;
  for (let i = 0; i < first.count; i++) {
    const start = first.positions[i]! - first.offset;
    if (start < 0) continue;
    let all = true;
    for (let s = 0; s < slots.length && all; s++) {
      if (s !== lead) all = includes(slots[s]!, start + slots[s]!.offset);
    }
    if (all && ++freq >= limit) return freq;
  }
  return freq;
}

function includes(slot: PhrasePositions, position: number): boolean {
  let low = 0;
  let high = slot.count - 1;
  while (low <= high) {
    const mid = (low + high) >>> 1;
    const p = slot.positions[mid]!;
    if (p === position) return true;
    if (p < position) low = mid + 1;
    else high = mid - 1;
  }
  return false;
}

/** Frequency of sloppy occurrences, a float32. Keeps scratch: one object per phrase. */
export class SloppyFrequency {
  readonly #slop: number;
  readonly #groups: readonly number[][];
  /** Per slot: index of its current position, and that position less its offset. */
  readonly #at: Int32Array;
  readonly #place: Int32Array;
  #slots: readonly PhrasePositions[] = [];
  #end = 0;

  /** REQUIRES: at least two slots, in the order of their offsets. */
  constructor(slots: readonly PhrasePositions[], slop: number) {
    this.#slop = slop;
    this.#at = new Int32Array(slots.length);
    this.#place = new Int32Array(slots.length);
    const groups = new Map<number, number[]>();
    slots.forEach((slot, i) => {
      if (slot.group >= 0) groups.set(slot.group, [...(groups.get(slot.group) ?? []), i]);
    });
    this.#groups = [...groups.values()];
  }

  /** REQUIRES: the slots have the offsets and groups of the constructor's, and at least one position each. */
  frequency(slots: readonly PhrasePositions[]): number {
    this.#slots = slots;
    if (!this.#begin()) return 0;
    let freq = 0;
    for (;;) {
      let moving = this.#least(-1);
      let next = this.#place[this.#least(moving)]!;
      let length = this.#end - this.#place[moving]!;
      let found = false;
      while (this.#advance(moving) && this.#separate(moving)) {
        if (this.#place[moving]! > next) {
          if (length <= this.#slop) {
            found = true;
            break;
          }
          moving = this.#least(-1);
          next = this.#place[this.#least(moving)]!;
          length = this.#end - this.#place[moving]!;
        } else {
          length = Math.min(length, this.#end - this.#place[moving]!);
        }
      }
      if (length <= this.#slop) freq = Math.fround(freq + Math.fround(1 / (1 + length)));
      if (!found) return freq;
    }
  }

  /** Puts every slot on its first position, and moves slots that share terms apart. */
  #begin(): boolean {
    this.#end = Number.MIN_SAFE_INTEGER;
    for (let i = 0; i < this.#slots.length; i++) {
      this.#at[i] = -1;
      this.#advance(i);
    }
    for (const group of this.#groups) {
      for (let g = 0; g < group.length; ) {
        const hit = this.#collision(group[g]!);
        if (hit < 0) {
          g++;
        } else {
          if (!this.#advance(this.#lesser(group[g]!, hit))) return false;
          g = 0;
        }
      }
    }
    return true;
  }

  /** Moves a slot to its next position; false when it has none. */
  #advance(i: number): boolean {
    const slot = this.#slots[i]!;
    const at = ++this.#at[i]!;
    if (at >= slot.count) return false;
    const place = slot.positions[at]! - slot.offset;
    this.#place[i] = place;
    if (place > this.#end) this.#end = place;
    return true;
  }

  /**
   * Moves slots on until none of the group stands on the word of another; false when one has no positions
   * left.
   */
  #separate(moved: number): boolean {
    if (this.#slots[moved]!.group < 0) return true;
    let i = moved;
    for (let hit = this.#collision(i); hit >= 0; hit = this.#collision(i)) {
      i = this.#lesser(i, hit);
      if (!this.#advance(i)) return false;
    }
    return true;
  }

  /** A slot of the same group on the same word, or -1. */
  #collision(i: number): number {
    const { group, offset } = this.#slots[i]!;
    const word = this.#place[i]! + offset;
    for (let k = 0; k < this.#slots.length; k++) {
      const other = this.#slots[k]!;
      if (k !== i && other.group === group && this.#place[k]! + other.offset === word) return k;
    }
    return -1;
  }

  #lesser(a: number, b: number): number {
    const d = this.#place[a]! - this.#place[b]!;
    return d < 0 || (d === 0 && this.#slots[a]!.offset < this.#slots[b]!.offset) ? a : b;
  }

  /** The slot with the least place, other than `but`. */
  #least(but: number): number {
    let best = -1;
    for (let i = 0; i < this.#place.length; i++) {
      if (i !== but && (best < 0 || this.#place[i]! < this.#place[best]!)) best = i;
    }
    return best;
  }
}
