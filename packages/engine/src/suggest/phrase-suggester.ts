// The phrase suggester: whole texts with words corrected, by how likely the words are to follow each other
// (OpenSearch's NoisyChannelSpellChecker).

import type { SuggestEntry, SuggestOption } from '../api.ts';
import { illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonValue } from '../json/value.ts';
import { integerMember, numberMember } from '../query/members.ts';
import { isObject } from '../query/parameters.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import { Statistics } from '../query/plan/statistics.ts';
import type { Steps } from '../query/steps.ts';
import { SPELL_DEFAULTS, SpellChecker, type SpellDraft, type SpellOptions } from './spell-checker.ts';
import {
  readOptions,
  requireField,
  type SuggestContext,
  type SuggesterKind,
  type SuggestionSpec,
  suggestedText,
} from './suggestion.ts';
import { spellReaders, wordsOf } from './term-suggester.ts';
import { type Candidate, readSmoothing, type SmoothingModel, type WordCounts } from './word-scorer.ts';

/** Where candidates come from. */
interface Generator {
  readonly field: string;
  readonly size: number;
  readonly spell: SpellOptions;
}

interface PhraseOptions {
  readonly field: string;
  readonly size: number;
  readonly shardSize: number;
  readonly analyzer: string | undefined;
  readonly maxErrors: number;
  readonly confidence: number;
  readonly realWordErrorLikelihood: number;
  readonly separator: string;
  readonly gramSize: number | undefined;
  readonly tokenLimit: number;
  readonly highlight: { readonly pre: string; readonly post: string } | undefined;
  readonly smoothing: (separator: string) => SmoothingModel;
  readonly generators: readonly Generator[];
}

const DEFAULT_SIZE = 5;
const MAX_SIZE = 100;
const MAX_GRAMS = 3;
const MAX_TOKENS = 50;
/** Texts that are scored for one suggestion. */
const MAX_PATHS = 200_000;
const STEP = 1_024;

function parse(body: { [name: string]: JsonValue }): PhraseOptions {
  let field: string | undefined;
  let size = DEFAULT_SIZE;
  let shardSize: number | undefined;
  const options = {
    analyzer: undefined as string | undefined,
    maxErrors: 0.5,
    confidence: 1,
    realWordErrorLikelihood: Math.fround(0.95),
    separator: ' ',
    gramSize: undefined as number | undefined,
    tokenLimit: 10,
    highlight: undefined as PhraseOptions['highlight'],
    smoothing: readSmoothing(undefined),
    generators: [] as Generator[],
  };
  readOptions('phrase', body, {
    field: (value) => (field = plainText(value)),
    size: (value, name) => (size = integerMember(name, value)),
    shard_size: (value, name) => (shardSize = integerMember(name, value)),
    analyzer: (value) => (options.analyzer = plainText(value)),
    max_errors: (value, name) => {
      options.maxErrors = Math.fround(numberMember(name, value));
      if (options.maxErrors <= 0) throw illegalArgument('max_error must be > 0.0');
    },
    confidence: (value, name) => {
      options.confidence = Math.fround(numberMember(name, value));
      if (options.confidence < 0) throw illegalArgument('confidence must be >= 0.0');
    },
    real_word_error_likelihood: (value, name) => {
      options.realWordErrorLikelihood = Math.fround(numberMember(name, value));
      if (options.realWordErrorLikelihood <= 0)
        throw illegalArgument('real_word_error_likelihood must be > 0.0');
    },
    separator: (value) => (options.separator = plainText(value)),
    gram_size: (value, name) => {
      options.gramSize = integerMember(name, value);
      if (options.gramSize < 1) throw illegalArgument('gram_size must be >= 1');
    },
    token_limit: (value, name) => {
      options.tokenLimit = Math.min(MAX_TOKENS, integerMember(name, value));
      if (options.tokenLimit <= 0) throw illegalArgument('token_limit must be >= 1');
    },
    force_unigrams: () => undefined,
    highlight: (value) => (options.highlight = readTags(value)),
    smoothing: (value) => (options.smoothing = readSmoothing(value)),
    direct_generator: (value) => {
      const list: readonly JsonValue[] = Array.isArray(value) ? value : [value];
      options.generators = list.map(readGenerator);
    },
    collate: () => {
      throw illegalArgument('[collate] is not supported in [phrase]: search for the suggestions instead');
    },
  });
  if (size <= 0) throw illegalArgument('size must be positive');
  if (size > MAX_SIZE) throw illegalArgument(`[size] of a phrase suggestion must be at most [${MAX_SIZE}]`);
  const own = requireField(field);
  const generators =
    options.generators.length > 0 ? options.generators : [{ field: own, size: 5, spell: SPELL_DEFAULTS }];
  return {
    ...options,
    field: own,
    size,
    shardSize: Math.min(MAX_SIZE, shardSize ?? Math.max(size, 5)),
    generators,
  };
}

