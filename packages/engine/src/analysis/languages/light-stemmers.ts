// The light stemmers of Jacques Savoy, which remove inflection and few suffixes (A Stemming Procedure and Stopword List
// for General French Corpora, 1999; Light Stemming Approaches for the French, Portuguese, German and Hungarian
// Languages, 2006).

import { replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

/** Removes the accents that light stemmers ignore. */
function bare(word: string): string {
  return word.replace(/[àáâäèéêëìíîïòóôöùúûü]/g, (c) => c.normalize('NFD')[0]!);
}

/**
 * OpenSearch's german_normalization: ß -> ss; umlauts, and their spellings ae, oe, ue, lose the dots or the
 * e.
 */
export function normalizeGerman(word: string): string {
  let out = '';
  // After a vowel or q a following ue is not an umlaut (Frauen, Quelle).
  let state: 'start' | 'vowel' | 'umlaut' = 'start';
  for (const c of word) {
    if (c === 'a' || c === 'o') {
      state = 'umlaut';
      out += c;
    } else if (c === 'u') {
      state = state === 'start' ? 'umlaut' : 'vowel';
      out += c;
    } else if (c === 'e') {
      if (state !== 'umlaut') out += c;
      state = 'vowel';
    } else if (c === 'i' || c === 'q' || c === 'y') {
      state = 'vowel';
      out += c;
    } else if (c === 'ä' || c === 'ö' || c === 'ü') {
      state = 'vowel';
      out += c === 'ä' ? 'a' : c === 'ö' ? 'o' : 'u';
    } else {
      state = 'start';
      out += c === 'ß' ? 'ss' : c;
    }
  }
  return out;
}

/** Light German. */
export function lightGerman(input: string): string {
  let word = input.replace(/[àáâäìíîïòóôöùúûü]/g, (c) => c.normalize('NFD')[0]!);
  const before = (at: number): boolean => 'bdfghklmnt'.includes(word.at(at) ?? ' ');
  if (word.length > 5 && word.endsWith('ern')) word = word.slice(0, -3);
  else if (word.length > 4 && /e[mnrs]$/.test(word)) word = word.slice(0, -2);
  else if (word.length > 3 && word.endsWith('e')) word = word.slice(0, -1);
  else if (word.length > 3 && word.endsWith('s') && before(-2)) word = word.slice(0, -1);
  if (word.length > 5 && word.endsWith('est')) return word.slice(0, -3);
  if (word.length > 4 && /e[rn]$/.test(word)) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith('st') && before(-3)) return word.slice(0, -2);
  return word;
}

const GERMAN_PLURALS = [...rulesFor(6, 'nen'), ...rulesFor(5, 'en se es er'), ...rulesFor(4, 'n e s r')];

/** Minimal German: plural only. */
export function minimalGerman(input: string): string {
  if (input.length < 5) return input;
  const word = input.replace(/[äöü]/g, (c) => c.normalize('NFD')[0]!);
  return replaceSuffix(word, GERMAN_PLURALS) ?? word;
}

