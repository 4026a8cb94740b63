// Parses regular expressions of Lucene's syntax, always anchored at both ends.
//
//   union   a|b      intersection  a&b     repeats  a? a* a+ a{2} a{2,} a{2,5}
//   any     .        any text      @       nothing  #        text  "a.b"     numbers  <1-99>
//   classes [a-z] [^a] \d \w \s \D \W \S   complement ~a (only with the flag COMPLEMENT)
//
// Source: org.apache.lucene.util.automaton.RegExp, whose error messages these are.

import { illegalArgument } from '../../errors.ts';
import type { Automaton } from './automaton.ts';
import { Derivatives } from './derivatives.ts';
import { complement, Expressions, type Id, LAST, MANY, type Ranges, union } from './expression.ts';
import { interval } from './interval.ts';
import { character } from './literal.ts';

/** Optional syntax, by the peer's names. */
export const REGEXP_FLAGS: Readonly<Record<string, number>> = Object.freeze({
  INTERSECTION: 1,
  COMPLEMENT: 2,
  EMPTY: 4,
  ANYSTRING: 8,
  INTERVAL: 32,
  NONE: 0,
  ALL: 1 | 4 | 8 | 32,
});

/** Parentheses within parentheses. */
const MAX_DEPTH = 250;
/** Steps of building the automaton for each of its states. Usual patterns take fewer than ten. */
const EFFORT_PER_STATE = 30;
/** Repeats beyond this make no difference to any term. */
const MAX_REPEAT = 32_766;

const DIGITS: Ranges = [48, 57];
const WORDS: Ranges = [48, 57, 65, 90, 95, 95, 97, 122];
const SPACES: Ranges = [9, 10, 13, 13, 32, 32];
const CLASSES: Readonly<Record<string, Ranges>> = Object.freeze({
  d: DIGITS,
  D: complement(DIGITS),
  w: WORDS,
  W: complement(WORDS),
  s: SPACES,
  S: complement(SPACES),
});

