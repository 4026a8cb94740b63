// The completion suggester: the documents with the inputs of greatest weight that begin with a text.

import type { SuggestEntry, SuggestOption } from '../api.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import { utf8Text } from '../json/bytes.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonValue } from '../json/value.ts';
import { hasBit, nextSetBit } from '../kernels/bits.ts';
import {
  analyzedEnd,
  analyzedStart,
  type CompletionType,
  contextValue,
  surfaceAt,
  weightAt,
} from '../mapping/types/completion.ts';
import { flagMember, integerMember } from '../query/members.ts';
import { newBits } from '../query/node/node.ts';
import { setGroup } from '../query/node/terms/posting-groups.ts';
import { isObject } from '../query/parameters.ts';
import type { Steps } from '../query/steps.ts';
import { CHUNK_DOCS, type LeafView, type Terms } from '../segment/leaf.ts';
import { type AllowedContext, allowedContexts } from './completion-contexts.ts';
import {
  type CompletionMatcher,
  type FuzzyCompletion,
  fuzzyMatchers,
  prefixMatchers,
  type RegexCompletion,
  regexFlags,
  regexMatcher,
} from './completion-matcher.ts';
import {
  readOptions,
  requireField,
  type SuggestContext,
  type SuggesterKind,
  type SuggestionSpec,
  suggestedText,
} from './suggestion.ts';

interface CompletionOptions {
  readonly field: string;
  readonly size: number;
  readonly skipDuplicates: boolean;
  readonly contexts: JsonValue | undefined;
  readonly fuzzy: FuzzyCompletion | undefined;
  readonly regex: RegexCompletion;
}

const DEFAULT_SIZE = 5;
/** Options of one suggestion: finding the place of each is linear in their number. */
const MAX_SIZE = 10_000;
/** Terms between two yields. */
const STEP = 2_048;

const FUZZY: FuzzyCompletion = { edits: 1, transpositions: true, minLength: 3, prefixLength: 1 };
const REGEX: RegexCompletion = { flags: 0xff, maxStates: 10_000 };

function parse(body: { [name: string]: JsonValue }): CompletionOptions {
  let field: string | undefined;
  let size = DEFAULT_SIZE;
  let skipDuplicates = false;
  let contexts: JsonValue | undefined;
  let fuzzy: FuzzyCompletion | undefined;
  let regex = REGEX;
  readOptions('completion', body, {
    field: (value) => (field = plainText(value)),
    size: (value, name) => (size = sizeOf(name, value)),
    shard_size: (value, name) => void integerMember(name, value),
    analyzer: () => {
      throw illegalArgument(
        '[analyzer] is not supported in [completion]: set [search_analyzer] of the field',
      );
    },
    skip_duplicates: (value, name) => (skipDuplicates = flagMember(name, value)),
    contexts: (value) => (contexts = value),
    fuzzy: (value) => (fuzzy = readFuzzy(value)),
    regex: (value) => (regex = readRegex(value)),
  });
  return { field: requireField(field), size, skipDuplicates, contexts, fuzzy, regex };
}

function sizeOf(name: string, value: JsonValue): number {
  const size = integerMember(name, value);
  if (size > 0 && size <= MAX_SIZE) return size;
  const causedBy = illegalArgument(
    size > 0 ? `[size] of a suggestion must be at most [${MAX_SIZE}]` : 'size must be positive',
  );
  throw new EngineError('x_content_parse_exception', `[completion] failed to parse field [${name}]`, {
    causedBy,
  });
}

function readFuzzy(value: JsonValue): FuzzyCompletion | undefined {
  if (value === false) return undefined;
  if (!isObject(value)) return FUZZY;
  const fuzzy = { ...FUZZY } as { -readonly [K in keyof FuzzyCompletion]: FuzzyCompletion[K] };
  readOptions('completion][fuzzy', value, {
    fuzziness: (own) => (fuzzy.edits = editsOf(own)),
    transpositions: (own, name) => (fuzzy.transpositions = flagMember(name, own)),
    min_length: (own, name) => (fuzzy.minLength = naturalOf(name, own)),
    prefix_length: (own, name) => (fuzzy.prefixLength = naturalOf(name, own)),
    unicode_aware: (own, name) => void flagMember(name, own),
    max_determinized_states: (own, name) => void integerMember(name, own),
  });
  return fuzzy;
}

function naturalOf(name: string, value: JsonValue): number {
  const number = integerMember(name, value);
  if (number < 0) throw illegalArgument(`${name} must not be negative`);
  return number;
}

function editsOf(value: JsonValue): number {
  const text = plainText(value);
  if (/^auto(:|$)/i.test(text.slice(0, 5))) return 1;
  if (text === '0' || text === '1' || text === '2') return Number(text);
  throw illegalArgument(`Invalid fuzziness value: ${text}, must be one of [0, 1, 2] or AUTO`);
}

