// Sets of characters in patterns: a table for ASCII, and a test for all others.

export interface CharSet {
  has(codePoint: number): boolean;
}

/** The set of all code points that pass a test. */
export function charSet(test: (codePoint: number) => boolean): CharSet {
  const ascii = Array.from({ length: 128 }, (_, c) => test(c));
  return { has: (c) => (c < 128 ? ascii[c]! : test(c)) };
}

export function codeRange(from: number, to: number): CharSet {
  return { has: (c) => c >= from && c <= to };
}

export function listed(characters: string): CharSet {
  const codes = new Set(Array.from(characters, (c) => c.codePointAt(0)!));
  return { has: (c) => codes.has(c) };
}

export function anyOfSets(sets: readonly CharSet[]): CharSet {
  return sets.length === 1 ? sets[0]! : charSet((c) => sets.some((set) => set.has(c)));
}

export function intersection(a: CharSet, b: CharSet): CharSet {
  return charSet((c) => a.has(c) && b.has(c));
}

export function allBut(set: CharSet): CharSet {
  return charSet((c) => !set.has(c));
}

/** A set without regard to case: of ASCII letters, or of all. */
export function bothCases(set: CharSet, isUnicode: boolean): CharSet {
  return charSet((c) => {
    if (set.has(c)) return true;
    if (c < 128) return isLetter(c) && set.has(c ^ 32);
    if (!isUnicode) return false;
    const text = String.fromCodePoint(c);
    return [text.toLowerCase(), text.toUpperCase()].some((one) => {
      const other = one.codePointAt(0)!;
      return String.fromCodePoint(other) === one && set.has(other);
    });
  });
}

function isLetter(c: number): boolean {
  const upper = c & ~32;
  return upper >= 65 && upper <= 90;
}

export const DIGITS: CharSet = codeRange(48, 57);
export const WORDS: CharSet = charSet((c) => c === 95 || (c >= 48 && c <= 57) || (c < 128 && isLetter(c)));
export const SPACES: CharSet = listed(' \t\n\v\f\r');
/** Spaces within a line. */
export const BLANKS: CharSet = listed(
  ' \t\u00a0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
);
/** Ends of lines and pages. */
export const BREAKS: CharSet = listed('\n\v\f\r\u0085\u2028\u2029');
export const LINE_ENDS: CharSet = listed('\n\r\u0085\u2028\u2029');

function tested(pattern: RegExp): CharSet {
  return charSet((c) => pattern.test(String.fromCodePoint(c)));
}

