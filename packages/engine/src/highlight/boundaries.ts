// Boundaries between sentences and words of one value, and the boundaries of a passage of bounded length
// (OpenSearch: BoundedBreakIteratorScanner). The rules are those of Java's BreakIterator, by which the peer
// cuts; those of Unicode (Intl.Segmenter) cut `e-mail` and behind `No. 5`.

/** Finds the passage around an offset of a text. Offsets ascend from call to call. */
export interface PassageBoundaries {
  /** The passage that holds the character at `offset`; `end` exclusive. */
  around(offset: number): { readonly start: number; readonly end: number };
}

/**
 * One word, number, run of white space, or any other character. Words and numbers may hold single marks: `don't`, `e-mail`,
 * `foo_bar`, `3.14`.
 */
const WORD =
  /(?:\p{L}[\p{L}\p{M}]*(?:[\p{Pd}\p{Pc}\u00ad\u2027"'.](?=\p{L})[\p{L}\p{M}]+)*|(?:[\p{Sc}#.](?=\p{N}))?\p{N}+(?:["',.\u066b]\p{N}+)*[\u00a2%\u066a\u2030\u2031&]?)+|[\t\p{Zs}]+\r?[\n\f\u2028\u2029]?|\r?[\n\f\u2028\u2029]|./suy;

/** Sorted boundaries of a text, 0 and its length among them. They are found as far as they are asked for. */
export class Boundaries {
  readonly #text: string;
  readonly #unit: 'sentence' | 'word';
  /** Neighbours, from any one on. */
  #at: number[] = [0];
  #further: Iterator<number>;

  constructor(text: string, unit: 'sentence' | 'word') {
    this.#text = text;
    this.#unit = unit;
    this.#further = unit === 'sentence' ? sentencesOf(text) : wordsOf(text, 0);
  }

  /** The last boundary before `offset`; the first one of all where there is none. */
  preceding(offset: number): number {
    this.#findTo(offset);
    return this.#at[Math.max(0, this.#lowerBound(offset) - 1)] ?? 0;
  }

  /** The first boundary behind `offset`; undefined at the end of the text. */
  following(offset: number): number | undefined {
    this.#findTo(offset + 1);
    return this.#at[this.#lowerBound(offset + 1)];
  }

  /** Finds the boundaries from the last one before `offset` up to the first one at or behind it. */
  #findTo(offset: number): void {
    if (this.#unit === 'word') {
      const [first, last] = [this.#at[0]!, this.#at.at(-1)!];
      const isBehind = offset - last > LOOK_BACK;
      const from = isBehind ? spaceBefore(this.#text, offset) : 0;
      if (isBehind ? from > 0 : first > 0 && offset <= first) {
        this.#at = [from];
        this.#further = wordsOf(this.#text, from);
      }
    }
    while (this.#at.at(-1)! < offset) {
      const next = this.#further.next();
      if (next.done === true) return;
      this.#at.push(next.value);
    }
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

/**
 * The boundaries of sentences behind 0. `!` and `?` end one in any case. A full stop ends it before white space and a letter that is not
 * lower case, or before punctuation that can begin a sentence and a letter. O(text): no character is looked at twice by a run.
 */
function* sentencesOf(text: string): Generator<number, void, undefined> {
  const { length } = text;
  let i = 0;
  while (i < length) {
    MARK.lastIndex = i;
    const mark = MARK.exec(text);
    if (mark === null) break;
    const [first] = mark;
    const isTerminator = TERMINATOR.test(first);
    let end = mark.index + 1;
    if (first !== SEPARATOR) {
      end = skip(text, end, isTerminator ? AFTER_TERMINATOR : AFTER_PERIOD);
      const next = skip(text, end, SPACE);
      if (text[next] === SEPARATOR) end = next + 1;
      else if (isTerminator || next === length) end = next;
      else {
        const opened = skip(text, next, OPENING);
        const begins = opened > next ? isLetter(text, opened) : next > end && isCapital(text, next);
        i = opened;
        if (begins) yield next;
        continue;
      }
    }
    if (end < length) yield end;
    i = end;
  }
  yield length;
}

const SEPARATOR = '\u2029';
const TERMINATOR = /[!?\u3002\uff01\uff1f]/;
/** What may end a sentence. */
const MARK = /[!?\u3002\uff01\uff1f.\uff0e\u2029]/g;
const AFTER_TERMINATOR = /[!?\u3002\uff01\uff1f.\uff0e\p{Pe}\p{Pf}"']/u;
const AFTER_PERIOD = /[.\uff0e\p{Pe}\p{Pf}"']/u;
const BLANK = /[\t\p{Zs}]/u;
const SPACE = /[\t\r\f\n\u2028\p{Zs}]/u;
/** What can begin a sentence before its first letter. */
const OPENING = /[^\p{L}\p{N}\s.!?\u2029]/u;

/** The first place from `at` on whose character is not of a class. */
function skip(text: string, at: number, of: RegExp): number {
  let end = at;
  while (end < text.length && of.test(text[end]!)) end++;
  return end;
}

function isLetter(text: string, at: number): boolean {
  return at < text.length && /^\p{L}/u.test(String.fromCodePoint(text.codePointAt(at)!));
}

function isCapital(text: string, at: number): boolean {
  return isLetter(text, at) && !/^\p{Ll}/u.test(String.fromCodePoint(text.codePointAt(at)!));
}

/** How far a boundary of words is looked for that does not depend on the text before it. */
const LOOK_BACK = 1_000;

/** A place before `offset` where white space follows on something else, which is a boundary; 0 where none is near. */
function spaceBefore(text: string, offset: number): number {
  for (let at = Math.min(offset, text.length) - 1; at > Math.max(0, offset - LOOK_BACK); at--)
    if (BLANK.test(text[at]!) && !SPACE.test(text[at - 1]!)) return at;
  return 0;
}

/** The boundaries of words behind another one. */
function* wordsOf(text: string, from: number): Generator<number, void, undefined> {
  for (let at = from; at < text.length; ) {
    WORD.lastIndex = at;
    if (!WORD.test(text)) return;
    at = WORD.lastIndex;
    yield at;
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
