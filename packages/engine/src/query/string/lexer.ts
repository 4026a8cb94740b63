// Splits a query string into tokens by the rules of Lucene's classic query parser: operators, words with
// escapes, patterns, phrases, and a mode of its own between the brackets of a range.
//
//   quick +brown -"lazy dog"~2 title:qu?ck date:[2024 TO *} (a OR b)^2 /reg.x/ fuzzy~1

/** Kinds of tokens. `bare` is an operator character followed by a space: it stands for itself. */
export type TokenKind =
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  | 'bare'
  | '('
  | ')'
  | ':'
  | '*'
  | '^'
  | 'quoted'
  | 'term'
  | 'slop'
  | 'prefix'
  | 'wildcard'
  | 'regexp'
  | '['
  | '{'
  | ']'
  | '}'
  | 'to'
  | 'goop'
  | 'goop-quoted'
  | 'number'
  | 'end';

/** A token; `text` is the image, quotes and slashes included. */
export interface StringToken {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

/** A place where no token begins, or a token that does not end. */
export class LexicalError extends Error {
  readonly at: number;

  constructor(at: number) {
    super(`Lexical error at line 1, column ${at + 1}.  Encountered: <EOF>`);
    this.at = at;
  }
}

const SPACE = new Set([' ', '\t', '\n', '\r', '\u3000']);
const NOT_START = new Set([...SPACE, ...'+-!():^[]"{}~*?\\/']);
const SINGLE: Readonly<Record<string, TokenKind>> = Object.freeze({
  '+': 'plus',
  '-': 'minus',
  '!': 'not',
  '(': '(',
  ')': ')',
  ':': ':',
  '^': '^',
  '[': '[',
  '{': '{',
});

const RESERVED: Readonly<Record<string, TokenKind>> = Object.freeze({ AND: 'and', OR: 'or', NOT: 'not' });

/** All tokens of a query string, an `end` last. Throws LexicalError. O(length). */
export function tokensOf(text: string): StringToken[] {
  return new Lexer(text).all();
}

class Lexer {
  readonly #text: string;
  readonly #out: StringToken[] = [];
  #at = 0;
  #inRange = false;

  constructor(text: string) {
    this.#text = text;
  }

  all(): StringToken[] {
    for (;;) {
      while (SPACE.has(this.#text[this.#at] ?? '')) this.#at++;
      if (this.#at >= this.#text.length) break;
      if (this.#inRange) this.#range();
      else if (this.#out.at(-1)?.kind === '^') this.#number();
      else this.#plain();
    }
    this.#out.push({ kind: 'end', text: '<EOF>', at: this.#text.length });
    return this.#out;
  }

  #emit(kind: TokenKind, length: number): void {
    this.#out.push({ kind, text: this.#text.slice(this.#at, this.#at + length), at: this.#at });
    this.#at += length;
  }

  #plain(): void {
    const text = this.#text;
    const c = text[this.#at]!;
    const pair = text.slice(this.#at, this.#at + 2);
    const single = Object.hasOwn(SINGLE, c) ? SINGLE[c] : undefined;
    if (pair === '&&') this.#operator('and');
    else if (pair === '||') this.#operator('or');
    else if ('+-!'.includes(c) && SPACE.has(pair[1] ?? '')) this.#emit('bare', 2);
    else if (c === '"') this.#delimited('"', 'quoted');
    else if (c === '/') this.#delimited('/', 'regexp');
    else if (c === '~') this.#slop();
    else if (single !== undefined) {
      this.#inRange = c === '[' || c === '{';
      this.#emit(single, 1);
    } else if (c === '*' && !this.#continues(this.#at + 1)) this.#emit('*', 1);
    else this.#word();
  }

  /** `&&` and `||`, unless a longer word begins with them. */
  #operator(kind: 'and' | 'or'): void {
    if (this.#wordEnd(this.#at).end > this.#at + 2) this.#word();
    else this.#emit(kind, 2);
  }

  #continues(at: number): boolean {
    const c = this.#text[at];
    return c !== undefined && (!NOT_START.has(c) || '-+*?\\'.includes(c)) && !SPACE.has(c);
  }

  /**
   * Where the word at a place ends, and whether it has wildcards; `last` is the place of the last of them.
   */
  #wordEnd(from: number): { end: number; wild: number; last: number } {
    const text = this.#text;
    let i = from;
    let wild = 0;
    let last = -1;
    while (i < text.length) {
      const c = text[i]!;
      if (c === '\\') {
        if (i + 1 >= text.length) break;
        i += 2;
        continue;
      }
      if (c === '*' || c === '?') {
        wild++;
        last = i;
      } else if (NOT_START.has(c) && !(i > from && (c === '-' || c === '+'))) {
        break;
      }
      i++;
    }
    return { end: i, wild, last };
  }

  #word(): void {
    const { end, wild, last } = this.#wordEnd(this.#at);
    if (end === this.#at) throw new LexicalError(this.#at);
    const image = this.#text.slice(this.#at, end);
    const isPrefix = wild === 1 && last === end - 1 && image.endsWith('*');
    const reserved = Object.hasOwn(RESERVED, image) ? RESERVED[image] : undefined;
    this.#emit(wild > 0 ? (isPrefix ? 'prefix' : 'wildcard') : (reserved ?? 'term'), image.length);
  }

  #delimited(quote: string, kind: TokenKind): void {
    const text = this.#text;
    let i = this.#at + 1;
    while (i < text.length && text[i] !== quote) i += text[i] === '\\' ? 2 : 1;
    if (i >= text.length) throw new LexicalError(text.length);
    this.#emit(kind, i + 1 - this.#at);
  }

  #slop(): void {
    const digits = /^~(?:\d+(?:\.\d+)?)?/.exec(this.#text.slice(this.#at, this.#at + 40))!;
    this.#emit('slop', digits[0].length);
  }

  /** The number after `^`. */
  #number(): void {
    const digits = /^\d+(?:\.\d+)?/.exec(this.#text.slice(this.#at, this.#at + 40));
    if (digits === null) throw new LexicalError(this.#at);
    this.#emit('number', digits[0].length);
  }

  #range(): void {
    const text = this.#text;
    const c = text[this.#at]!;
    const quoted = c === '"' ? this.#quotedEnd() : -1;
    if (c === ']' || c === '}') {
      this.#inRange = false;
      this.#emit(c, 1);
    } else if (quoted > 0) {
      this.#emit('goop-quoted', quoted - this.#at);
    } else {
      let i = this.#at;
      while (i < text.length && !' ]}'.includes(text[i]!)) i++;
      this.#emit(text.slice(this.#at, i) === 'TO' ? 'to' : 'goop', i - this.#at);
    }
  }

  /** Where the quoted end of a range stops, or -1 when it is empty or does not. */
  #quotedEnd(): number {
    const text = this.#text;
    let i = this.#at + 1;
    while (i < text.length && text[i] !== '"') i += text[i] === '\\' && text[i + 1] === '"' ? 2 : 1;
    return i < text.length && i > this.#at + 1 ? i + 1 : -1;
  }
}