/** Classes for `\p{…}` by name in lower case. Made when first asked for. */
const PROPERTIES: Readonly<Record<string, () => CharSet>> = {
  lower: () => codeRange(97, 122),
  upper: () => codeRange(65, 90),
  ascii: () => codeRange(0, 127),
  alpha: () => charSet((c) => c < 128 && isLetter(c)),
  digit: () => DIGITS,
  alnum: () => charSet((c) => DIGITS.has(c) || (c < 128 && isLetter(c))),
  punct: () => listed('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'),
  graph: () => codeRange(33, 126),
  print: () => codeRange(32, 126),
  blank: () => listed(' \t'),
  cntrl: () => charSet((c) => c < 32 || c === 127),
  xdigit: () => listed('0123456789abcdefABCDEF'),
  space: () => SPACES,
  javalowercase: () => tested(/\p{Lowercase}/u),
  javauppercase: () => tested(/\p{Uppercase}/u),
  javawhitespace: () => {
    const separators = tested(/\p{Z}/u);
    const others = listed('\u00a0\u2007\u202f');
    return charSet(
      (c) => (c >= 9 && c <= 13) || (c >= 28 && c <= 31) || (separators.has(c) && !others.has(c)),
    );
  },
  javaletter: () => tested(/\p{L}/u),
  javadigit: () => tested(/\p{Nd}/u),
  javaletterordigit: () => tested(/[\p{L}\p{Nd}]/u),
  isalphabetic: () => tested(/\p{Alphabetic}/u),
  isideographic: () => tested(/\p{Ideographic}/u),
  isletter: () => tested(/\p{L}/u),
  islowercase: () => tested(/\p{Lowercase}/u),
  isuppercase: () => tested(/\p{Uppercase}/u),
  iswhite_space: () => tested(/\p{White_Space}/u),
  isdigit: () => tested(/\p{Nd}/u),
  ispunctuation: () => tested(/\p{P}/u),
  iscontrol: () => tested(/\p{Cc}/u),
  isemoji: () => tested(/\p{Emoji}/u),
  l: () => tested(/\p{L}/u),
  lu: () => tested(/\p{Lu}/u),
  ll: () => tested(/\p{Ll}/u),
  lt: () => tested(/\p{Lt}/u),
  lm: () => tested(/\p{Lm}/u),
  lo: () => tested(/\p{Lo}/u),
  lc: () => tested(/\p{LC}/u),
  ld: () => tested(/[\p{L}\p{Nd}]/u),
  l1: () => codeRange(0, 255),
  m: () => tested(/\p{M}/u),
  mn: () => tested(/\p{Mn}/u),
  mc: () => tested(/\p{Mc}/u),
  me: () => tested(/\p{Me}/u),
  n: () => tested(/\p{N}/u),
  nd: () => tested(/\p{Nd}/u),
  nl: () => tested(/\p{Nl}/u),
  no: () => tested(/\p{No}/u),
  p: () => tested(/\p{P}/u),
  pc: () => tested(/\p{Pc}/u),
  pd: () => tested(/\p{Pd}/u),
  ps: () => tested(/\p{Ps}/u),
  pe: () => tested(/\p{Pe}/u),
  pi: () => tested(/\p{Pi}/u),
  pf: () => tested(/\p{Pf}/u),
  po: () => tested(/\p{Po}/u),
  s: () => tested(/\p{S}/u),
  sm: () => tested(/\p{Sm}/u),
  sc: () => tested(/\p{Sc}/u),
  sk: () => tested(/\p{Sk}/u),
  so: () => tested(/\p{So}/u),
  z: () => tested(/\p{Z}/u),
  zs: () => tested(/\p{Zs}/u),
  zl: () => tested(/\p{Zl}/u),
  zp: () => tested(/\p{Zp}/u),
  c: () => tested(/\p{C}/u),
  cc: () => tested(/\p{Cc}/u),
  cf: () => tested(/\p{Cf}/u),
  co: () => tested(/\p{Co}/u),
  cs: () => tested(/\p{Cs}/u),
  cn: () => tested(/\p{Cn}/u),
  islatin: () => tested(/\p{Script=Latin}/u),
  isgreek: () => tested(/\p{Script=Greek}/u),
  iscyrillic: () => tested(/\p{Script=Cyrillic}/u),
  isarmenian: () => tested(/\p{Script=Armenian}/u),
  isgeorgian: () => tested(/\p{Script=Georgian}/u),
  ishebrew: () => tested(/\p{Script=Hebrew}/u),
  isarabic: () => tested(/\p{Script=Arabic}/u),
  isdevanagari: () => tested(/\p{Script=Devanagari}/u),
  isbengali: () => tested(/\p{Script=Bengali}/u),
  istamil: () => tested(/\p{Script=Tamil}/u),
  isthai: () => tested(/\p{Script=Thai}/u),
  ishan: () => tested(/\p{Script=Han}/u),
  ishiragana: () => tested(/\p{Script=Hiragana}/u),
  iskatakana: () => tested(/\p{Script=Katakana}/u),
  ishangul: () => tested(/\p{Script=Hangul}/u),
  iscommon: () => tested(/\p{Script=Common}/u),
};

const made = new Map<string, CharSet>();

/** The set of `\p{name}`; undefined for names that are not supported. */
export function property(name: string): CharSet | undefined {
  const [key = '', value] = name.toLowerCase().split('=');
  const isKind = ['gc', 'general_category', 'sc', 'script'].includes(key);
  const plain = value === undefined ? key : isKind ? (key.startsWith('g') ? value : `is${value}`) : '';
  const found = Object.hasOwn(PROPERTIES, plain) ? plain : plain.startsWith('is') ? plain.slice(2) : '';
  if (!Object.hasOwn(PROPERTIES, found)) return undefined;
  let set = made.get(found);
  if (set === undefined) made.set(found, (set = PROPERTIES[found]!()));
  return set;
}
