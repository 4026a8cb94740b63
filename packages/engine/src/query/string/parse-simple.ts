// Parses simple query strings: `+` and `|` between words, `-` before them, quotes, parentheses, `*` and `~`
// behind words. Nothing is an error: operators that make no sense are ignored (Lucene's SimpleQueryParser).

import type { Syntax } from './parse-syntax.ts';

/** A tree of words; `and` and `or` list what they join in order. */
export type Simple =
  | { readonly kind: 'and' | 'or'; readonly of: Simple[] }
  | { readonly kind: 'not'; readonly of: Simple }
  | { readonly kind: 'leaf'; readonly syntax: Syntax };

/** Operators that may be switched off, by the peer's names. */
export const SIMPLE_OPERATORS: Readonly<Record<string, number>> = Object.freeze({
  AND: 1,
  NOT: 2,
  OR: 4,
  PREFIX: 8,
  PHRASE: 16,
  PRECEDENCE: 32,
  ESCAPE: 64,
  WHITESPACE: 128,
  FUZZY: 256,
  NEAR: 512,
  SLOP: 512,
  NONE: 0,
  ALL: -1,
});

const MAX_DEPTH = 100;
const SPACE = ' \t\n\r';

interface State {
  top: Simple | undefined;
  now: 'and' | 'or' | undefined;
  before: 'and' | 'or' | undefined;
  negated: boolean;
}

/** Parses a text; undefined when there is nothing in it. Never throws. O(length · nesting). */
export function parseSimple(text: string, operator: 'and' | 'or', flags: number): Simple | undefined {
  return new SimpleParser(text, operator, flags).run(0, text.length, 0);
}

class SimpleParser {
  readonly #text: string;
  readonly #operator: 'and' | 'or';
  readonly #flags: number;
  #at = 0;

  constructor(text: string, operator: 'and' | 'or', flags: number) {
    this.#text = text;
    this.#operator = operator;
    this.#flags = flags;
  }

  run(from: number, to: number, depth: number): Simple | undefined {
    const state: State = { top: undefined, now: undefined, before: undefined, negated: false };
    this.#at = from;
    while (this.#at < to) {
      const c = this.#text[this.#at]!;
      if (c === '-' && this.#on('NOT')) {
        state.negated = !state.negated;
        this.#at++;
        continue;
      }
      if (c === '(' && this.#on('PRECEDENCE')) this.#group(state, to, depth);
      else if (c === ')' && this.#on('PRECEDENCE')) this.#at++;
      else if (c === '"' && this.#on('PHRASE')) this.#phrase(state, to);
      else if (c === '+' && this.#on('AND')) this.#operation(state, 'and');
      else if (c === '|' && this.#on('OR')) this.#operation(state, 'or');
      else if (SPACE.includes(c) && this.#on('WHITESPACE')) this.#at++;
      else this.#word(state, to);
      state.negated = false;
    }
    return state.top;
  }

  #on(operator: string): boolean {
    return (this.#flags & SIMPLE_OPERATORS[operator]!) !== 0;
  }

  #operation(state: State, operation: 'and' | 'or'): void {
    if (state.now === undefined && state.top !== undefined) state.now = operation;
    this.#at++;
  }

  #group(state: State, to: number, depth: number): void {
    const start = ++this.#at;
    let open = 1;
    let i = start;
    for (; i < to; i++) {
      const c = this.#text[i];
      if (c === '\\' && this.#on('ESCAPE')) i++;
      else if (c === '(') open++;
      else if (c === ')' && --open === 0) break;
    }
    if (i >= to || depth >= MAX_DEPTH) return;
    if (i === start) {
      state.now = undefined;
    } else {
      const { negated } = state;
      this.#join(negated, this.run(start, i, depth + 1), state);
    }
    this.#at = i + 1;
  }

  #phrase(state: State, to: number): void {
    const start = ++this.#at;
    let text = '';
    let i = start;
    for (; i < to && this.#text[i] !== '"'; i++) {
      if (this.#text[i] === '\\' && this.#on('ESCAPE') && i + 1 < to) i++;
      text += this.#text[i];
    }
    if (i >= to) return;
    this.#at = i + 1;
    const hasMoves = this.#on('NEAR') && this.#text[this.#at] === '~';
    // Lucene ignores quotes without a text, but not where a number of moves follows.
    if (i === start && !hasMoves) {
      state.now = undefined;
      return;
    }
    const moves = hasMoves ? this.#tilde(to) : -1;
    this.#join(
      state.negated,
      { kind: 'leaf', syntax: { kind: 'phrase', field: undefined, text, slop: moves } },
      state,
    );
  }

  /** The number of the `~2` at this place, which ends where a word ends: 2 without digits, 0 if it is not a number. */
  #tilde(to: number): number {
    const start = ++this.#at;
    while (this.#at < to && !this.#ends(this.#at)) this.#at++;
    const text = this.#text.slice(start, this.#at);
    if (text === '') return 2;
    const number = /^[+-]?\d{1,20}$/.test(text) ? Number(text) : 0;
    return number > 0 && number <= 0x7fffffff ? number : 0;
  }

  #word(state: State, to: number): void {
    let text = '';
    let prefix = false;
    let edits = 0;
    for (; this.#at < to && !this.#ends(this.#at); this.#at++) {
      let c = this.#text[this.#at]!;
      prefix = false;
      if (c === '\\' && this.#on('ESCAPE') && this.#at + 1 < to) {
        c = this.#text[++this.#at]!;
      } else if (c === '~' && text !== '' && this.#on('FUZZY')) {
        edits = this.#tilde(to);
        break;
      } else if (c === '*' && text !== '' && this.#on('PREFIX')) {
        prefix = this.#at + 1 >= to || this.#ends(this.#at + 1);
        if (prefix) continue;
      }
      text += c;
    }
    if (text === '') return;
    const field = undefined;
    const syntax: Syntax =
      edits > 0
        ? { kind: 'fuzzy', field, text, edits: String(edits) }
        : { kind: prefix ? 'prefix' : 'text', field, text };
    this.#join(state.negated, { kind: 'leaf', syntax }, state);
  }

  #ends(at: number): boolean {
    const c = this.#text[at]!;
    return (
      (c === '"' && this.#on('PHRASE')) ||
      (c === '|' && this.#on('OR')) ||
      (c === '+' && this.#on('AND')) ||
      ((c === '(' || c === ')') && this.#on('PRECEDENCE')) ||
      (SPACE.includes(c) && this.#on('WHITESPACE'))
    );
  }

  /** Adds a word or group to the tree, with the sign and the operation that stand before it. */
  #join(negated: boolean, branch: Simple | undefined, state: State): void {
    if (branch !== undefined) {
      const node: Simple = negated ? { kind: 'not', of: branch } : branch;
      if (state.top === undefined) {
        state.top = node;
      } else {
        const operation = state.now ?? this.#operator;
        if (state.before !== operation) state.top = { kind: operation, of: [state.top] };
        (state.top as { of: Simple[] }).of.push(node);
        state.before = operation;
      }
    }
    state.now = undefined;
  }
}
