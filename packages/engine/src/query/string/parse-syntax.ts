// Parses a query string into a tree of clauses with their conjunctions and modifiers, before fields and
// analysis. As in Lucene's classic parser, only parentheses give precedence, and AND makes both neighbours
// required.

import { type StringToken, type TokenKind, tokensOf } from './lexer.ts';

/** One end of a range; undefined where it is open. */
type RangeEnd = string | undefined;

/** A part of a query string. `field` is undefined for the default fields. */
export type Syntax =
  | { readonly kind: 'clauses'; readonly clauses: readonly Clause[] }
  | { readonly kind: 'boosted'; readonly of: Syntax; readonly boost: number }
  | { readonly kind: 'words' | 'text'; readonly field: string | undefined; readonly text: string }
  | {
      readonly kind: 'phrase';
      readonly field: string | undefined;
      readonly text: string;
      readonly slop: number;
    }
  | {
      readonly kind: 'prefix' | 'wildcard' | 'regexp';
      readonly field: string | undefined;
      readonly text: string;
    }
  | {
      readonly kind: 'fuzzy';
      readonly field: string | undefined;
      readonly text: string;
      /** What followed the tilde: '' or a number. */
      readonly edits: string;
    }
  | {
      readonly kind: 'range';
      readonly field: string | undefined;
      readonly from: RangeEnd;
      readonly to: RangeEnd;
      readonly withFrom: boolean;
      readonly withTo: boolean;
    };

/** A clause, how it follows the one before, and its sign. */
export interface Clause {
  readonly conjunction: 'and' | 'or' | 'none';
  readonly modifier: 'required' | 'prohibited' | 'none';
  readonly syntax: Syntax;
}

/** A query string of wrong syntax. */
export class QuerySyntaxError extends Error {}

/** Parentheses within parentheses. */
const MAX_DEPTH = 100;

/** Tokens before which a word does not join its neighbours. */
const NOT_AFTER_WORDS: ReadonlySet<TokenKind> = new Set([':', '*', 'slop', '^', 'and', 'or']);

/** Kinds of tokens as the peer's errors call them; others stand for themselves. */
const IMAGES: Readonly<Partial<Record<TokenKind, string>>> = Object.freeze({
  and: '<AND>',
  or: '<OR>',
  not: '<NOT>',
  plus: '"+"',
  minus: '"-"',
  bare: '<BAREOPER>',
  quoted: '<QUOTED>',
  term: '<TERM>',
  slop: '<FUZZY_SLOP>',
  prefix: '<PREFIXTERM>',
  wildcard: '<WILDTERM>',
  regexp: '<REGEXPTERM>',
  to: '"TO"',
  goop: '<RANGE_GOOP>',
  'goop-quoted': '<RANGE_QUOTED>',
  number: '<NUMBER>',
});

/** Parses a query string. Throws QuerySyntaxError and LexicalError. */
export function parseSyntax(text: string): Syntax {
  const parser = new StringParser(tokensOf(text));
  const syntax = parser.clauses(undefined);
  parser.expect('end');
  return syntax;
}