class Parser {
  readonly #chars: readonly string[];
  readonly #e: Expressions;
  readonly #flags: number;
  readonly #insensitive: boolean;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, expressions: Expressions, flags: number, insensitive: boolean) {
    this.#chars = Array.from(pattern);
    this.#e = expressions;
    this.#flags = flags;
    this.#insensitive = insensitive;
  }

  parse(): Id {
    if (this.#chars.length === 0) return this.#insensitive ? this.#e.never : this.#e.empty;
    const id = this.#union();
    if (this.#more()) throw illegalArgument(`end-of-string expected at position ${this.#at}`);
    return id;
  }

  #union(): Id {
    if (++this.#depth > MAX_DEPTH) throw illegalArgument('the regular expression is nested too deeply');
    const parts = [this.#intersection()];
    while (this.#take('|')) parts.push(this.#intersection());
    this.#depth--;
    return this.#e.or(parts);
  }

  #intersection(): Id {
    const parts = [this.#sequence()];
    while (this.#has('INTERSECTION') && this.#take('&')) parts.push(this.#sequence());
    return this.#e.and(parts);
  }

  #sequence(): Id {
    const parts = [this.#repeat()];
    while (this.#more() && !this.#peek(')|') && !(this.#has('INTERSECTION') && this.#peek('&'))) {
      parts.push(this.#repeat());
    }
    let out = this.#e.empty;
    for (let i = parts.length - 1; i >= 0; i--) out = this.#e.then(parts[i]!, out);
    return out;
  }

  #repeat(): Id {
    let id = this.#complement();
    while (this.#peek('?*+{')) {
      if (this.#take('?')) id = this.#e.repeat(id, 0, 1);
      else if (this.#take('*')) id = this.#e.repeat(id, 0, MANY);
      else if (this.#take('+')) id = this.#e.repeat(id, 1, MANY);
      else id = this.#counted(id);
    }
    return id;
  }

  #counted(id: Id): Id {
    this.#take('{');
    const min = this.#integer();
    let max = min;
    if (this.#take(',')) max = this.#peek('0123456789') ? this.#integer() : MANY;
    if (!this.#take('}')) throw illegalArgument(`expected '}' at position ${this.#at}`);
    if (max < min) throw illegalArgument(`invalid repetition range(out of order): ${min}..${max}`);
    return this.#e.repeat(id, Math.min(min, MAX_REPEAT), max === MANY ? MANY : Math.min(max, MAX_REPEAT));
  }

  #integer(): number {
    const from = this.#at;
    while (this.#peek('0123456789')) this.#at++;
    if (this.#at === from) throw illegalArgument(`integer expected at position ${from}`);
    return Number(this.#chars.slice(from, this.#at).join(''));
  }

  #complement(): Id {
    let negative = false;
    while (this.#has('COMPLEMENT') && this.#take('~')) negative = !negative;
    const id = this.#simple();
    return negative ? this.#e.not(id) : id;
  }

  #simple(): Id {
    const e = this.#e;
    if (this.#take('[')) return this.#set();
    if (this.#take('.')) return e.any;
    if (this.#has('EMPTY') && this.#take('#')) return e.never;
    if (this.#has('ANYSTRING') && this.#take('@')) return e.anything;
    if (this.#take('"')) return this.#quoted();
    if (this.#take('(')) {
      if (this.#take(')')) return e.empty;
      const id = this.#union();
      if (!this.#take(')')) throw illegalArgument(`expected ')' at position ${this.#at}`);
      return id;
    }
    if (this.#has('INTERVAL') && this.#take('<')) return this.#interval();
    const predefined = this.#predefined();
    return predefined === undefined ? this.#character() : e.chars(predefined);
  }

  #set(): Id {
    const negative = this.#take('^');
    const pairs: [number, number][] = [];
    do {
      const predefined = this.#predefined();
      if (predefined !== undefined) {
        for (let i = 0; i < predefined.length; i += 2) pairs.push([predefined[i]!, predefined[i + 1]!]);
        continue;
      }
      const from = this.#escaped();
      const to = this.#take('-') ? this.#escaped() : from;
      if (from > to) throw illegalArgument(`invalid range: from (${from}) cannot be > to (${to})`);
      pairs.push([from, to]);
    } while (this.#more() && !this.#peek(']'));
    if (!this.#take(']')) throw illegalArgument(`expected ']' at position ${this.#at}`);
    const ranges = union(this.#insensitive ? bothCases(pairs) : pairs);
    return this.#e.chars(negative ? complement(ranges) : ranges);
  }

  #quoted(): Id {
    let out = this.#e.empty;
    const from = this.#at;
    while (this.#more() && !this.#peek('"')) this.#at++;
    const text = this.#chars.slice(from, this.#at);
    if (!this.#take('"')) throw illegalArgument(`expected '"' at position ${this.#at}`);
    for (const c of text.reverse()) {
      out = this.#e.then(character(this.#e, c.codePointAt(0)!, this.#insensitive), out);
    }
    return out;
  }

  #interval(): Id {
    const from = this.#at;
    while (this.#more() && !this.#peek('>')) this.#at++;
    if (!this.#take('>')) throw illegalArgument(`expected '>' at position ${this.#at}`);
    const text = this.#chars.slice(from, this.#at - 1).join('');
    const match = /^(\d+)-(\d+)$/.exec(text);
    if (match === null) {
      throw illegalArgument(
        text.includes('-') ? `interval syntax error at position ${this.#at - 1}` : `'${text}' not found`,
      );
    }
    const [low, high] = [match[1]!, match[2]!];
    return BigInt(low) <= BigInt(high) ? interval(this.#e, low, high) : interval(this.#e, high, low);
  }

  #predefined(): Ranges | undefined {
    if (!this.#peek('\\')) return undefined;
    const name = this.#chars[this.#at + 1];
    if (name === undefined || !Object.hasOwn(CLASSES, name)) return undefined;
    this.#at += 2;
    return CLASSES[name];
  }

  #character(): Id {
    return character(this.#e, this.#escaped(), this.#insensitive);
  }

  #escaped(): number {
    this.#take('\\');
    const c = this.#chars[this.#at];
    if (c === undefined) throw illegalArgument('unexpected end-of-string');
    this.#at++;
    return Math.min(c.codePointAt(0)!, LAST);
  }

  #has(flag: string): boolean {
    return (this.#flags & REGEXP_FLAGS[flag]!) !== 0;
  }

  #more(): boolean {
    return this.#at < this.#chars.length;
  }

  #peek(any: string): boolean {
    const c = this.#chars[this.#at];
    return c !== undefined && any.includes(c);
  }

  #take(c: string): boolean {
    if (this.#chars[this.#at] !== c) return false;
    this.#at++;
    return true;
  }
}

/** Ranges with the other case of their ASCII letters. */
function bothCases(pairs: readonly (readonly [number, number])[]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of pairs) {
    out.push([from, to]);
    for (const [first, shift] of [
      [65, 32],
      [97, -32],
    ] as const) {
      const low = Math.max(from, first);
      const high = Math.min(to, first + 25);
      if (low <= high) out.push([low + shift, high + shift]);
    }
  }
  return out;
}

/** An automaton of a pattern. Throws illegal_argument_exception where the pattern is malformed. */
export function regexpAutomaton(
  pattern: string,
  flags: number,
  insensitive: boolean,
  maxStates: number,
): Automaton {
  const expressions = new Expressions(EFFORT_PER_STATE * maxStates);
  const root = new Parser(pattern, expressions, flags, insensitive).parse();
  const key = `x${flags}${insensitive ? 'i' : ''}:${pattern}`;
  return new Derivatives(key, expressions, root, maxStates);
}
