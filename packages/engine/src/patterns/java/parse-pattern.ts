// Parses patterns of Java's syntax (java.util.regex), whose error messages these are. What cannot be matched in time that grows
// with the text only is refused by name: references to groups, and possessive or atomic groups.

import { EngineError, illegalArgument } from '../../errors.ts';
import {
  allBut,
  anyOfSets,
  BLANKS,
  BREAKS,
  bothCases,
  type CharSet,
  charSet,
  codeRange,
  DIGITS,
  intersection,
  LINE_ENDS,
  listed,
  property,
  SPACES,
  WORDS,
} from './char-set.ts';
import { EMPTY, type PatternNode, type PatternTree, type PlaceKind } from './pattern-tree.ts';

/** Options of a pattern, by their letters in `(?i)`. */
export interface PatternFlags {
  i: boolean;
  m: boolean;
  s: boolean;
  x: boolean;
  u: boolean;
  d: boolean;
  readonly isLiteral: boolean;
}

const NAMED_FLAGS: Readonly<Record<string, keyof PatternFlags | undefined>> = Object.freeze({
  CASE_INSENSITIVE: 'i',
  MULTILINE: 'm',
  DOTALL: 's',
  COMMENTS: 'x',
  UNICODE_CASE: 'u',
  UNIX_LINES: 'd',
  LITERAL: 'isLiteral',
});

/** Reads the setting `flags`, such as `CASE_INSENSITIVE|COMMENTS`. */
export function patternFlags(text: string | undefined): PatternFlags {
  const flags = { i: false, m: false, s: false, x: false, u: false, d: false, isLiteral: false };
  for (const name of text?.split('|') ?? []) {
    if (name === '') continue;
    const flag = Object.hasOwn(NAMED_FLAGS, name) ? NAMED_FLAGS[name] : undefined;
    if (flag !== undefined) flags[flag] = true;
    else if (['CANON_EQ', 'UNICODE_CHAR_CLASS', 'UNICODE_CHARACTER_CLASS'].includes(name))
      throw illegalArgument(`The flag [${name}] of patterns is not supported`);
    else throw illegalArgument(`Unknown regex flag [${name}]`);
  }
  return flags;
}

const MAX_DEPTH = 200;
const MAX_REPEAT = 1000;
const ANY: CharSet = { has: () => true };

const ESCAPED: Readonly<Record<string, string>> = Object.freeze({
  t: '\t',
  n: '\n',
  r: '\r',
  f: '\f',
  a: '\x07',
  e: '\x1b',
});

const CLASSES: Readonly<Record<string, CharSet>> = Object.freeze({
  d: DIGITS,
  D: allBut(DIGITS),
  w: WORDS,
  W: allBut(WORDS),
  s: SPACES,
  S: allBut(SPACES),
  h: BLANKS,
  H: allBut(BLANKS),
  v: BREAKS,
  V: allBut(BREAKS),
});

const PLACES: Readonly<Record<string, PlaceKind>> = Object.freeze({
  b: 'word-edge',
  B: 'no-word-edge',
  A: 'text-start',
  z: 'text-end',
  Z: 'text-end-or-break',
});

export function parsePattern(source: string, flags: PatternFlags): PatternTree {
  return new Parser(source, flags).parse();
}

class Parser {
  readonly #source: string;
  readonly #chars: readonly string[];
  #flags: PatternFlags;
  #at = 0;
  #depth = 0;
  #groups = 0;
  #inLook = 0;
  readonly #names = new Map<string, number>();

  constructor(source: string, flags: PatternFlags) {
    this.#source = source;
    this.#chars = Array.from(source);
    this.#flags = { ...flags };
  }