function readRegex(value: JsonValue): RegexCompletion {
  if (!isObject(value)) throw new EngineError('parsing_exception', '[regex] must be an object');
  let { flags } = REGEX;
  readOptions('completion][regex', value, {
    flags: (own) => (flags = typeof own === 'number' ? own : regexFlags(plainText(own))),
    flags_value: (own, name) => (flags = integerMember(name, own)),
    max_determinized_states: (own, name) => void integerMember(name, own),
  });
  return { ...REGEX, flags };
}

/** A document with the input that it is suggested for. */
interface Found {
  readonly view: LeafView;
  readonly indexPlace: number;
  /** Of all leaves. */
  readonly leafPlace: number;
  readonly doc: number;
  readonly score: number;
  readonly text: string;
  /** Of several inputs of a document with one score, the first counts. */
  readonly analyzed: string;
  readonly contexts: Map<string, Set<string>>;
}

/** Negative where the first is the better one; of equal texts it is the earlier document. */
function compare(a: Found, b: Found): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.text !== b.text) return a.text < b.text ? -1 : 1;
  return a.leafPlace - b.leafPlace || a.doc - b.doc;
}

function isBetterInput(a: Found, b: Found): boolean {
  return a.score > b.score || (a.score === b.score && a.analyzed < b.analyzed);
}

/** The best documents so far, each once. The worst are forgotten once there are twice as many as are shown: O(log size) for each. */
class BestFound {
  readonly #size: number;
  readonly #skipDuplicates: boolean;
  readonly #all = new Set<Found>();
  /** By leaf and document. */
  readonly #byDocument = new Map<number, Found>();
  readonly #byText = new Map<string, Found>();
  /** A score below it is not among the best. */
  #least = Number.NEGATIVE_INFINITY;

  constructor({ size, skipDuplicates }: CompletionOptions) {
    this.#size = size;
    this.#skipDuplicates = skipDuplicates;
  }

  /** Whether a score may still be among the best. */
  takes(score: number): boolean {
    return score >= this.#least;
  }

