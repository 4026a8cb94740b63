// Fields of types that only some queries, aggregations or suggesters can name: features of ranks, ranges, completions, and
// texts with synonyms or another similarity.

import type { Random } from './random.ts';

/** A field, its mapping, and a value of it. */
interface SpecialField {
  readonly path: string;
  readonly mapping: Record<string, unknown>;
  readonly value: (random: Random) => unknown;
}

const WORDS: readonly string[] = [
  'fast fox',
  'quick fox',
  'big apple',
  'new york',
  'red',
  'swift',
  'large dog',
  'fox',
];

const day = (random: Random): string =>
  new Date(Date.UTC(2020, random.int(0, 30), random.int(1, 28))).toISOString().slice(0, 10);

/** Bounds in order, each of which may be open or left out. */
function range(random: Random, bound: () => number | string): Record<string, unknown> {
  const [from, to] = [bound(), bound()].sort((a, b) => (a < b ? -1 : 1));
  return {
    ...random.members(0.9, { [random.chance(0.8) ? 'gte' : 'gt']: () => from! }),
    ...random.members(0.9, { [random.chance(0.8) ? 'lte' : 'lt']: () => to! }),
  };
}

/** Words of a text, from a few that have synonyms. */
export function synonymText(random: Random): string {
  return random.list(1, 4, () => random.pick(WORDS)).join(' ');
}

/** The special fields of an index, of which it has some. */
export function specialFields(random: Random): SpecialField[] {
  return [
    {
      path: 'rank',
      mapping: { type: 'rank_feature', ...random.members(0.3, { positive_score_impact: () => false }) },
      value: (each) => each.int(1, 400) / 8,
    },
    {
      path: 'ranks',
      mapping: { type: 'rank_features' },
      value: (each) => each.members(0.6, { a: () => each.int(1, 99), b: () => each.int(1, 50) / 4 }),
    },
    {
      path: 'span',
      mapping: { type: random.pick(['integer_range', 'long_range', 'float_range']) },
      value: (each) => range(each, () => each.int(-20, 100)),
    },
    { path: 'period', mapping: { type: 'date_range' }, value: (each) => range(each, () => day(each)) },
    { path: 'done', mapping: { type: 'completion' }, value: completion },
    { path: 'syn', mapping: { type: 'text', analyzer: 'synonyms' }, value: synonymText },
    {
      path: 'alike',
      mapping: { type: 'text', similarity: random.pick(['boolean', 'flat', 'steep']) },
      value: synonymText,
    },
  ];
}

function completion(random: Random): unknown {
  const text = (): string => random.pick(WORDS);
  return random.weighted<unknown>([
    [2, text],
    [1, () => random.list(1, 3, text)],
    [2, () => ({ input: random.list(1, 2, text), weight: random.int(0, 20) })],
  ]);
}

/** Settings that the special fields need. */
export const SPECIAL_ANALYSIS: Readonly<Record<'analyzer' | 'filter', object>> = {
  analyzer: { synonyms: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'alike'] } },
  filter: {
    alike: { type: 'synonym_graph', synonyms: ['fast, quick, swift', 'big apple, new york', 'large => big'] },
  },
};

export const SPECIAL_SIMILARITIES: Readonly<Record<string, object>> = {
  flat: { type: 'BM25', b: 0, k1: 2.5 },
  steep: { type: 'BM25', b: 1, k1: 0.3 },
};
