// Bengali: letters that sound alike become one, and a light stemmer of inflections.
//
// Sources: UzZaman and Khan, "A Double Metaphone Encoding for Bangla" (2005); Sengupta and Chaudhuri, "Natural
// Language Processing in an Indian Language (Bengali): Verb Phrase Analysis"; Savoy's light stemmer.

import { letterChange, replaceSuffix, rulesFor, type SuffixRule } from '../suffix-rules.ts';

const VIRAMA = '\u09cd';

const letters = letterChange(
  '\u09c0\u09c2\u0999\u09b6\u09b7\u09a3\u09dc\u09dd\u09ce',
  '\u09bf\u09c1\u0982\u09b8\u09b8\u09a8\u09b0\u09b0\u09a4',
  '\u0981',
);

/** Spelling by sound. Conjuncts change what stands before them, so the word is made letter by letter. */
export function normalizeBengali(word: string): string {
  let out = '';
  for (let i = 0; i < word.length; i++) {
    const letter = word[i]!;
    const hasVirama = out.endsWith(VIRAMA);
    if (letter === '\u0995' && word.startsWith('\u09cd\u09bf', i + 1)) {
      out += out === '' ? '\u0996' : '\u0995\u0996';
      i += 2;
    } else if (letter === '\u09af' && hasVirama) {
      const isFirst = out.length === 2;
      out = out.slice(0, -1) + (isFirst ? '\u09c7' : '');
      if (isFirst && word[i + 1] === '\u09be') i++;
    } else if (letter === '\u09ac' && hasVirama) out = withBa(out);
    else if (letter === '\u0983') {
      const isLast = i === word.length - 1;
      // At the end of a short word it is an h; before a letter it doubles that letter.
      if (!isLast) out += word[i + 1]!;
      else if (out.length < 3) out += '\u09b9';
    } else out += letters(letter);
  }
  return out;
}

/** A ba below another letter: silent at the start and below two letters, else it doubles the letter. */
function withBa(before: string): string {
  const bare = before.slice(0, -1);
  if (before.length === 2 || (before.length >= 5 && before.at(-3) === VIRAMA)) return bare;
  return before.length >= 2 ? bare + bare.at(-1)! : `${before}\u09ac`;
}

const ENDINGS: readonly SuffixRule[] = [
  ...rulesFor(9, 'িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন'),
  ...rulesFor(8, 'িতেছিলি িতেছিলে িয়াছিলা িয়াছিলে িতেছিলা িয়াছিলি য়েদেরকে'),
  ...rulesFor(7, 'িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে'),
  ...rulesFor(6, 'িতেছি িতেছা িতেছে ছিলাম ছিলেন িয়াছি িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে'),
  ...rulesFor(5, 'িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো গুলি য়েরা েদের'),
  ...rulesFor(
    4,
    'লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে ইবে ছেন য়োন য়ের েরা দের',
  ),
  ...rulesFor(3, 'িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে'),
  ...rulesFor(2, 'ি ী া ো ে ব ত'),
];

/** Light Bengali. */
export function stemBengali(word: string): string {
  return replaceSuffix(word, ENDINGS) ?? word;
}
