// Word_Break classes of code points (Unicode UAX #29), derived from the platform's Unicode tables, plus
// the scripts that Lucene's StandardTokenizer treats specially.

export const OTHER = 0;
export const LETTER = 1;
export const HANGUL = 2;
export const HEBREW = 3;
export const NUMERIC = 4;
export const KATAKANA = 5;
/** Connectors such as `_`: join words, but are no word alone. */
export const JOINER = 6;
/** Combining marks, format characters, ZWJ: belong to the character before them. */
export const EXTEND = 7;
export const MID_LETTER = 8;
export const MID_NUM = 9;
export const MID_BOTH = 10;
export const SINGLE_QUOTE = 11;
export const DOUBLE_QUOTE = 12;
export const IDEOGRAPH = 13;
export const HIRAGANA = 14;
/** Thai, Lao, Khmer, Myanmar and others that write no spaces: runs stay together. */
export const COMPLEX = 15;
export const EMOJI = 16;
export const REGIONAL = 17;

const ZWJ = 0x200d;

/** Classes of code points by pages of 256, computed on first use. */
const pages: (Uint8Array | undefined)[] = new Array(0x1100);

/** The class of a code point. O(1) after the first use of its page. */
export function breakClass(code: number): number {
  return (pages[code >> 8] ?? page(code >> 8))[code & 255]!;
}

function page(index: number): Uint8Array {
  const classes = new Uint8Array(256);
  const first = index << 8;
  if (first >= 0x4e00 && first < 0x9f00) classes.fill(IDEOGRAPH);
  else if (first >= 0xac00 && first < 0xd700) classes.fill(HANGUL);
  else for (let i = 0; i < 256; i++) classes[i] = classify(first + i);
  pages[index] = classes;
  return classes;
}

function set(ranges: string): Set<number> {
  const all = new Set<number>();
  for (const range of ranges.split(' ')) {
    const [from, to = from] = range.split('-').map((hex) => Number.parseInt(hex, 16));
    for (let code = from!; code <= to!; code++) all.add(code);
  }
  return all;
}

const MID_LETTERS = set('3a b7 387 55f 5f4 2027 fe13 fe55 ff1a');
const MID_NUMS = set('2c 3b 37e 589 60c 60d 66c 7f8 2044 fe10 fe14 fe50 fe54 ff0c ff1b');
const MID_BOTHS = set('2e 2018 2019 2024 fe52 ff07 ff0e');
const MORE_KATAKANA = set('3031-3035 309b 309c 30a0 30fc ff70');
const MORE_LETTERS = set(
  '2c2-2c5 2d2-2d7 2de 2df 2e5-2eb 2ed 2ef-2ff 55a-55c 55e 58a 5f3 70f a708-a716 a720 a721 a789 a78a ab5b',
);
const COMPLEX_SCRIPTS =
  /^[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}\p{sc=Tale}\p{sc=Talu}\p{sc=Lana}\p{sc=Tavt}\p{sc=Ahom}]$/u;

function classify(code: number): number {
  if (code === 0x27) return SINGLE_QUOTE;
  if (code === 0x22) return DOUBLE_QUOTE;
  if (MID_LETTERS.has(code)) return MID_LETTER;
  if (MID_NUMS.has(code)) return MID_NUM;
  if (MID_BOTHS.has(code)) return MID_BOTH;
  if (code >= 0xd800 && code < 0xe000) return OTHER;
  const c = String.fromCodePoint(code);
  if (code === ZWJ || /^\p{Emoji_Modifier}$/u.test(c)) return EXTEND;
  if (/^\p{Regional_Indicator}$/u.test(c)) return REGIONAL;
  if (/^[\p{Grapheme_Extend}\p{Mc}]$/u.test(c)) return EXTEND;
  if (/^\p{Cf}$/u.test(c))
    return code === 0x200b || (code >= 0x600 && code <= 0x605) || code === 0x6dd ? OTHER : EXTEND;
  if (/^\p{Pc}$/u.test(c) || code === 0x202f) return JOINER;
  if (/^\p{Nd}$/u.test(c) || code === 0x66b) return NUMERIC;
  if (MORE_KATAKANA.has(code) || /^\p{sc=Kana}$/u.test(c)) return KATAKANA;
  if (/^\p{sc=Hira}$/u.test(c)) return HIRAGANA;
  if (/^\p{sc=Han}$/u.test(c)) return IDEOGRAPH;
  if (COMPLEX_SCRIPTS.test(c) && /^[\p{L}\p{M}]$/u.test(c)) return COMPLEX;
  if (/^(?=\p{sc=Hebr})\p{Lo}$/u.test(c)) return HEBREW;
  if (code >= 0x80 && /^\p{Extended_Pictographic}$/u.test(c)) return EMOJI;
  if (/^\p{Ideographic}$/u.test(c)) return OTHER;
  if (/^\p{Alphabetic}$/u.test(c) || MORE_LETTERS.has(code))
    return /^\p{sc=Hang}$/u.test(c) ? HANGUL : LETTER;
  return OTHER;
}