/** Minimal English: plural only (Donna Harman, "How Effective Is Suffixing?", 1991). */
export function minimalEnglish(word: string): string {
  if (word.length < 3 || !/[^us]s$/.test(word)) return word;
  if (/[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return /[iaoe]es$/.test(word) ? word : word.slice(0, -1);
}

/** Words whose plural adds `s` alone to an ending that seems to have got `es`, and the ends of others. */
const ENGLISH_PLURALS_IN_S =
  'shoes canoes oboes caches cliches quiches tranches porsches headaches heartaches mustaches moustaches avalanches'.split(
    ' ',
  );

/** Plurals in English, with `-es` behind hissing sounds and `o`; found by asking OpenSearch for words. */
export function pluralEnglish(word: string): string {
  if (word.length < 3 || !/[^us]s$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const addsVowel = /(?:.o|ch|.sh|.ss|..x)es$/.test(word);
  // Short words count as ends of the listed ones: `ranches` of `tranches`.
  const isListed = ENGLISH_PLURALS_IN_S.some((listed) => word.endsWith(listed) || listed.endsWith(word));
  return word.slice(0, addsVowel && !isListed ? -2 : -1);
}

/** Light Spanish. */
export function lightSpanish(input: string): string {
  if (input.length < 5) return input;
  const word = bare(input);
  if (/[oae]$/.test(word)) return word.slice(0, -1);
  if (!word.endsWith('s')) return word;
  if (word.endsWith('eses')) return word.slice(0, -2);
  if (word.endsWith('ces')) return `${word.slice(0, -3)}z`;
  return /[oae]s$/.test(word) ? word.slice(0, -2) : word;
}

/** Light Italian. */
export function lightItalian(input: string): string {
  if (input.length < 6) return input;
  const word = bare(input);
  if (/(?:[ih]e|[hi]i|ia|io)$/.test(word)) return word.slice(0, -2);
  return /[eiao]$/.test(word) ? word.slice(0, -1) : word;
}

/** Suffixes that end the French stem, in three groups: between them some words change and go on. */
const FRENCH_AGENTS: readonly SuffixRule[] = [
  [9, 'issement', 'ir'],
  [8, 'issant', 'ir'],
  [6, 'ement', 'e'],
  [11, 'ficatrice', 'fier'],
  [10, 'ficateur', 'fier'],
  [9, 'catrice', 'quer'],
  [8, 'cateur', 'quer'],
  [8, 'atrice', 'er'],
  [7, 'ateur', 'er'],
];
const FRENCH_FORMS: readonly SuffixRule[] = [
  [5, 'ième', ''],
  [7, 'teuse', 'ter'],
  [6, 'teur', 'ter'],
  [5, 'euse', 'eu'],
  [8, 'ère', 'er'],
  [7, 'ive', 'if'],
  [4, 'folle', 'fou'],
  [4, 'molle', 'mou'],
  [9, 'nnelle', 'n'],
  [9, 'nnel', 'n'],
];
const FRENCH_NOUNS: readonly SuffixRule[] = [
  [8, 'esse', 'e'],
  [7, 'inage', 'in'],
  [9, 'isation', ''],
  [9, 'isateur', ''],
  [8, 'ation', ''],
  [8, 'ition', ''],
];

/** Light French. */
export function lightFrench(input: string): string {
  let word = input;
  if (word.length > 5 && word.endsWith('x')) word = word.replace(/(?<=[^e]a)ux$/, 'lx').slice(0, -1);
  if (word.length > 3 && word.endsWith('x')) word = word.slice(0, -1);
  if (word.length > 3 && word.endsWith('s')) word = word.slice(0, -1);
  const agent = replaceSuffix(word, FRENCH_AGENTS);
  if (agent !== undefined)
    return frenchEnd(agent.length > 3 && word.endsWith('ivement') ? agent.replace(/ive$/, 'if') : agent);
  word = replaceSuffix(word, [[6, 'trice', 'teur']]) ?? word;
  const form = replaceSuffix(word, FRENCH_FORMS);
  if (form !== undefined) return frenchEnd(form);
  word = replaceSuffix(word, [[4, 'ète', 'et']]) ?? word;
  word = replaceSuffix(word, [[8, 'ique', '']]) ?? word;
  const noun = replaceSuffix(word, FRENCH_NOUNS);
  if (noun === undefined) return frenchEnd(word);
  const isVerbal = word.endsWith('ualisation') && noun.length > 5;
  return frenchEnd(isVerbal ? noun.replace(/ual$/, 'uel') : noun);
}

/** Removes accents, repeats of a letter, and the endings -ie, -r, -e and -ee. */
function frenchEnd(input: string): string {
  let word = input;
  if (word.length > 4) {
    word = word.replace(/[àáâôèéêùûîç]/g, (c) => c.normalize('NFD')[0]!).replace(/(\p{L})\1+/gu, '$1');
  }
  if (word.length > 4 && word.endsWith('ie')) word = word.slice(0, -2);
  if (word.length <= 4) return word;
  return word
    .replace(/r$/, '')
    .replace(/e{1,2}$/, '')
    .replace(/(\p{L})\1$/u, '$1');
}

/** Minimal French: plural, infinitive and feminine only. */
export function minimalFrench(input: string): string {
  if (input.length < 6) return input;
  if (input.endsWith('x')) return input.replace(/aux$/, 'alx').slice(0, -1);
  return input
    .replace(/s$/, '')
    .replace(/r$/, '')
    .replace(/e$/, '')
    .replace(/é$/, '')
    .replace(/(\p{L})\1$/u, '$1');
}

const PORTUGUESE_PLURALS: readonly SuffixRule[] = [
  [4, 'res', 'r'],
  [4, 'ses', 's'],
  [4, 'les', 'l'],
  [4, 'zes', 'z'],
  [3, 'ns', 'm'],
  [4, 'eis', 'el'],
  [4, 'éis', 'el'],
  [4, 'ais', 'al'],
  [4, 'óis', 'ol'],
  [4, 'is', 'il'],
  [3, 'ões', 'ão'],
  [3, 'ães', 'ão'],
  [6, 'mente', ''],
  [3, 's', ''],
];
const PORTUGUESE_FEMININES: readonly SuffixRule[] = [
  [7, 'inha', 'inho'],
  [7, 'iaca', 'iaco'],
  [7, 'eira', 'eiro'],
  [6, 'osa', 'oso'],
  [6, 'ica', 'ico'],
  [6, 'ida', 'ido'],
  [6, 'ada', 'ado'],
  [6, 'iva', 'ivo'],
  [6, 'ama', 'amo'],
  [6, 'ona', 'ão'],
  [6, 'ora', 'or'],
  [6, 'esa', 'ês'],
  [6, 'na', 'no'],
];

/** Light Portuguese. */
export function lightPortuguese(input: string): string {
  if (input.length < 4) return input;
  let word = replaceSuffix(input, PORTUGUESE_PLURALS) ?? input;
  word = replaceSuffix(word, PORTUGUESE_FEMININES) ?? word;
  if (word.length > 4) word = word.replace(/[eao]$/, '');
  return word.replace(/[àáâäãòóôöõèéêëùúûüìíîïç]/g, (c) => c.normalize('NFD')[0]!);
}
