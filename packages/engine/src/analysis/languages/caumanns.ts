// A stemmer of German after Jörg Caumanns, "A Fast and Simple Stemming Algorithm for German Words" (1999). One sign stands for
// sequences of letters that sound as one, so that no ending cuts through them.

const SEQUENCES: readonly (readonly [sequence: string, sign: string])[] = [
  ['sch', '$'],
  ['ch', '§'],
  ['ei', '%'],
  ['ie', '&'],
  ['ig', '#'],
  ['st', '!'],
];
const SIGN_OF = new Map(SEQUENCES);
const SEQUENCE_OF = new Map(SEQUENCES.map(([sequence, sign]) => [sign, sequence]));

/** German, by its sounds. */
export function caumanns(input: string): string {
  const word = input.toLowerCase();
  if (!/^\p{L}+$/u.test(word)) return word;
  const { text, saved } = shorten(word);
  let stem = strip(text, saved);
  if (stem.endsWith('erin*') && stem.length > 5) stem = strip(stem.slice(0, -1), saved);
  if (stem.endsWith('z')) stem = `${stem.slice(0, -1)}x`;
  return lengthen(stem).replace('gege', 'ge');
}

/** The word with signs, and how many letters they saved. */
function shorten(word: string): { text: string; saved: number } {
  let text = '';
  let saved = 0;
  const plain = word.replace(/[äöü]/g, (letter) => letter.normalize('NFD')[0]!).replaceAll('ß', 'ss');
  for (let at = 0; at < plain.length; ) {
    const letter = plain[at]!;
    const found = SEQUENCES.find(([sequence]) => plain.startsWith(sequence, at))?.[0];
    if (at > 0 && letter === plain[at - 1] && text.at(-1) === letter) text += '*';
    else if (found !== undefined) {
      text += SIGN_OF.get(found)!;
      saved += found.length - 1;
      at += found.length - 1;
    } else text += letter;
    at++;
  }
  return { text, saved };
}

function lengthen(text: string): string {
  let word = '';
  for (const sign of text) word += sign === '*' ? word.at(-1)! : (SEQUENCE_OF.get(sign) ?? sign);
  return word;
}

function strip(text: string, saved: number): string {
  let stem = text;
  while (stem.length > 3) {
    const length = stem.length + saved;
    const end = (length > 5 && stem.endsWith('nd')) || (length > 4 && /e[mr]$/.test(stem)) ? 2 : 1;
    if (end === 1 && !/[esnt]$/.test(stem)) return stem;
    stem = stem.slice(0, -end);
  }
  return stem;
}
