// An analyzer as a chain: character filters, one tokenizer, token filters. A chain whose filters look at
// single terms also runs on bytes: words are cut from the UTF-8, and each distinct word is filtered once
// and remembered.

import { asciiText, ByteScratch, bytesOf, utf8Text } from '../json/bytes.ts';
import { runToEnd, type Steps } from '../turn.ts';
import type { Analyzer, Token } from './analyzer.ts';
import { type PlainText, PlainWords } from './words/ascii-words.ts';
import { ASCII_LOWER } from './words/lower-case.ts';
import type { WordCutter } from './words/word-cutter.ts';

/** Rewrites text before it is cut; offsets are mapped back. */
export interface CharFilter {
  readonly name: string;
  apply(text: string): FilteredText;
}

/** Text after a character filter: `offset(i)` is where unit i came from. */
export interface FilteredText {
  readonly text: string;
  offset(index: number, end: boolean): number;
}

/** Cuts text into tokens. */
export interface Tokenizer {
  readonly name: string;
  tokenize(text: string): Token[];
  /** The same in steps, where it takes long. Only a tokenizer with a `cutter` may leave out what `accept` refuses. */
  tokenizeInSteps?(text: string, accept?: (token: Token) => boolean): Steps<Token[]>;
  /** True if `explain` shows no frequencies of its tokens. */
  readonly lacksFrequencies?: boolean;
  /** Creates the byte tokenizer, if there is one. */
  readonly cutter?: () => WordCutter;
}

/** A tokenizer that may take long: it yields as it goes. */
export function tokenizerInSteps(
  name: string,
  tokenizeInSteps: NonNullable<Tokenizer['tokenizeInSteps']>,
): Tokenizer {
  return { name, tokenizeInSteps, tokenize: (text) => runToEnd(tokenizeInSteps(text)) };
}

/** Rewrites, drops or adds tokens. */
export interface TokenFilter {
  readonly name: string;
  /** `end` is the length of the text. */
  apply(tokens: Token[], end: number): Token[];
  /** The filter for one term, if it looks at nothing else: the new term, or undefined when it is dropped. */
  readonly term?: (term: string) => string | undefined;
  /** True for filters that only lower ASCII terms: allows the fastest path. */
  readonly lowercase?: boolean;
  /** Makes the filter for a chain, from the parts before it: present only until then. Yields where it has many rules. */
  bind?(before: ChainParts): Steps<TokenFilter>;
  /**
   * What stands for the filter where the rules of a synonym filter behind it are analysed: nothing, another filter, or an error.
   * The filter itself by default.
   */
  readonly forSynonyms?: 'skipped' | 'refused' | TokenFilter;
  /** True for filters whose token graphs have so many paths that queries take them flat. */
  readonly disablesGraph?: boolean;
  /** True if its tokens may count several times. */
  readonly setsFrequencies?: boolean;
  /** True if its tokens are new ones, without what filters before it set. */
  readonly makesTokens?: boolean;
  /** What `explain` shows of tokens from here on, beside what it shows of all. */
  readonly attributes?: readonly TokenAttribute[];
}

/** The parts of a chain. */
export interface ChainParts {
  readonly charFilters?: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters?: readonly TokenFilter[];
  /** True if a user put the parts together: `explain` then shows the tokens behind each. */
  readonly isCustom?: boolean;
}

export type TokenAttribute = 'keyword' | 'payload';

type Emit = (
  bytes: Uint8Array,
  start: number,
  end: number,
  position: number,
  overlap: boolean,
  frequency?: number,
) => void;

/** Distinct words remembered per chain. */
const CACHE_LIMIT = 32_768;
/** Longer words are not remembered. */
const CACHED_LENGTH = 64;
/** Chains with longer words may produce terms that are too long to store: they get no plain path. */
const PLAIN_LENGTH = 4096;

/** An analyzer made of parts, whose filters are bound. */
export class Chain implements Analyzer {
  readonly name: string;
  readonly positionGap: number;
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
  readonly plain: PlainText | undefined;
  readonly disablesGraph: boolean;
  readonly setsFrequencies: boolean;
  readonly isCustom: boolean;

  readonly #words: WordCutter | undefined;
  readonly #onlyLower: boolean;
  readonly #cache = new Map<string, Uint8Array | null>();
  readonly #scratch = new ByteScratch(1024);

  /** Binds the filters of some parts first. */
  static *bound(name: string, parts: ChainParts, positionGap?: number): Steps<Chain> {
    return new Chain(name, { ...parts, filters: yield* bindFilters(parts) }, positionGap);
  }

