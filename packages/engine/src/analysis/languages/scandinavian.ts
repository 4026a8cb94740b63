// Danish, Norwegian and Swedish spellings of the same sounds as one letter.

const SINGLE: Readonly<Record<string, string>> = { ä: 'æ', Ä: 'Æ', ö: 'ø', Ö: 'Ø' };
const PAIRED: Readonly<Record<string, string>> = {
  ...{ aa: 'å', ao: 'å', ae: 'æ', oe: 'ø', oo: 'ø' },
  ...{ Aa: 'Å', Ao: 'Å', Ae: 'Æ', Oe: 'Ø', Oo: 'Ø' },
};

/** The letters å, æ and ø for all of their spellings. */
export function normalizeScandinavian(word: string): string {
  return word.replace(
    /[äÄöÖ]|[aA][aAoOeE]|[oO][eEoO]/g,
    (found) => SINGLE[found] ?? PAIRED[found[0]! + found[1]!.toLowerCase()]!,
  );
}

const FOLDED: Readonly<Record<string, string>> = {
  ...{ å: 'a', ä: 'a', æ: 'a', ö: 'o', ø: 'o' },
  ...{ Å: 'A', Ä: 'A', Æ: 'A', Ö: 'O', Ø: 'O' },
};

/** The letters a and o for all of these and their spellings. */
export function foldScandinavian(word: string): string {
  return word.replace(/[åäæöøÅÄÆÖØ]|[aA][aAoOeE]|[oO][eEoO]/g, (found) => FOLDED[found] ?? found[0]!);
}
