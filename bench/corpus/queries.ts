// Classes of full-text queries, each with twenty queries made from the corpus.

import { draft, randomFrom, VOCABULARY, wordOf } from './corpus.ts';

export interface TextQuery {
  readonly kind: 'or' | 'and' | 'phrase';
  /** Ranks of words. */
  readonly words: readonly number[];
}

export interface QueryClass {
  readonly name: string;
  readonly queries: readonly TextQuery[];
}

const EACH = 20;
/** The ranks of the words of `orOfSome`: neither the most common nor rare. */
const [OR_FROM, OR_TO] = [30, 4_000];

/** The classes. Phrases are word pairs of the first `docs` documents. */
export function queryClasses(docs: number): QueryClass[] {
  const random = randomFrom(4711);
  const between = betweenBy(random);
  const many = (make: () => TextQuery): TextQuery[] => Array.from({ length: EACH }, make);
  const common = (): number => between(4, 60);
  return [
    {
      name: 'rare term',
      queries: many(() => ({ kind: 'or', words: [between(VOCABULARY / 2, VOCABULARY)] })),
    },
    { name: 'common term', queries: many(() => ({ kind: 'or', words: [common()] })) },
    { name: 'OR of 2 common', queries: many(() => ({ kind: 'or', words: distinct(2, common) })) },
    {
      name: 'OR of 3 to 5',
      queries: many(() => orOfSome(random)),
    },
    { name: 'AND of 2', queries: many(() => ({ kind: 'and', words: distinct(2, () => between(10, 500)) })) },
    { name: 'phrase of 2', queries: many(() => ({ kind: 'phrase', words: neighbours(random, docs) })) },
  ];
}

function betweenBy(random: () => number): (low: number, high: number) => number {
  return (low, high) => low + Math.floor(random() * (high - low));
}

function distinct(n: number, make: () => number): number[] {
  const words = new Set<number>();
  while (words.size < n) words.add(make());
  return [...words];
}

/** An OR of three to five random words. There are so many that hardly one repeats. */
export function orOfSome(random: () => number): TextQuery {
  const between = betweenBy(random);
  return { kind: 'or', words: distinct(between(3, 6), () => between(OR_FROM, OR_TO)) };
}

/** Classes of `count` queries each, in which hardly a query repeats. */
export function newQueries(random: () => number, docs: number, count: number): QueryClass[] {
  const between = betweenBy(random);
  const many = (make: () => TextQuery): TextQuery[] => Array.from({ length: count }, make);
  const word = (): number => between(OR_FROM, OR_TO);
  // Each word once, in random order, as long as they last.
  const words: number[] = [];
  const nextWord = (): number => {
    if (words.length === 0) words.push(...Array.from({ length: OR_TO - OR_FROM }, (_, k) => OR_FROM + k));
    const at = between(0, words.length);
    const [next = OR_FROM] = words.splice(at, 1);
    return next;
  };
  return [
    { name: 'one word', queries: many(() => ({ kind: 'or', words: [nextWord()] })) },
    { name: 'OR of 2', queries: many(() => ({ kind: 'or', words: distinct(2, word) })) },
    { name: 'OR of 3 to 5', queries: many(() => orOfSome(random)) },
    { name: 'AND of 2', queries: many(() => ({ kind: 'and', words: distinct(2, word) })) },
    { name: 'phrase of 2', queries: many(() => ({ kind: 'phrase', words: neighbours(random, docs) })) },
  ];
}

/** Two different words that are adjacent in some document. */
function neighbours(random: () => number, docs: number): number[] {
  for (;;) {
    const { words } = draft(Math.floor(random() * docs));
    const at = Math.floor(random() * (words.length - 1));
    const [first = 0, second = 0] = words.slice(at, at + 2);
    if (first !== second && first < 3000 && second < 3000) return [first, second];
  }
}

export function wordsOf({ words }: TextQuery): string[] {
  return words.map(wordOf);
}

/** The query as JSON for the search wire, on the field body. */
export function toWire(query: TextQuery): object {
  const { kind } = query;
  const text = wordsOf(query).join(' ');
  if (kind === 'phrase') return { match_phrase: { body: text } };
  return { match: { body: { query: text, operator: kind } } };
}

/** True if a body matches, evaluated naively. */
export function matches(
  { kind, words }: TextQuery,
  body: readonly number[],
  set: ReadonlySet<number>,
): boolean {
  if (kind === 'or') return words.some((word) => set.has(word));
  if (!words.every((word) => set.has(word))) return false;
  if (kind === 'and') return true;
  for (let at = body.indexOf(words[0] ?? -1); at !== -1; at = body.indexOf(words[0] ?? -1, at + 1)) {
    if (body[at + 1] === words[1]) return true;
  }
  return false;
}
