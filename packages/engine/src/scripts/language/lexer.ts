// Cuts the source of a script into tokens. Positions are offsets in UTF-16 units, as the peer reports them.

import { ScriptFault } from '../script-fault.ts';

/** One token; `text` of a string is its value. */
export interface ScriptToken {
  readonly kind: 'word' | 'keyword' | 'number' | 'string' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['if', 'else', 'while', 'do', 'for', 'in', 'continue', 'break', 'return', 'new', 'try', 'catch'],
  ...['throw', 'this', 'instanceof', 'null', 'true', 'false'],
]);

/** Longest first, so that the first that fits is the right one. */
const SIGNS: readonly string[] = [
  ...['>>>=', '<<=', '>>=', '>>>', '===', '!==', '==~', '...'],
  ...['?.', '?:', '->', '::', '==', '!=', '<=', '>=', '&&', '||', '++', '--', '+=', '-=', '*=', '/=', '%='],
  ...['&=', '|=', '^=', '<<', '>>', '=~'],
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '.',
    ',',
    ';',
    '!',
    '~',
    '*',
    '/',
    '%',
    '+',
    '-',
    '<',
    '>',
    '&',
    '^',
    '|',
  ],
  ...['?', ':', '='],
];

/** The tokens of a source, the last of kind `end`. Throws a ScriptFault. O(source). */
export function readTokens(source: string): ScriptToken[] {
  const tokens: ScriptToken[] = [];
  for (let at = skipBlanks(source, 0); at < source.length; ) {
    const isMember = tokens.at(-1)?.text === '.' && isDigit(source[at]!);
    const token = isMember ? readPosition(source, at) : readToken(source, at);
    tokens.push(token);
    at = skipBlanks(source, token.end);
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length, end: source.length });
  return tokens;
}

function readToken(source: string, at: number): ScriptToken {
  const first = source[at]!;
  if (isLetter(first)) {
    let end = at + 1;
    while (end < source.length && (isLetter(source[end]!) || isDigit(source[end]!))) end++;
    const text = source.slice(at, end);
    return { kind: KEYWORDS.has(text) ? 'keyword' : 'word', text, at, end };
  }
  if (isDigit(first)) {
    const end = numberEnd(source, at);
    return { kind: 'number', text: source.slice(at, end), at, end };
  }
  if (first === '"' || first === "'") return readString(source, at, first);
  const sign = SIGNS.find((each) => source.startsWith(each, at));
  if (sign === undefined) throw unexpected(source, at, at + 1);
  return { kind: 'sign', text: sign, at, end: at + sign.length };
}

/** Digits behind a point: an item of a list, as in `list.0`. */
function readPosition(source: string, at: number): ScriptToken {
  let end = at;
  while (isDigit(source[end] ?? '')) end++;
  return { kind: 'number', text: source.slice(at, end), at, end };
}

function readString(source: string, at: number, quote: string): ScriptToken {
  let text = '';
  for (let i = at + 1; i < source.length; i++) {
    const c = source[i]!;
    if (c === quote) return { kind: 'string', text, at, end: i + 1 };
    if (c !== '\\') text += c;
    else {
      const next = source[++i];
      if (next !== '\\' && next !== quote) throw unexpected(source, at, i + 1);
      text += next;
    }
  }
  throw unexpected(source, at, source.length);
}

function numberEnd(source: string, at: number): number {
  let end = at;
  if (source[at] === '0' && /[xX]/.test(source[at + 1] ?? '')) {
    end = at + 2;
    while (/[0-9a-fA-F]/.test(source[end] ?? '')) end++;
    return /[lL]/.test(source[end] ?? '') ? end + 1 : end;
  }
  const digits = (): void => {
    while (isDigit(source[end] ?? '')) end++;
  };
  digits();
  if (source[end] === '.' && isDigit(source[end + 1] ?? '')) {
    end++;
    digits();
  }
  const sign = /[+-]/.test(source[end + 1] ?? '') ? 1 : 0;
  if (/[eE]/.test(source[end] ?? '') && isDigit(source[end + 1 + sign] ?? '')) {
    end += 1 + sign;
    digits();
  }
  return /[lLfFdD]/.test(source[end] ?? '') ? end + 1 : end;
}

function skipBlanks(source: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < source.length && ' \t\n\r'.includes(source[at]!)) at++;
    if (source.startsWith('//', at)) {
      const end = source.indexOf('\n', at);
      at = end === -1 ? source.length : end + 1;
    } else if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      if (end === -1) throw unexpected(source, at, source.length);
      at = end + 2;
    } else return at;
  }
}

function unexpected(source: string, at: number, end: number): ScriptFault {
  const text = source.slice(at, end);
  return new ScriptFault('illegal_argument_exception', `unexpected character [${text}].`, at);
}

function isLetter(c: string): boolean {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_';
}

function isDigit(c: string): boolean {
  return c >= '0' && c <= '9';
}
