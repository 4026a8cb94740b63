// One spelling for letters of Indian scripts that are written as one character or as several (The Unicode Standard 5.2,
// chapter 9: South Asian scripts). Most of these pairs are no canonical equivalents, so Unicode's own forms leave them.

/** The scripts by the letters that stand for them in the table, with their first code points. */
const SCRIPTS: Readonly<Record<string, number>> = {
  ...{ d: 0x0900, b: 0x0980, p: 0x0a00, g: 0x0a80, o: 0x0b00 },
  ...{ t: 0x0b80, e: 0x0c00, k: 0x0c80, m: 0x0d00 },
};
const JOINER = '\u200d';

/** Offsets into a script in hexadecimal digits (ff is the joiner), the offset of the one letter, and the scripts. */
const COMPOSED =
  '053e45 11 dg, 053e46 12 d, 053e47 13 dg, 053e48 14 dg, 053e 06 dbpgo, 0545 72 d, 0545 0d g, ' +
  '0546 04 d, 0547 0f g, 0548 10 pg, 0549 11 dg, 054a 12 d, 054b 13 dg, 054c 14 dpg, 0645 11 dg, ' +
  '0646 12 d, 0647 13 dg, 0648 14 dg, 0757 08 m, 0941 0a d, 0957 0a tm, 0e46 10 m, 0f45 0d d, ' +
  '0f46 0e d, 0f47 10 d, 0f57 10 o, 123e 13 m, 124c 14 ek, 1255 13 e, 1257 14 tm, 1357 14 o, ' +
  '153c 58 d, 163c 59 dp, 173c 5a dp, 1c3c 5b dp, 213c 5c dbo, 223c 5d dbo, 234dff 7a m, ' +
  '244dff 4e b, 283c 29 d, 284dff 7b m, 2b3c 5e dp, 2f3c 5f db, 2c4141 0b e, 303c 31 d, ' +
  '304dff 7c m, 324dff 7d m, 333c 34 d, 334dff 7e m, 3541 2e e, 3e45 49 dg, 3e46 4a d, 3e47 4b dg, ' +
  '3e48 4c dg, 3f55 40 k, 4141 42 p, 463e 4a tm, 464255 4b k, 4642 4a k, 4646 48 m, 4655 47 ek, ' +
  '4656 48 ek, 4657 4c tm, 473e 4b botm, 4757 4c bo, 4a55 4b k, 723f 07 p, 7240 08 p, 7247 0f p, ' +
  '7341 09 p, 7342 0a p, 734b 13 p';

/** For each first letter what may follow, and the letter that all become. */
const bySequence = new Map<string, (readonly [rest: string, letter: string])[]>();
for (const row of COMPOSED.split(', ')) {
  const [offsets = '', result = '', scripts = ''] = row.split(' ');
  for (const script of scripts) {
    const letter = (offset: string): string =>
      offset === 'ff' ? JOINER : String.fromCharCode(SCRIPTS[script]! + Number.parseInt(offset, 16));
    const [first = '', ...rest] = offsets.match(/../g)!.map(letter);
    const rules = bySequence.get(first) ?? [];
    bySequence.set(first, [...rules, [rest.join(''), letter(result)]]);
  }
}

/** The letters of Indian scripts as one character each. */
export function normalizeIndic(word: string): string {
  let out = '';
  for (let i = 0; i < word.length; i++) {
    const rule = bySequence.get(word[i]!)?.find(([rest]) => word.startsWith(rest, i + 1));
    out += rule?.[1] ?? word[i]!;
    if (rule !== undefined) i += rule[0].length;
  }
  return out;
}