  constructor(name: string, parts: ChainParts, positionGap = 100) {
    this.name = name;
    this.positionGap = positionGap;
    this.charFilters = parts.charFilters ?? [];
    this.tokenizer = parts.tokenizer;
    this.filters = parts.filters ?? [];
    this.isCustom = parts.isCustom === true;
    this.disablesGraph = this.filters.some((filter) => filter.disablesGraph === true);
    this.setsFrequencies = this.filters.some((filter) => filter.setsFrequencies === true);
    const perTerm =
      this.charFilters.length === 0 && this.filters.every((filter) => filter.term !== undefined);
    this.#words = perTerm ? this.tokenizer.cutter?.() : undefined;
    this.#onlyLower = this.filters.length === 1 && this.filters[0]!.lowercase === true;
    const max = this.#words?.max ?? 0;
    this.plain =
      this.#onlyLower && this.#words !== undefined && max <= PLAIN_LENGTH
        ? new PlainWords(this.#words, max, (words, bytes) => {
            const { start, stop, ascii } = words;
            // No filter drops a word here: the only one lowers it.
            return this.#term(ascii ? asciiText(bytes, start, stop) : utf8Text(bytes, start, stop))!;
          })
        : undefined;
  }

  /** The same parts with another position gap. */
  withGap(positionGap: number): Chain {
    return positionGap === this.positionGap ? this : new Chain(this.name, this, positionGap);
  }

  analyze(text: string): Token[] {
    return runToEnd(this.analyzeSteps(text));
  }

  *analyzeSteps(text: string, isWanted?: (term: string) => boolean): Steps<Token[]> {
    if (isWanted !== undefined && this.#words !== undefined && this.tokenizer.tokenizeInSteps !== undefined)
      return yield* this.tokenizer.tokenizeInSteps(
        text,
        (token) => this.#filter(token) && isWanted(token.term),
      );
    const steps: FilteredText[] = [];
    let current = text;
    for (const filter of this.charFilters) {
      const step = filter.apply(current);
      steps.unshift(step);
      current = step.text;
      yield;
    }
    const { tokenizer } = this;
    const slow = tokenizer.tokenizeInSteps?.(current);
    let tokens = slow === undefined ? tokenizer.tokenize(current) : yield* slow;
    if (steps.length > 0) {
      for (const token of tokens) {
        for (const step of steps) {
          token.start = step.offset(token.start, false);
          token.end = step.offset(token.end, true);
        }
      }
    }
    for (const filter of this.filters) {
      yield;
      tokens = filter.apply(tokens, text.length);
    }
    return tokens;
  }

  /** Runs the filters of a chain without others on a token. False if one drops it. */
  #filter(token: Token): boolean {
    for (const filter of this.filters) {
      const term = filter.term!(token.term);
      if (term === undefined) return false;
      token.term = term;
    }
    return true;
  }

  analyzeBytes(bytes: Uint8Array, start: number, end: number, emit: Emit): number {
    const words = this.#words;
    if (words === undefined) return this.#slow(bytes, start, end, emit);
    words.reset(bytes, start, end);
    let position = 0;
    const onlyLower = this.#onlyLower;
    const plain = this.filters.length === 0;
    while (words.next()) {
      const from = words.start;
      const to = words.stop;
      if (plain) emit(bytes, from, to, position, false);
      else if (onlyLower && words.ascii) {
        const out = this.#scratch.bytes;
        const length = to - from;
        for (let i = 0; i < length; i++) out[i] = ASCII_LOWER[bytes[from + i]!]!;
        emit(out, 0, length, position, false);
      } else {
        const term = this.#term(words.ascii ? asciiText(bytes, from, to) : utf8Text(bytes, from, to));
        if (term !== null) emit(term, 0, term.length, position, false);
      }
      position++;
    }
    return position;
  }

  /** The filtered form of a word, null when a filter drops it. */
  #term(word: string): Uint8Array | null {
    const known = this.#cache.get(word);
    if (known !== undefined) return known;
    let term: string | undefined = word;
    for (const filter of this.filters) {
      term = filter.term!(term);
      if (term === undefined) break;
    }
    const result = term === undefined ? null : bytesOf(term);
    if (word.length <= CACHED_LENGTH) {
      if (this.#cache.size >= CACHE_LIMIT) this.#cache.clear();
      this.#cache.set(word, result);
    }
    return result;
  }

  #slow(bytes: Uint8Array, start: number, end: number, emit: Emit): number {
    let last = -1;
    const scratch = new ByteScratch();
    const tokens = this.analyze(utf8Text(bytes, start, end));
    for (const token of tokens) {
      scratch.setText(token.term);
      emit(scratch.bytes, 0, scratch.length, token.position, token.position === last, token.frequency);
      last = token.position;
    }
    return Math.max(last + 1, positionCountOf(tokens));
  }
}

/** The filters of a chain, each made for those before it. */
export function* bindFilters({ filters = [], ...others }: ChainParts): Steps<TokenFilter[]> {
  const bound: TokenFilter[] = [];
  for (const filter of filters) {
    bound.push(filter.bind === undefined ? filter : yield* filter.bind({ ...others, filters: [...bound] }));
  }
  return bound;
}

const positionCounts = new WeakMap<Token[], number>();

/** Stores the number of positions of a text, for filters that drop its last tokens. */
export function setPositionCount(tokens: Token[], positions: number): Token[] {
  positionCounts.set(tokens, positions);
  return tokens;
}

/** The number of positions of a text, dropped tokens at its end included. */
export function positionCountOf(tokens: Token[]): number {
  const last = tokens.at(-1);
  return Math.max(
    positionCounts.get(tokens) ?? 0,
    last === undefined ? 0 : last.position + last.positionLength,
  );
}
