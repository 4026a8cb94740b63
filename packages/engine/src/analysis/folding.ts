// How does accented text become ASCII? By Unicode decomposition, and a table of letters that do not decompose.

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
};

/** The term with every character that has an ASCII likeness replaced by it. */
export function foldAscii(term: string): string {
  return /[^\0-\x7f]/.test(term) ? Array.from(term, foldOne).join('') : term;
}

function foldOne(c: string): string {
  if (c < '\x80') return c;
  if (Object.hasOwn(LETTERS, c)) return LETTERS[c]!;
  const bare = c.normalize('NFKD').replace(/\p{M}/gu, '');
  return bare !== '' && !/[^\0-\x7f]/.test(bare) && bare !== ' ' ? bare : c;
}
