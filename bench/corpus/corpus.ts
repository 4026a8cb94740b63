// The documents of the benchmark: generated, and the same on every machine. Word frequencies follow Zipf's
// law, lengths are log-normal (median 150 words), each section has its own vocabulary, and sort fields have
// many ties. Document i depends only on the seed and i, so any document can be generated alone.

/** One document. The field names are those of the interface's sort example, and some more. */
export interface Doc {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly section: string;
  /** One decimal from 0 to 10, small ones more often. */
  readonly score: number;
  /** Milliseconds since 1970, within 90 days. */
  readonly gmt_modified: number;
  readonly size: number;
}

/** The mapping of the index. */
export const MAPPINGS: object = {
  properties: {
    id: { type: 'keyword' },
    title: { type: 'text' },
    body: { type: 'text' },
    section: { type: 'keyword' },
    score: { type: 'double' },
    gmt_modified: { type: 'date' },
    size: { type: 'integer' },
  },
};

export const VOCABULARY = 50_000;
export const SECTIONS = 60;

const SEED = 20_261_121;
const MEDIAN_WORDS = 150;
const SIGMA = 0.8;
/** The oldest date. */
export const FIRST_MOMENT: number = Date.UTC(2026, 7, 1);
/** The range of dates, in ms. */
export const SPAN_MS: number = 90 * 86_400_000;

/** Numbers in [0, 1) from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** True for the one document in ten that is deleted after loading. */
export function isDeleted(i: number): boolean {
  return (Math.imul(i + 7, 0x85ebca6b) >>> 0) % 10 === 3;
}

/** The values of a document, with words as ranks. */
export interface Draft {
  readonly id: string;
  readonly section: number;
  /** Ranks of the words of the body; the most frequent word has rank 0. */
  readonly words: readonly number[];
  readonly title: readonly number[];
  readonly score: number;
  readonly gmtModified: number;
  readonly size: number;
}

/** The draft of document i. */
export function draft(i: number): Draft {
  const random = randomFrom(Math.imul(i + 1, 0x9e3779b1) ^ SEED);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const section = logUniform(random, SECTIONS);
  const length = Math.max(3, Math.min(3000, Math.round(MEDIAN_WORDS * Math.exp(SIGMA * gauss()))));
  const word = (): number =>
    random() < 0.35
      ? (200 + section * 800 + logUniform(random, 800)) % VOCABULARY
      : logUniform(random, VOCABULARY);
  return {
    id: `doc-${(Math.imul(i, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0')}`,
    section,
    words: Array.from({ length }, word),
    title: Array.from({ length: 2 + Math.floor(random() * 8) }, word),
    score: Math.round(random() ** 2 * 100) / 10,
    gmtModified: FIRST_MOMENT + Math.floor(random() * SPAN_MS),
    size: Math.round(2000 * Math.exp(gauss())),
  };
}

/** A whole number below n, k with a probability of about 1 / (k + 1): Zipf's law. */
function logUniform(random: () => number, n: number): number {
  return Math.min(n - 1, Math.floor((n + 1) ** random()) - 1);
}

export function spell({ id, section, words, title, score, gmtModified, size }: Draft): Doc {
  return {
    id,
    title: title.map(wordOf).join(' '),
    body: sentences(words),
    section: sectionName(section),
    score,
    gmt_modified: gmtModified,
    size,
  };
}

export function sectionName(section: number): string {
  return `section-${String(section).padStart(2, '0')}`;
}

function sentences(words: readonly number[]): string {
  let text = '';
  for (let w = 0; w < words.length; w++) {
    text += wordOf(words[w] ?? 0);
    text += w === words.length - 1 ? '.' : w % 13 === 12 ? '. ' : ' ';
  }
  return text;
}

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const spelled: string[] = [];

/** The word of a rank; frequent words are shorter: ba, be, …, baba. */
export function wordOf(rank: number): string {
  const known = spelled[rank];
  if (known !== undefined) return known;
  let word = '';
  for (let rest = rank + 1; rest > 0; ) {
    rest--;
    const syllable = rest % (CONSONANTS.length * VOWELS.length);
    word =
      (CONSONANTS[Math.floor(syllable / VOWELS.length)] ?? '') +
      (VOWELS[syllable % VOWELS.length] ?? '') +
      word;
    rest = Math.floor(rest / (CONSONANTS.length * VOWELS.length));
  }
  spelled[rank] = word;
  return word;
}