  /** The best, best first. */
  list(): Found[] {
    return [...this.#all].sort(compare).slice(0, this.#size);
  }

  add(found: Found): void {
    const { text } = found;
    const document = keyOf(found);
    const sameDocument = this.#byDocument.get(document);
    const sameText = this.#skipDuplicates ? this.#byText.get(text) : undefined;
    const rivals = [sameDocument, sameText].filter((each) => each !== undefined).sort(compare);
    const [known] = rivals;
    if (known !== undefined) {
      const isBetter = known === sameDocument ? isBetterInput(found, known) : compare(found, known) < 0;
      if (known === sameDocument && known.text === text) {
        const [into, from] = isBetter ? [found, known] : [known, found];
        for (const [name, values] of from.contexts) addContexts(into.contexts, name, values);
      }
      if (!isBetter) return;
      for (const rival of rivals) this.#remove(rival);
    }
    this.#all.add(found);
    this.#byDocument.set(document, found);
    if (this.#skipDuplicates) this.#byText.set(text, found);
    if (this.#all.size >= 2 * this.#size) this.#forgetWorst();
  }

  #forgetWorst(): void {
    const sorted = [...this.#all].sort(compare);
    for (const found of sorted.slice(this.#size)) this.#remove(found);
    this.#least = sorted[this.#size - 1]!.score;
  }

  #remove(found: Found): void {
    this.#all.delete(found);
    this.#byDocument.delete(keyOf(found));
    if (this.#skipDuplicates) this.#byText.delete(found.text);
  }
}

function keyOf({ leafPlace, doc }: Found): number {
  return leafPlace * 2 ** 32 + doc;
}

function addContexts(into: Map<string, Set<string>>, name: string, values: Iterable<string>): void {
  const own = into.get(name) ?? new Set();
  for (const value of values) own.add(value);
  into.set(name, own);
}

function* suggest(
  spec: SuggestionSpec,
  options: CompletionOptions,
  context: SuggestContext,
): Steps<readonly SuggestEntry[]> {
  const text = suggestedText(spec);
  const best = new BestFound(options);
  let leafPlace = 0;
  for (const [indexPlace, { leaves, mapping }] of context.views.entries()) {
    const field = mapping.field(options.field);
    if (field === undefined) throw illegalArgument(`no mapping found for field [${options.field}]`);
    const type = field.completion;
    if (type === undefined)
      throw illegalArgument(`Field [${options.field}] is not a completion suggest field`);
    const contexts = allowedContexts(options.field, type, options.contexts);
    const matchers = matchersOf(spec, text, options, type, context);
    for (const view of leaves) {
      const terms = view.leaf.terms(field.path);
      if (terms === undefined) continue;
      const visible = yield* context.visible(view, indexPlace);
      const scan = new LeafScan(view, { indexPlace, leafPlace: leafPlace++ }, terms, visible, best);
      for (const matcher of matchers) {
        if (contexts.length === 0) yield* scan.find(matcher, undefined);
        else for (const each of contexts) yield* scan.find(matcher, each);
      }
    }
  }
  const shown = best.list().map((found): SuggestOption => {
    const hit = context.hit(found.view, found.indexPlace, found.doc, found.score);
    const contexts = [...found.contexts].map(([name, values]): [string, string[]] => [name, [...values]]);
    return { text: found.text, score: found.score, hit, contexts };
  });
  return [{ text, offset: 0, length: text.length, options: shown }];
}

function matchersOf(
  { prefix, regex }: SuggestionSpec,
  text: string,
  options: CompletionOptions,
  type: CompletionType,
  { limits }: SuggestContext,
): CompletionMatcher[] {
  if (prefix === undefined && regex !== undefined) return [regexMatcher(text, options.regex, limits)];
  return options.fuzzy === undefined ? prefixMatchers(type, text) : fuzzyMatchers(type, text, options.fuzzy);
}

/** Looks through the terms of one leaf. */
class LeafScan {
  readonly #view: LeafView;
  readonly #places: Pick<Found, 'indexPlace' | 'leafPlace'>;
  readonly #terms: Terms;
  readonly #visible: (chunk: number) => Uint32Array | undefined;
  readonly #best: BestFound;
  readonly #bits = newBits();

  constructor(
    view: LeafView,
    places: Pick<Found, 'indexPlace' | 'leafPlace'>,
    terms: Terms,
    visible: (chunk: number) => Uint32Array | undefined,
    best: BestFound,
  ) {
    this.#view = view;
    this.#places = places;
    this.#terms = terms;
    this.#visible = visible;
    this.#best = best;
  }

  /** The terms that match in a context. */
  *find(matcher: CompletionMatcher, context: AllowedContext | undefined): Steps<void> {
    const terms = this.#terms;
    // Values of contexts that only begin so are followed by anything.
    const isOpen = context !== undefined && context.bytes.at(-1) !== 0;
    const prefix = isOpen ? context.bytes : Buffer.concat([context?.bytes ?? NOTHING, matcher.prefix]);
    let n = 0;
    for (const ordinal of terms.sorted ? rangeOf(terms, prefix) : terms.ordinals()) {
      if (++n % STEP === 0) yield;
      const term = terms.term(ordinal);
      if (!startsWith(term, prefix, 0)) {
        if (terms.sorted) break;
        continue;
      }
      const from = analyzedStart(term, context !== undefined);
      if (isOpen && !startsWith(term, matcher.prefix, from)) continue;
      const end = analyzedEnd(term, from);
      const extra = matcher.match(term, from, end);
      if (extra === undefined) continue;
      const weight = weightAt(term, end);
      const boost = (context?.boost ?? 0) + extra;
      const score = boost === 0 ? weight : weight === 0 ? boost : weight * boost;
      if (this.#best.takes(score)) yield* this.#add(ordinal, term, from, end, score, context);
    }
  }

  *#add(
    ordinal: number,
    term: Uint8Array,
    from: number,
    end: number,
    score: number,
    context: AllowedContext | undefined,
  ): Steps<void> {
    const { postings } = this.#terms;
    const view = this.#view;
    const text = surfaceAt(term, end);
    const analyzed = utf8Text(term, from, end);
    for (let group = postings.firstGroup(ordinal); group < postings.endGroup(ordinal); group++) {
      const chunk = postings.chunk(group);
      setGroup(postings, group, this.#bits);
      const visible = this.#visible(chunk);
      for (let low = nextSetBit(this.#bits, 0); low >= 0; low = nextSetBit(this.#bits, low + 1)) {
        if (visible !== undefined && !hasBit(visible, low)) continue;
        const contexts = new Map<string, Set<string>>();
        if (context !== undefined) contexts.set(context.name, new Set([contextValue(term)]));
        const doc = chunk * CHUNK_DOCS + low;
        if (doc >= view.docCount) break;
        this.#best.add({ view, ...this.#places, doc, score, text, analyzed, contexts });
      }
      yield;
    }
  }
}

const NOTHING = new Uint8Array(0);

function startsWith(term: Uint8Array, prefix: Uint8Array, from: number): boolean {
  if (term.length - from < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (term[from + i] !== prefix[i]) return false;
  return true;
}

function* rangeOf(terms: Terms, prefix: Uint8Array): Generator<number, void, undefined> {
  for (let ordinal = terms.lowerBound(prefix); ordinal < terms.count; ordinal++) yield ordinal;
}

export const COMPLETION: SuggesterKind<CompletionOptions> = { name: 'completion', parse, suggest };