  parse(): PatternTree {
    if (this.#flags.isLiteral) {
      const of = this.#chars.map((c) => this.#literal(c));
      return { root: { kind: 'sequence', of }, groups: 0, names: this.#names };
    }
    const root = this.#choice();
    if (this.#at < this.#chars.length) throw this.#error("Unmatched closing ')'", this.#at - 1);
    return { root, groups: this.#groups, names: this.#names };
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw illegalArgument('the pattern is nested too deeply');
    const before = this.#flags;
    const of = [this.#sequence()];
    while (this.#take('|')) of.push(this.#sequence());
    this.#flags = before;
    this.#depth--;
    return of.length === 1 ? of[0]! : { kind: 'choice', of };
  }

  #sequence(): PatternNode {
    const of: PatternNode[] = [];
    for (;;) {
      this.#skipComments();
      const c = this.#peek();
      if (c === undefined || c === '|' || c === ')') break;
      of.push(this.#repeated());
    }
    return of.length === 1 ? of[0]! : { kind: 'sequence', of };
  }

  #repeated(): PatternNode {
    const of = this.#one();
    this.#skipComments();
    const bounds = this.#bounds();
    if (bounds === undefined) return of;
    const [min, max] = bounds;
    if (this.#take('+')) throw this.#unsupported('possessive quantifiers');
    return { kind: 'repeat', of, min, max, isLazy: this.#take('?') };
  }

  #bounds(): [number, number] | undefined {
    if (this.#take('?')) return [0, 1];
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (!this.#take('{')) return undefined;
    const min = this.#number();
    if (min === undefined) throw this.#error('Illegal repetition', this.#at);
    let max: number = min;
    if (this.#take(',')) max = this.#number() ?? Number.POSITIVE_INFINITY;
    if (!this.#take('}')) throw this.#error('Unclosed counted closure', this.#at);
    if (max < min) throw this.#error('Illegal repetition range', this.#at - 1);
    if (min > MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEAT))
      throw illegalArgument(`A part of a pattern can be repeated at most ${MAX_REPEAT} times`);
    return [min, max];
  }

  #number(): number | undefined {
    let digits = '';
    while (/^\d$/.test(this.#peek() ?? '')) digits += this.#next();
    return digits === '' ? undefined : Number(digits);
  }

  #one(): PatternNode {
    const c = this.#next();
    switch (c) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'chars', set: this.#class() };
      case '.':
        return { kind: 'chars', set: this.#dot() };
      case '^':
        return { kind: 'place', place: this.#flags.m ? 'line-start' : 'text-start' };
      case '$':
        return { kind: 'place', place: this.#flags.m ? 'line-end' : 'text-end-or-break' };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw this.#error(`Dangling meta character '${c}'`, this.#at - 1);
      case '{':
        throw this.#error('Illegal repetition', this.#at - 1);
      default:
        return this.#literal(c);
    }
  }

  #dot(): CharSet {
    if (this.#flags.s) return ANY;
    return allBut(this.#flags.d ? listed('\n') : LINE_ENDS);
  }

  #literal(c: string): PatternNode {
    const code = c.codePointAt(0)!;
    return { kind: 'chars', set: this.#cased(codeRange(code, code)) };
  }

  #cased(set: CharSet): CharSet {
    return this.#flags.i ? bothCases(set, this.#flags.u) : set;
  }

  #group(): PatternNode {
    if (!this.#take('?')) return this.#numbered(++this.#groups);
    const c = this.#next();
    switch (c) {
      case ':':
        return this.#close(this.#choice());
      case '=':
      case '!':
        return this.#look(true, c === '!');
      case '>':
        throw this.#unsupported('atomic groups');
      case '<': {
        const next = this.#peek();
        if (next === '=' || next === '!') {
          this.#next();
          return this.#look(false, next === '!');
        }
        return this.#named();
      }
      default:
        this.#at--;
        return this.#flagged();
    }
  }

  #numbered(number: number): PatternNode {
    if (this.#inLook > 0) {
      // No group is filled by what only looks around.
      return this.#close(this.#choice());
    }
    return { kind: 'group', number, of: this.#close(this.#choice()) };
  }

  #named(): PatternNode {
    let name = '';
    while (/^[A-Za-z0-9]$/.test(this.#peek() ?? '')) name += this.#next();
    if (!/^[A-Za-z]/.test(name))
      throw this.#error('capturing group name does not start with a Latin letter', this.#at - 1);
    if (!this.#take('>')) throw this.#error("named capturing group is missing trailing '>'", this.#at);
    if (this.#names.has(name))
      throw this.#error(`Named capturing group <${name}> is already defined`, this.#at - 1);
    const number = ++this.#groups;
    this.#names.set(name, number);
    return this.#numbered(number);
  }

  #look(isAhead: boolean, isNegative: boolean): PatternNode {
    this.#inLook++;
    const of = this.#close(this.#choice());
    this.#inLook--;
    return { kind: 'look', isAhead, isNegative, of };
  }

  /** `(?i)` for the rest of the group, or `(?i:…)`. */
  #flagged(): PatternNode {
    const flags = { ...this.#flags };
    let value = true;
    for (;;) {
      const c = this.#next();
      if (c === '-') value = false;
      else if (c === 'i' || c === 'm' || c === 's' || c === 'x' || c === 'u' || c === 'd') flags[c] = value;
      else if (c === ')') {
        this.#flags = flags;
        return EMPTY;
      } else if (c === ':') {
        const before = this.#flags;
        this.#flags = flags;
        const inner = this.#close(this.#choice());
        this.#flags = before;
        return inner;
      } else if (c === 'U') throw this.#unsupported('the flag (?U)');
      else throw this.#error('Unknown inline modifier', this.#at - 1);
    }
  }

  #close(node: PatternNode): PatternNode {
    if (!this.#take(')')) throw this.#error('Unclosed group', this.#at);
    return node;
  }

  #escape(): PatternNode {
    const c = this.#peek();
    if (c === undefined) throw this.#error('Unescaped trailing backslash', this.#at);
    if (Object.hasOwn(PLACES, c)) {
      this.#next();
      return { kind: 'place', place: PLACES[c]! };
    }
    if (c === 'Q') return this.#quoted();
    if (c === 'R') {
      this.#next();
      const pair = [this.#literal('\r'), this.#literal('\n')];
      return {
        kind: 'choice',
        of: [
          { kind: 'sequence', of: pair },
          { kind: 'chars', set: BREAKS },
        ],
      };
    }
    if (/^[1-9k]$/.test(c)) throw this.#unsupported('references to groups');
    if (c === 'G' || c === 'X' || c === 'N') throw this.#unsupported(`[\\${c}]`);
    return { kind: 'chars', set: this.#escapedSet() };
  }

  #quoted(): PatternNode {
    this.#next();
    const of: PatternNode[] = [];
    while (this.#at < this.#chars.length) {
      if (this.#peek() === '\\' && this.#chars[this.#at + 1] === 'E') {
        this.#at += 2;
        break;
      }
      of.push(this.#literal(this.#next()));
    }
    return { kind: 'sequence', of };
  }

  /** What follows a backslash, where it stands for characters. */
  #escapedSet(): CharSet {
    const c = this.#peek()!;
    if (Object.hasOwn(CLASSES, c)) {
      this.#next();
      return CLASSES[c]!;
    }
    if (c === 'p' || c === 'P') return this.#property();
    const code = this.#escapedCode();
    return this.#cased(codeRange(code, code));
  }

  #property(): CharSet {
    const isNegative = this.#next() === 'P';
    let name = this.#next();
    if (name === '{') {
      name = '';
      while (this.#peek() !== undefined && this.#peek() !== '}') name += this.#next();
      if (!this.#take('}')) throw this.#error('Unclosed character family', this.#at - 1);
    }
    const negated = name.startsWith('^');
    const set = property(negated ? name.slice(1) : name);
    if (set === undefined) throw this.#unsupported(`[\\p{${name}}]`);
    const cased = this.#flags.i && /^(?:lower|upper|l[lut])$/i.test(name) ? bothCases(set, true) : set;
    return isNegative !== negated ? allBut(cased) : cased;
  }

  #escapedCode(): number {
    const c = this.#next();
    if (Object.hasOwn(ESCAPED, c)) return ESCAPED[c]!.codePointAt(0)!;
    if (c === '0') return this.#digits(/^[0-7]$/, 8, 1, 3);
    if (c === 'u') return this.#digits(/^[0-9A-Fa-f]$/, 16, 4, 4);
    if (c === 'x') {
      if (!this.#take('{')) return this.#digits(/^[0-9A-Fa-f]$/, 16, 2, 2);
      const code = this.#digits(/^[0-9A-Fa-f]$/, 16, 1, 6);
      if (!this.#take('}')) throw this.#error('Unclosed hexadecimal escape sequence', this.#at);
      return code;
    }
    if (c === 'c') return this.#next().charCodeAt(0) ^ 64;
    if (/^[A-Za-z]$/.test(c)) throw this.#error('Illegal/unsupported escape sequence', this.#at - 1);
    return c.codePointAt(0)!;
  }

  #digits(digit: RegExp, radix: number, least: number, most: number): number {
    let text = '';
    while (text.length < most && digit.test(this.#peek() ?? '')) text += this.#next();
    if (text.length < least) {
      const kind = radix === 8 ? 'octal' : least === 4 ? 'Unicode' : 'hexadecimal';
      throw this.#error(`Illegal ${kind} escape sequence`, this.#at);
    }
    return Number.parseInt(text, radix);
  }

  /** A class behind its `[`, up to its `]`. */
  #class(): CharSet {
    if (++this.#depth > MAX_DEPTH) throw illegalArgument('the pattern is nested too deeply');
    const isNegative = this.#take('^');
    let whole: CharSet | undefined;
    let sets: CharSet[] = [];
    let isFirst = true;
    const join = (): void => {
      if (sets.length === 0) return;
      const part = anyOfSets(sets);
      whole = whole === undefined ? part : intersection(whole, part);
      sets = [];
    };
    for (;;) {
      if (this.#flags.x) this.#skipComments();
      const c = this.#peek();
      if (c === undefined) throw this.#error('Unclosed character class', this.#at - 1);
      if (c === ']' && !isFirst) break;
      isFirst = false;
      if (c === '&' && this.#chars[this.#at + 1] === '&') {
        this.#at += 2;
        join();
      } else if (this.#take('[')) sets.push(this.#class());
      else sets.push(this.#classItem());
    }
    this.#next();
    join();
    this.#depth--;
    const set = whole ?? charSet(() => false);
    return isNegative ? allBut(set) : set;
  }

  /** A character, a range, or an escaped class. */
  #classItem(): CharSet {
    if (this.#peek() === '\\') {
      const c = this.#chars[this.#at + 1];
      if (c !== undefined && (Object.hasOwn(CLASSES, c) || c === 'p' || c === 'P')) {
        this.#next();
        return this.#escapedSet();
      }
      if (c === 'Q') {
        this.#next();
        const quoted = this.#quoted() as { of: readonly { set: CharSet }[] };
        return anyOfSets([charSet(() => false), ...quoted.of.map(({ set }) => set)]);
      }
    }
    const from = this.#classCode();
    if (this.#peek() !== '-') return this.#cased(codeRange(from, from));
    const next = this.#chars[this.#at + 1];
    if (next === undefined || next === ']' || next === '[') return this.#cased(codeRange(from, from));
    this.#next();
    const to = this.#classCode();
    if (to < from) throw this.#error('Illegal character range', this.#at - 1);
    return this.#cased(codeRange(from, to));
  }

  #classCode(): number {
    return this.#take('\\') ? this.#escapedCode() : this.#next().codePointAt(0)!;
  }

  /** Spaces and comments, where the flag `x` allows them. */
  #skipComments(): void {
    if (!this.#flags.x) return;
    for (let c = this.#peek(); c !== undefined; c = this.#peek()) {
      if (SPACES.has(c.codePointAt(0)!)) this.#at++;
      else if (c === '#') while (this.#peek() !== undefined && this.#next() !== '\n');
      else return;
    }
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #next(): string {
    const c = this.#chars[this.#at++];
    if (c === undefined) throw this.#error('Unclosed group', this.#at - 1);
    return c;
  }

  #take(c: string): boolean {
    if (this.#chars[this.#at] !== c) return false;
    this.#at++;
    return true;
  }

  #error(what: string, index: number): EngineError {
    const at = this.#chars.slice(0, Math.max(0, index)).join('').length;
    const pointer = at < this.#source.length ? `\n${' '.repeat(at)}^` : '';
    return new EngineError('pattern_syntax_exception', `${what} near index ${at}\n${this.#source}${pointer}`);
  }

  #unsupported(what: string): EngineError {
    return illegalArgument(
      `The pattern [${this.#source}] cannot be used: ${what} are not supported, because matching could take too long`,
    );
  }
}
