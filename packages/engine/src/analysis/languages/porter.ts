// Porter's stemmer (M. F. Porter, An algorithm for suffix stripping, 1980), with the two changes of
// Lucene's PorterStemFilter: bli -> ble and logi -> log.

/** Whether the letter at `i` is a consonant: y is one at the start and after a vowel. */
function consonant(word: string, i: number): boolean {
  let odd = false;
  let at = i;
  // A run of y's alternates; walk back to where it begins.
  while (at > 0 && word[at] === 'y') {
    at--;
    odd = !odd;
  }
  const first = word[at] === 'y' ? true : !'aeiou'.includes(word[at]!);
  return odd ? !first : first;
}

/** Number of vowel-consonant sequences: Porter's m. O(length) but for runs of y. */
function measure(stem: string): number {
  let count = 0;
  let vowel = false;
  let previousConsonant = false;
  for (let i = 0; i < stem.length; i++) {
    const c = stem[i]!;
    const isConsonant: boolean = c === 'y' ? i === 0 || !previousConsonant : !'aeiou'.includes(c);
    if (isConsonant && vowel) count++;
    vowel = !isConsonant;
    previousConsonant = isConsonant;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (!consonant(stem, i)) return true;
  return false;
}

function doubled(word: string): boolean {
  const n = word.length;
  return n > 1 && word[n - 1] === word[n - 2] && consonant(word, n - 1);
}

/** Consonant, vowel, consonant at the end, the last not w, x or y. */
function shortEnd(word: string): boolean {
  const n = word.length;
  return (
    n > 2 &&
    consonant(word, n - 1) &&
    !consonant(word, n - 2) &&
    consonant(word, n - 3) &&
    !'wxy'.includes(word[n - 1]!)
  );
}

const STEP2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];
const STEP3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP4: readonly string[] = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
];

function replaceEnd(word: string, rules: readonly (readonly [string, string])[]): string {
  for (const [ending, by] of rules) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    return measure(stem) > 0 ? stem + by : word;
  }
  return word;
}

/** Plurals and past forms. */
function step1(input: string): string {
  let word = input;
  if (word.endsWith('s')) {
    if (word.endsWith('sses') || word.endsWith('ies')) word = word.slice(0, -2);
    else if (!word.endsWith('ss')) word = word.slice(0, -1);
  }
  if (word.endsWith('eed')) {
    if (measure(word.slice(0, -3)) > 0) word = word.slice(0, -1);
  } else {
    const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
    const stem = word.slice(0, word.length - cut);
    if (cut > 0 && hasVowel(stem)) {
      word = stem;
      if (/(?:at|bl|iz)$/.test(word)) word += 'e';
      else if (doubled(word)) {
        if (!/[lsz]$/.test(word)) word = word.slice(0, -1);
      } else if (measure(word) === 1 && shortEnd(word)) word += 'e';
    }
  }
  if (word.endsWith('y') && hasVowel(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  return word;
}

/** The stem of a lower-case word; words of one or two letters are their own. */
export function porter(input: string): string {
  if (input.length < 3) return input;
  let word = replaceEnd(replaceEnd(step1(input), STEP2), STEP3);
  for (const ending of STEP4) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    if (ending === 'ion' && !/[st]$/.test(stem)) break;
    if (measure(stem) > 1) word = stem;
    break;
  }
  if (word.endsWith('e')) {
    const stem = word.slice(0, -1);
    const m = measure(stem);
    if (m > 1 || (m === 1 && !shortEnd(stem))) word = stem;
  }
  if (word.endsWith('ll') && measure(word.slice(0, -1)) > 1) word = word.slice(0, -1);
  return word;
}