function readTags(value: JsonValue): PhraseOptions['highlight'] {
  let pre: string | undefined;
  let post: string | undefined;
  readOptions('phrase][highlight', isObject(value) ? value : {}, {
    pre_tag: (own) => (pre = plainText(own)),
    post_tag: (own) => (post = plainText(own)),
  });
  if (pre === undefined || post === undefined)
    throw illegalArgument('Pre and post tag must both be null or both not be null.');
  return { pre, post };
}

function readGenerator(value: JsonValue): Generator {
  let field: string | undefined;
  let size = 5;
  const spell: SpellDraft = { ...SPELL_DEFAULTS };
  const refused = (_: JsonValue, name: string): void => {
    throw illegalArgument(`[${name}] is not supported in [direct_generator]`);
  };
  readOptions('phrase][direct_generator', isObject(value) ? value : {}, {
    field: (own) => (field = plainText(own)),
    size: (own, name) => (size = Math.min(MAX_SIZE, integerMember(name, own))),
    pre_filter: refused,
    post_filter: refused,
    ...spellReaders(spell),
  });
  return { field: requireField(field), size, spell };
}

/** A text with its score. */
interface Correction {
  readonly path: readonly Candidate[];
  readonly score: number;
}

function* suggest(
  spec: SuggestionSpec,
  options: PhraseOptions,
  { views }: SuggestContext,
): Steps<readonly SuggestEntry[]> {
  const text = suggestedText(spec);
  const found = new Map<string, SuggestOption>();
  for (const view of views) {
    for (const { path, score } of yield* corrections(view, text, options)) {
      const option = optionOf(path, score, options);
      const known = found.get(option.text);
      if (known === undefined || known.score < option.score) found.set(option.text, option);
    }
  }
  const best = [...found.values()];
  // Those of one index are in their order.
  if (views.length > 1) best.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  return [{ text, offset: 0, length: text.length, options: best.slice(0, options.size) }];
}

function optionOf(
  path: readonly Candidate[],
  score: number,
  { separator, highlight }: PhraseOptions,
): SuggestOption {
  const text = path.map(({ word }) => word).join(separator);
  if (highlight === undefined) return { text, score: Math.fround(score) };
  const { pre, post } = highlight;
  let highlighted = '';
  // Neighbours that are both corrected share their tags.
  for (const [i, { word, isOriginal }] of path.entries()) {
    const isOpen = i > 0 && !path[i - 1]!.isOriginal;
    if (isOpen && isOriginal) highlighted += post;
    if (i > 0) highlighted += separator;
    if (!isOriginal && !isOpen) highlighted += pre;
    highlighted += word;
  }
  if (path.at(-1)?.isOriginal === false) highlighted += post;
  return { text, score: Math.fround(score), highlighted };
}

/** Finds better texts in one index. */
function* corrections(view: IndexView, text: string, options: PhraseOptions): Steps<readonly Correction[]> {
  const { field, analyzer, tokenLimit, generators, gramSize = gramsOf(view, field) } = options;
  const path = view.mapping.field(field)?.path ?? field;
  const checker = new SpellChecker(view, path);
  const counts = countsOf(view, path, checker);
  const words = wordsOf(view, field, analyzer, text).filter(({ type }) => type !== 'shingle');
  if (words.length === 0 || words.length >= tokenLimit) return [];
  const original = (word: string): Candidate => ({
    word,
    frequency: checker.totalTermFreq(word),
    closeness: 1,
    isOriginal: true,
  });
  const originals = words.map(({ term }) => original(term));
  const sets: (readonly Candidate[])[] = [];
  for (const { word } of originals) sets.push(yield* candidatesOf(view, word, generators, checker));
  const search = new PhraseSearch(originals, sets, counts, {
    ...options,
    gramSize: Math.min(gramSize, MAX_GRAMS),
  });
  return yield* search.best();
}

/** The words that may stand for one, best first. */
function* candidatesOf(
  view: IndexView,
  word: string,
  generators: readonly Generator[],
  counts: SpellChecker,
): Steps<readonly Candidate[]> {
  const found = new Map<string, Candidate>();
  let most = 0;
  for (const { field, size, spell } of generators) {
    most = Math.max(most, size);
    const path = view.mapping.field(field)?.path;
    if (path === undefined) throw illegalArgument(`no mapping found for field [${field}]`);
    for (const near of yield* new SpellChecker(view, path).near(word, size, spell)) {
      const frequency = counts.totalTermFreq(near.word);
      const known = found.get(near.word);
      if (known !== undefined && known.closeness >= near.score) continue;
      found.set(near.word, { word: near.word, frequency, closeness: near.score, isOriginal: false });
    }
  }
  return [...found.values()].sort((a, b) => worthOf(b) - worthOf(a)).slice(0, most);
}

