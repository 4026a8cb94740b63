// A light stemmer of Latvian for nouns and adjectives, after Karlis Kreslins, "A Stemming Algorithm for Latvian" (1996).

import { replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

/** Suffixes, how many vowels a word must have beyond those, and whether the sounds before them have changed. */
const ENDINGS: readonly (readonly [vowels: number, suffixes: readonly string[], changes: boolean])[] = [
  [3, ['ajiem', 'ajai'], false],
  [2, ['ajam', 'ajām', 'ajos', 'ajās'], false],
  [2, ['iem'], true],
  [2, ['ajā', 'ais', 'ai', 'ei'], false],
  [1, ['ām', 'am', 'ēm', 'īm', 'im', 'um'], false],
  [1, ['us'], true],
  [1, ['as', 'ās', 'es'], false],
  [1, ['os'], true],
  [1, ['ij', 'īs', 'ēs', 'is', 'ie'], false],
  [1, ['u', 'a', 'i'], true],
  [1, ['e', 'ā', 'ē', 'ī', 'ū', 'o'], false],
  [0, ['s', 'š'], false],
];

const SOUNDS_BEFORE_U: readonly SuffixRule[] = rulesFor(0, 'kš:kst ņņ:nn');
const SOUNDS: readonly SuffixRule[] = rulesFor(
  0,
  'pj:p bj:b mj:m vj:v šņ:sn žņ:zn šļ:sl žļ:zl ļņ:ln ļļ:ll č:c ļ:l ņ:n',
);

/** Light Latvian: one ending, then the consonants as they are without it. */
export function stemLatvian(word: string): string {
  const vowels = word.match(/[aeiouāīēū]/g)?.length ?? 0;
  for (const [least, suffixes, changes] of ENDINGS) {
    if (vowels <= least) continue;
    const suffix = suffixes.find((each) => word.length >= each.length + 3 && word.endsWith(each));
    if (suffix === undefined) continue;
    const stem = word.slice(0, -suffix.length);
    const changed = changes && suffix.startsWith('u') ? replaceSuffix(stem, SOUNDS_BEFORE_U) : undefined;
    return changed ?? (changes ? replaceSuffix(stem, SOUNDS) : undefined) ?? stem;
  }
  return word;
}