class StringParser {
  readonly #tokens: readonly StringToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly StringToken[]) {
    this.#tokens = tokens;
  }

  expect(kind: TokenKind): StringToken {
    const token = this.#peek();
    if (token.kind !== kind) throw this.#unexpected();
    this.#at++;
    return token;
  }

  clauses(field: string | undefined): Syntax {
    if (++this.#depth > MAX_DEPTH) throw new QuerySyntaxError('parentheses are nested too deeply');
    const out: Clause[] = [];
    do {
      const words = this.#words(field);
      if (words !== undefined) {
        out.push({ conjunction: 'none', modifier: 'none', syntax: words });
        continue;
      }
      const conjunction = out.length === 0 ? 'none' : this.#conjunction();
      const modifier = this.#modifier();
      out.push({ conjunction, modifier, syntax: this.#clause(field) });
    } while (this.#peek().kind !== 'end' && this.#peek().kind !== ')');
    this.#depth--;
    const only = out[0]!;
    return out.length === 1 && only.modifier === 'none' && only.syntax.kind !== 'words'
      ? only.syntax
      : { kind: 'clauses', clauses: out };
  }

  /** Two words or more in a row: analysed together. */
  #words(field: string | undefined): Syntax | undefined {
    let n = 0;
    while (this.#peek(n).kind === 'term' && !NOT_AFTER_WORDS.has(this.#peek(n + 1).kind)) n++;
    if (n < 2) return undefined;
    const words: string[] = [];
    for (; n > 0; n--) words.push(removeEscapes(this.#next().text));
    return { kind: 'words', field, text: words.join(' ') };
  }

  #conjunction(): 'and' | 'or' | 'none' {
    const { kind } = this.#peek();
    if (kind !== 'and' && kind !== 'or') return 'none';
    this.#at++;
    return kind;
  }

  #modifier(): 'required' | 'prohibited' | 'none' {
    switch (this.#peek().kind) {
      case 'plus':
        this.#at++;
        return 'required';
      case 'minus':
      case 'not':
        this.#at++;
        return 'prohibited';
      default:
        return 'none';
    }
  }

  #clause(outer: string | undefined): Syntax {
    let field = outer;
    if (this.#peek(1).kind === ':' && (this.#peek().kind === 'term' || this.#peek().kind === '*')) {
      const token = this.#next();
      field = token.kind === '*' ? '*' : removeEscapes(token.text);
      this.#at++;
    }
    if (this.#peek().kind !== '(') return this.#term(field);
    this.#at++;
    const inner = this.clauses(field);
    this.expect(')');
    return this.#boosted(inner);
  }

  #term(field: string | undefined): Syntax {
    const token = this.#next();
    const { text } = token;
    switch (token.kind) {
      case '*':
        return this.#suffixed({ kind: 'wildcard', field, text }, text);
      case 'term':
      case 'number':
        return this.#suffixed({ kind: 'text', field, text: removeEscapes(text) }, text);
      case 'bare':
        return this.#suffixed({ kind: 'text', field, text: text.slice(0, 1) }, text);
      case 'prefix':
        return this.#suffixed({ kind: 'prefix', field, text: removeEscapes(text.slice(0, -1)) }, text);
      case 'wildcard':
        return this.#suffixed({ kind: 'wildcard', field, text }, text);
      case 'regexp':
        return this.#suffixed({ kind: 'regexp', field, text: text.slice(1, -1) }, text);
      case 'quoted': {
        const slop = this.#peek().kind === 'slop' ? this.#next().text.slice(1) : '';
        const phrase = removeEscapes(text.slice(1, -1));
        const moves = slop === '' ? -1 : Math.trunc(Number(slop));
        return this.#boosted({ kind: 'phrase', field, text: phrase, slop: moves });
      }
      case '[':
      case '{':
        return this.#range(field, token.kind === '[');
      default:
        this.#at--;
        throw this.#unexpected();
    }
  }

  /** `~`, `^`, or both in any order, behind a word. */
  #suffixed(syntax: Syntax, image: string): Syntax {
    let slop: string | undefined;
    let boost: number | undefined;
    for (let i = 0; i < 2; i++) {
      if (slop === undefined && this.#peek().kind === 'slop') slop = this.#next().text.slice(1);
      if (boost === undefined && this.#peek().kind === '^') {
        this.#at++;
        boost = Number(this.expect('number').text);
      }
    }
    const field = 'field' in syntax ? syntax.field : undefined;
    const near: Syntax =
      slop === undefined || syntax.kind !== 'text'
        ? syntax
        : { kind: 'fuzzy', field, text: removeEscapes(image), edits: slop };
    return boost === undefined ? near : { kind: 'boosted', of: near, boost };
  }

  #boosted(syntax: Syntax): Syntax {
    if (this.#peek().kind !== '^') return syntax;
    this.#at++;
    return { kind: 'boosted', of: syntax, boost: Number(this.expect('number').text) };
  }

  #range(field: string | undefined, withFrom: boolean): Syntax {
    const from = this.#end();
    this.expect('to');
    const to = this.#end();
    const close = this.#next();
    if (close.kind !== ']' && close.kind !== '}') {
      this.#at--;
      throw this.#unexpected();
    }
    return this.#boosted({ kind: 'range', field, from, to, withFrom, withTo: close.kind === ']' });
  }

  #end(): RangeEnd {
    const token = this.#next();
    if (token.kind === 'goop-quoted') return removeEscapes(token.text.slice(1, -1));
    if (token.kind === 'goop') return token.text === '*' ? undefined : removeEscapes(token.text);
    this.#at--;
    throw this.#unexpected();
  }

  #peek(ahead: number = 0): StringToken {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  #next(): StringToken {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #unexpected(): QuerySyntaxError {
    const { kind, text, at } = this.#peek();
    const image = Object.hasOwn(IMAGES, kind) ? IMAGES[kind] : `"${kind}"`;
    const shown = kind === 'end' ? '"<EOF>"' : `" ${image} "${text} ""`;
    return new QuerySyntaxError(`Encountered ${shown} at line 1, column ${at}.`);
  }
}

/** A text with a backslash before each special character, so that it parses as plain words. */
export function escapeSyntax(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&');
}

/**
 * Removes backslashes; `\u0041` is a character by its code. Throws QuerySyntaxError for an incomplete escape.
 */
function removeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '\\') {
      out += text[i];
      continue;
    }
    i++;
    if (i >= text.length) throw new QuerySyntaxError('Term can not end with escape character.');
    if (text[i] !== 'u') {
      out += text[i];
      continue;
    }
    const hex = text.slice(i + 1, i + 5);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) {
      const wrong =
        hex.length < 4
          ? 'Truncated unicode escape sequence.'
          : `Non-hex character in Unicode escape sequence: ${hex}`;
      throw new QuerySyntaxError(wrong);
    }
    out += String.fromCharCode(Number.parseInt(hex, 16));
    i += 4;
  }
  return out;
}
