// Cuts a term into parts: at delimiters, where the case changes, and between letters and digits.

import { illegalArgument } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { boolParam, listParam, refuseFile } from '../../params.ts';

const LOWER = 1;
const UPPER = 2;
export const ALPHA = 3;
const NUMERAL = 4;
const DELIMITER = 8;

const TYPES: Readonly<Record<string, number>> = Object.freeze({
  LOWER,
  UPPER,
  ALPHA,
  DIGIT: NUMERAL,
  ALPHANUM: ALPHA | NUMERAL,
  SUBWORD_DELIM: DELIMITER,
});

/** A part of a term: UTF-16 units, and ALPHA, NUMERAL or both. */
export interface WordPart {
  readonly start: number;
  readonly end: number;
  readonly type: number;
}

/** The settings of both filters. */
export interface PartOptions {
  readonly generateWords: boolean;
  readonly generateNumbers: boolean;
  readonly catenateWords: boolean;
  readonly catenateNumbers: boolean;
  readonly catenateAll: boolean;
  readonly keepsOriginal: boolean;
  readonly splitsCase: boolean;
  readonly splitsNumbers: boolean;
  readonly dropsPossessive: boolean;
  readonly protectedWords: ReadonlySet<string>;
  readonly typeOf: (unit: number) => number;
}

export function partOptions(name: string, params: JsonObject): PartOptions {
  refuseFile(name, params, 'protected_words_path', 'protected_words');
  refuseFile(name, params, 'type_table_path', 'type_table');
  return {
    generateWords: boolParam(params, 'generate_word_parts', true),
    generateNumbers: boolParam(params, 'generate_number_parts', true),
    catenateWords: boolParam(params, 'catenate_words', false),
    catenateNumbers: boolParam(params, 'catenate_numbers', false),
    catenateAll: boolParam(params, 'catenate_all', false),
    keepsOriginal: boolParam(params, 'preserve_original', false),
    splitsCase: boolParam(params, 'split_on_case_change', true),
    splitsNumbers: boolParam(params, 'split_on_numerics', true),
    dropsPossessive: boolParam(params, 'stem_english_possessive', true),
    protectedWords: new Set(listParam(params, 'protected_words') ?? []),
    typeOf: typeTable(listParam(params, 'type_table')),
  };
}

/** The type of a UTF-16 unit, with rules such as `$ => DIGIT` before the usual types. */
function typeTable(rules: readonly string[] | undefined): (unit: number) => number {
  if (rules === undefined) return (unit) => (unit < 256 ? LATIN[unit]! : generalType(unit));
  const types = new Map<number, number>();
  for (const rule of rules) {
    const arrow = rule.lastIndexOf('=>');
    if (arrow < 0) throw illegalArgument(`Invalid Mapping Rule : [${rule}]`);
    const from = unescaped(rule.slice(0, arrow).trim());
    if (from.length !== 1)
      throw illegalArgument(`Invalid Mapping Rule : [${rule}]. Only a single character is allowed.`);
    const type = rule.slice(arrow + 2).trim();
    if (!Object.hasOwn(TYPES, type)) throw illegalArgument(`Invalid Mapping Rule : [${rule}]. Illegal type.`);
    types.set(from.charCodeAt(0), TYPES[type]!);
  }
  return (unit) => types.get(unit) ?? generalType(unit);
}

function unescaped(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_, code: string) => {
    if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[code] ?? code;
  });
}

function generalType(unit: number): number {
  if (unit >= 0xd800 && unit < 0xe000) return ALPHA | NUMERAL;
  const c = String.fromCharCode(unit);
  if (/\p{Lu}/u.test(c)) return UPPER;
  if (/\p{Ll}/u.test(c)) return LOWER;
  if (/[\p{L}\p{M}]/u.test(c)) return ALPHA;
  return /\p{N}/u.test(c) ? NUMERAL : DELIMITER;
}

const LATIN: readonly number[] = Array.from({ length: 256 }, (_, unit) => {
  const c = String.fromCharCode(unit);
  if (/\p{Lowercase}/u.test(c)) return LOWER;
  if (/\p{Uppercase}/u.test(c)) return UPPER;
  return /\p{Nd}/u.test(c) ? NUMERAL : DELIMITER;
});

/** The parts of a term, and whether it is a single one between delimiters. */
export function cutParts(term: string, options: PartOptions): { parts: WordPart[]; isSingle: boolean } {
  const types = Array.from({ length: term.length }, (_, i) => options.typeOf(term.charCodeAt(i)));
  const isDelimiter = (i: number): boolean => (types[i]! & DELIMITER) !== 0;
  let first = 0;
  while (first < term.length && isDelimiter(first)) first++;
  let last = term.length;
  while (last > first && isDelimiter(last - 1)) last--;
  const isPossessive = (end: number): boolean =>
    options.dropsPossessive &&
    end > 2 &&
    /'[sS]/.test(term.slice(end - 2, end)) &&
    (types[end - 3]! & ALPHA) !== 0 &&
    (end === last || isDelimiter(end));

  const parts: WordPart[] = [];
  let at = first;
  for (;;) {
    while (at < last && isDelimiter(at)) at++;
    if (at >= last) break;
    const start = at;
    at++;
    while (at < last && !isBreak(types[at - 1]!, types[at]!, options)) at++;
    const type = types[start]!;
    parts.push({ start, end: at, type: type === LOWER || type === UPPER ? ALPHA : type });
    if (at < last - 1 && isPossessive(at + 2)) at += 2;
  }
  const end = isPossessive(last) ? last - 2 : last;
  return { parts, isSingle: parts[0]?.start === first && parts[0]?.end === end };
}

function isBreak(before: number, type: number, { splitsCase, splitsNumbers }: PartOptions): boolean {
  if ((type & before) !== 0) return false;
  const areLetters = (before & ALPHA) !== 0 && (type & ALPHA) !== 0;
  if (areLetters && (!splitsCase || (before & UPPER) !== 0)) return false;
  const isMixed =
    ((before & ALPHA) !== 0 && (type & NUMERAL) !== 0) || ((before & NUMERAL) !== 0 && (type & ALPHA) !== 0);
  return splitsNumbers || !isMixed;
}

/** Whether parts of a type are tokens of their own. */
export function generates(type: number, options: PartOptions): boolean {
  return (
    (options.generateWords && (type & ALPHA) !== 0) || (options.generateNumbers && (type & NUMERAL) !== 0)
  );
}

/** Whether parts of a type are joined with their neighbours of that type. */
export function catenates(type: number, options: PartOptions): boolean {
  return (
    (options.catenateWords && (type & ALPHA) !== 0) || (options.catenateNumbers && (type & NUMERAL) !== 0)
  );
}

/** Parts that are being joined. */
export class Catenation {
  text = '';
  start = 0;
  end = 0;
  type = 0;
  count = 0;
  /** The position of its first part. */
  position = 0;

  add(term: string, { start, end, type }: WordPart, position: number): void {
    if (this.count === 0) {
      this.start = start;
      this.type = type;
      this.position = position;
    }
    this.text += term.slice(start, end);
    this.end = end;
    this.count++;
  }
}
