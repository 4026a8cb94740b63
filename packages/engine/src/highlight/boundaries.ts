// Boundaries between sentences and words of one value, and the boundaries of a passage of bounded length
// (OpenSearch: BoundedBreakIteratorScanner). The rules are those of Java's BreakIterator, by which the peer
// cuts; those of Unicode (Intl.Segmenter) cut `e-mail` and behind `No. 5`.

/** Finds the passage around an offset of a text. Offsets ascend from call to call. */
export interface PassageBoundaries {
  /** The passage that holds the character at `offset`; `end` exclusive. */
  around(offset: number): { readonly start: number; readonly end: number };
}

/**
 * One sentence. `!` and `?` end it in any case. A full stop ends it before white space and a letter that is not lower case, or
 * before punctuation that can begin a sentence and a letter.
 */
const SENTENCE =
  /.*?(?:\u2029|[!?\u3002\uff01\uff1f][!?\u3002\uff01\uff1f.\uff0e\p{Pe}\p{Pf}"']*[\t\r\f\n\u2028\p{Zs}]*\u2029?|[.\uff0e][.\uff0e\p{Pe}\p{Pf}"']*(?:[\t\r\f\n\u2028\p{Zs}]+(?=(?!\p{Ll})\p{L})|[\t\r\f\n\u2028\p{Zs}]*(?=[^\p{L}\p{N}\s.!?\u2029]+\p{L})|[\t\r\f\n\u2028\p{Zs}]*\u2029)|$)/suy;

/**
 * One word, number, run of white space, or any other character. Words and numbers may hold single marks: `don't`, `e-mail`,
 * `foo_bar`, `3.14`.
 */
const WORD =
  /(?:\p{L}[\p{L}\p{M}]*(?:[\p{Pd}\p{Pc}\u00ad\u2027"'.](?=\p{L})[\p{L}\p{M}]+)*|(?:[\p{Sc}#.](?=\p{N}))?\p{N}+(?:["',.\u066b]\p{N}+)*[\u00a2%\u066a\u2030\u2031&]?)+|[\t\p{Zs}]+\r?[\n\f\u2028\u2029]?|\r?[\n\f\u2028\u2029]|./suy;

/** Sorted boundaries of a text, 0 and its length among them. */
export class Boundaries {
  readonly #at: readonly number[];

  constructor(text: string, unit: 'sentence' | 'word') {
    const rule = unit === 'sentence' ? SENTENCE : WORD;
    const at = [0];
    rule.lastIndex = 0;
    while (rule.lastIndex < text.length && rule.test(text)) at.push(rule.lastIndex);
    rule.lastIndex = 0;
    this.#at = at;
  }

  /** The last boundary before `offset`; the first one of all where there is none. */
  preceding(offset: number): number {
    return this.#at[Math.max(0, this.#lowerBound(offset) - 1)] ?? 0;
  }

  /** The first boundary behind `offset`; undefined at the end of the text. */
  following(offset: number): number | undefined {
    return this.#at[this.#lowerBound(offset + 1)];
  }

  /** The first place in the list whose boundary is at or behind `offset`. */
  #lowerBound(offset: number): number {
    let [low, high] = [0, this.#at.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Passages between two neighbouring boundaries, of any length. */
export class UnboundedPassages implements PassageBoundaries {
  readonly #boundaries: Boundaries;
  readonly #length: number;

  constructor(text: string, unit: 'sentence' | 'word') {
    this.#boundaries = new Boundaries(text, unit);
    this.#length = text.length;
  }

  around(offset: number): { start: number; end: number } {
    return {
      start: this.#boundaries.preceding(offset + 1),
      end: this.#boundaries.following(offset) ?? this.#length,
    };
  }
}

/** Passages of whole sentences up to a length. A longer sentence is cut between words. */
export class BoundedPassages implements PassageBoundaries {
  readonly #sentences: Boundaries;
  readonly #words: Boundaries;
  readonly #most: number;
  readonly #length: number;
  /** The sentences that the last passage was cut from. */
  #windowStart = -1;
  #windowEnd = -1;
  #end = -1;

  /** `most`: the length of a passage in UTF-16 units. */
  constructor(text: string, most: number) {
    this.#sentences = new Boundaries(text, 'sentence');
    this.#words = new Boundaries(text, 'word');
    this.#most = most;
    this.#length = text.length;
  }

  around(offset: number): { start: number; end: number } {
    const most = this.#most;
    let start: number;
    let end: number;
    if (offset + 1 > this.#windowStart && offset + 1 < this.#windowEnd) {
      // Within a sentence that was cut before: the passage goes on where the last one ended.
      start = this.#end;
      end = this.#windowEnd;
    } else {
      start = this.#sentences.preceding(offset + 1);
      end = this.#sentences.following(offset) ?? this.#length;
      while (end - start < most) {
        const next = this.#sentences.following(end);
        if (next === undefined || next - start > most) break;
        end = next;
      }
      this.#windowStart = start;
      this.#windowEnd = end;
    }
    if (end - start > most) {
      if (offset + 1 - most > start) start = Math.max(start, this.#words.preceding(offset + 1 - most));
      const rest = Math.max(0, most - (offset + 1 - start));
      if (offset + 1 + rest < this.#windowEnd)
        end = Math.min(this.#windowEnd, this.#words.following(offset + 1 + rest) ?? this.#length);
    }
    this.#end = end;
    return { start, end };
  }
}
