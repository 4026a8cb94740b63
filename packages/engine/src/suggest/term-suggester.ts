// The term suggester: for each word of a text, the words of a field that are close to it.

import type { Token } from '../analysis/analyzer.ts';
import type { SuggestEntry, SuggestOption } from '../api.ts';
import { illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonValue } from '../json/value.ts';
import { integerMember, numberMember } from '../query/members.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { Steps } from '../query/steps.ts';
import {
  byFrequency,
  byScore,
  type NearWord,
  SPELL_DEFAULTS,
  SpellChecker,
  type SpellDraft,
  type SpellOptions,
  type SuggestMode,
} from './spell-checker.ts';
import { distanceNamed } from './string-distance.ts';
import {
  readOptions,
  requireField,
  type SuggestContext,
  type SuggesterKind,
  type SuggestionSpec,
  suggestedText,
} from './suggestion.ts';

interface TermOptions {
  readonly field: string;
  readonly size: number;
  readonly shardSize: number;
  readonly analyzer: string | undefined;
  readonly spell: SpellOptions;
}

const MODES: readonly SuggestMode[] = ['missing', 'popular', 'always'];
const DEFAULT_SIZE = 5;
/** Words of a text, and suggestions for each. */
const MAX_WORDS = 1_000;
const MAX_SIZE = 1_000;

type Reader = (value: JsonValue, name: string) => void;

/** Readers of the options of a spell checker. */
export function spellReaders(draft: SpellDraft): Record<string, Reader> {
  return {
    suggest_mode: (value) => {
      const mode = MODES.find((each) => each === plainText(value).toLowerCase());
      if (mode === undefined) throw illegalArgument(`Illegal suggest mode ${plainText(value)}`);
      draft.mode = mode;
    },
    max_edits: (value, name) => {
      draft.maxEdits = integerMember(name, value);
      if (draft.maxEdits !== 1 && draft.maxEdits !== 2)
        throw illegalArgument('maxEdits must be between 1 and 2');
    },
    prefix_length: (value, name) => (draft.prefixLength = naturalOf(name, value)),
    prefix_len: (value, name) => (draft.prefixLength = naturalOf(name, value)),
    min_word_length: (value, name) => (draft.minWordLength = naturalOf(name, value)),
    min_word_len: (value, name) => (draft.minWordLength = naturalOf(name, value)),
    max_inspections: (value, name) => (draft.maxInspections = Math.min(naturalOf(name, value), 1_000)),
    min_doc_freq: (value, name) => (draft.minDocFreq = Math.fround(numberMember(name, value))),
    max_term_freq: (value, name) => (draft.maxTermFreq = Math.fround(numberMember(name, value))),
    accuracy: (value, name) => (draft.accuracy = Math.fround(numberMember(name, value))),
    string_distance: (value) => {
      const distance = distanceNamed(plainText(value));
      if (distance === undefined) throw illegalArgument(`Illegal distance option ${plainText(value)}`);
      draft.distance = distance;
    },
    sort: (value) => {
      const sort = plainText(value).toLowerCase();
      if (sort !== 'score' && sort !== 'frequency') throw illegalArgument(`Illegal suggest sort ${sort}`);
      draft.sort = sort;
    },
  };
}

function naturalOf(name: string, value: JsonValue): number {
  const number = integerMember(name, value);
  if (number < 0) throw illegalArgument(`${name} must be positive`);
  return number;
}

function parse(body: { [name: string]: JsonValue }): TermOptions {
  let field: string | undefined;
  let size = DEFAULT_SIZE;
  let shardSize: number | undefined;
  let analyzer: string | undefined;
  const spell: SpellDraft = { ...SPELL_DEFAULTS };
  readOptions('term', body, {
    field: (value) => (field = plainText(value)),
    size: (value, name) => (size = integerMember(name, value)),
    shard_size: (value, name) => (shardSize = integerMember(name, value)),
    analyzer: (value) => (analyzer = plainText(value)),
    ...spellReaders(spell),
  });
  if (size <= 0) throw illegalArgument('size must be positive');
  if (size > MAX_SIZE) throw illegalArgument(`[size] of a suggestion must be at most [${MAX_SIZE}]`);
  return {
    field: requireField(field),
    size,
    shardSize: Math.min(MAX_SIZE, shardSize ?? Math.max(size, 5)),
    analyzer,
    spell,
  };
}

/** The words of a text by the analyzer that a suggester names, or that of its field. Throws for an unknown field or analyzer. */
export function wordsOf(
  { mapping, analyzer: find }: IndexView,
  path: string,
  named: string | undefined,
  text: string,
): Token[] {
  const field = mapping.field(path);
  if (field === undefined) throw illegalArgument(`no mapping found for field [${path}]`);
  const analyzer = named === undefined ? (field.searchAnalyzer ?? find('keyword')) : find(named);
  if (analyzer === undefined) throw illegalArgument(`analyzer [${named ?? 'keyword'}] doesn't exists`);
  const words = analyzer.analyze(text);
  if (words.length <= MAX_WORDS) return words;
  throw illegalArgument(`the text of a suggestion has ${words.length} words, more than ${MAX_WORDS}`);
}

function* suggest(
  spec: SuggestionSpec,
  { field, size, shardSize, analyzer, spell }: TermOptions,
  { views }: SuggestContext,
): Steps<readonly SuggestEntry[]> {
  const text = suggestedText(spec);
  const entries = new Map<string, { token: Token; words: Map<string, NearWord> }>();
  for (const view of views) {
    const checker = new SpellChecker(view, view.mapping.field(field)?.path ?? field);
    for (const token of wordsOf(view, field, analyzer, text)) {
      const key = `${token.start} ${token.end} ${token.term}`;
      const entry = entries.get(key) ?? { token, words: new Map<string, NearWord>() };
      entries.set(key, entry);
      for (const near of yield* checker.near(token.term, shardSize, spell)) {
        const known = entry.words.get(near.word);
        const docFreq = near.docFreq + (known?.docFreq ?? 0);
        entry.words.set(near.word, { ...near, docFreq });
      }
    }
  }
  const order = spell.sort === 'score' ? byScore : byFrequency;
  return [...entries.values()].map(({ token, words }) => ({
    text: token.term,
    offset: token.start,
    length: token.end - token.start,
    options: [...words.values()]
      .sort(order)
      .slice(0, size)
      .map(({ word, score, docFreq }): SuggestOption => ({ text: word, score, freq: docFreq })),
  }));
}

export const TERM: SuggesterKind<TermOptions> = { name: 'term', parse, suggest };