/** The longest sequence of words that the field has as one term. */
function gramsOf(view: IndexView, field: string): number {
  const words = view.mapping.field(field)?.analyzer?.analyze('a b c d') ?? [];
  return Math.max(
    1,
    ...words.filter(({ type }) => type === 'shingle').map(({ positionLength }) => positionLength),
  );
}

function countsOf(view: IndexView, path: string, checker: SpellChecker): WordCounts {
  const stats = new Statistics(view.leaves);
  const total = stats.field(path).sumTotalTermFreq;
  // The peer knows the number of words only of one segment, and takes that of documents for several.
  const [only, ...others] = view.leaves;
  const distinct = others.length === 0 ? (only?.leaf.terms(path)?.count ?? 0) : stats.maxDoc;
  return { total, distinct, frequency: (term) => checker.totalTermFreq(term) };
}

/** Equally likely texts are sorted by their words. */
function isBetter(score: number, path: readonly Candidate[], than: Correction): boolean {
  if (score !== than.score) return score > than.score;
  const at = path.findIndex(({ word }, i) => word !== than.path[i]!.word);
  return at >= 0 && path[at]!.word < than.path[at]!.word;
}

/** Proportional to the peer's score of a candidate. */
function worthOf({ closeness, frequency }: Candidate): number {
  return closeness * (frequency + 1);
}

/** Finds the most likely texts: a depth-first search over all that differ in few words. */
class PhraseSearch {
  readonly #originals: readonly Candidate[];
  readonly #sets: readonly (readonly Candidate[])[];
  readonly #counts: WordCounts;
  readonly #model: SmoothingModel;
  readonly #options: PhraseOptions & { readonly gramSize: number };
  readonly #best: Correction[] = [];
  #cutoff = 0;
  #paths = 0;

  constructor(
    originals: readonly Candidate[],
    sets: readonly (readonly Candidate[])[],
    counts: WordCounts,
    options: PhraseOptions & { readonly gramSize: number },
  ) {
    this.#originals = originals;
    this.#sets = sets;
    this.#counts = counts;
    this.#options = options;
    this.#model = options.smoothing(options.separator);
  }

  *best(): Steps<readonly Correction[]> {
    const { confidence, maxErrors } = this.#options;
    if (confidence > 0) {
      const logs = this.#originals.map((_, at) => this.#score(this.#originals, at));
      this.#cutoff = Math.exp(logs.reduce((a, b) => a + b, 0)) * confidence;
    }
    const errors =
      maxErrors >= 1 ? Math.trunc(maxErrors) : Math.max(1, Math.round(maxErrors * this.#originals.length));
    yield* this.#visit([], errors, 0);
    return this.#best;
  }

  *#visit(path: readonly Candidate[], errors: number, score: number): Steps<void> {
    const at = path.length;
    if (at === this.#originals.length) {
      if (++this.#paths % STEP === 0) yield;
      if (this.#paths <= MAX_PATHS) this.#keep(path, Math.exp(score));
      return;
    }
    const choices = errors > 0 ? [this.#originals[at]!, ...this.#sets[at]!] : [this.#originals[at]!];
    for (const candidate of choices) {
      if (this.#paths > MAX_PATHS) return;
      const longer = [...path, candidate];
      const left = candidate.isOriginal ? errors : errors - 1;
      yield* this.#visit(longer, left, score + this.#score(longer, at));
    }
  }

  #keep(path: readonly Candidate[], score: number): void {
    if (!(score > this.#cutoff)) return;
    const { shardSize } = this.#options;
    let at = this.#best.length;
    while (at > 0 && isBetter(score, path, this.#best[at - 1]!)) at--;
    if (at >= shardSize) return;
    this.#best.splice(at, 0, { path, score });
    if (this.#best.length > shardSize) this.#best.pop();
  }

  /** The logarithm of the probability of the word at a place. */
  #score(path: readonly Candidate[], at: number): number {
    const { gramSize, realWordErrorLikelihood } = this.#options;
    const word = path[at]!;
    const channel = word.closeness === 1 ? realWordErrorLikelihood : word.closeness;
    const before = path.slice(Math.max(0, at - gramSize + 1), at).reverse();
    return Math.log10(channel * this.#model(this.#counts, word, before));
  }
}

export const PHRASE: SuggesterKind<PhraseOptions> = { name: 'phrase', parse, suggest };
