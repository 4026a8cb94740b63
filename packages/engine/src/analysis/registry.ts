// The analyzers and normalizers of an index: built-in ones and those of its settings, created on first
// use.

import { illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { runToEnd, type Steps } from '../turn.ts';
import type { Analyzer } from './analyzer.ts';
import { ANALYZERS } from './built-in-analyzers.ts';
import { Chain, type CharFilter, type TokenFilter, type Tokenizer } from './chain.ts';
import { CHAR_FILTERS, CONFIGURED_CHAR_FILTERS } from './char-filters.ts';
import { intParam, listParam, textParam } from './params.ts';
import type { PartSource } from './part-source.ts';
import { isTree, settingsTree } from './settings-tree.ts';
import { readSimilarities, type Similarities } from './similarities.ts';
import { checkSpan, type SpanLimits, spanLimits } from './span-limits.ts';
import { CONFIGURED_FILTERS, FILTERS, lowercaseFilter } from './token-filters.ts';
import { TOKENIZERS } from './tokenizers.ts';
import { unsupportedPart } from './unsupported-parts.ts';

/** Kinds of components, named as in settings. */
type Kind = 'tokenizer' | 'filter' | 'char_filter';

const NONE: ReadonlySet<string> = new Set();

/** Components that cannot be used by their name alone. */
const CONFIGURED: Readonly<Record<Kind, ReadonlySet<string>>> = {
  tokenizer: NONE,
  filter: CONFIGURED_FILTERS,
  char_filter: CONFIGURED_CHAR_FILTERS,
};

/** Types of components that change characters only: those that normalizers may use. */
const NORMALIZING_FILTER =
  /^(?:lowercase|uppercase|asciifolding|trim|cjk_width|elision|decimal_digit|persian_stem|scandinavian_folding|[a-z]+_normalization)$/;
const NORMALIZING_CHAR_FILTERS: ReadonlySet<string> = new Set(['mapping', 'pattern_replace']);

/** What normalizers stand behind. */
const KEYWORD: Tokenizer = TOKENIZERS.get('keyword')!('keyword', {});

type Factory<T> = (name: string, params: JsonObject, parts: PartSource) => T;

/** The analysis of one index. Immutable. */
export interface Analysis {
  /** An analyzer by name, built in or configured; undefined when unknown. */
  get(name: string): Analyzer | undefined;
  /** A normalizer by name (`lowercase` is built in); undefined when unknown. */
  normalizer(name: string): Analyzer | undefined;
  /** The analyzer of fields that name none: `default` where configured, else standard. */
  readonly defaultAnalyzer: Analyzer;
  /** The analyzer of queries on such fields: `default_search` where configured. */
  readonly defaultSearchAnalyzer: Analyzer;
  /** Components by name or inline definition, for `_analyze`. */
  tokenizer(spec: JsonValue): Tokenizer;
  filter(spec: JsonValue): TokenFilter;
  charFilter(spec: JsonValue): CharFilter;
  /** How terms score. */
  readonly similarities: Similarities;
  /** Whether the settings configure any component. */
  readonly configured: boolean;
}

/**
 * Reads the analysis settings of an index, and its similarities. Builds every
 * configured component, so that errors show when the index is created. Errors: illegal_argument_exception.
 */
export function buildAnalysis(settings: JsonObject | Readonly<Record<string, string>> = {}): Analysis {
  return runToEnd(buildAnalysisSteps(settings));
}

/** As `buildAnalysis`; yields where a component has many rules. */
export function* buildAnalysisSteps(
  settings: JsonObject | Readonly<Record<string, string>>,
): Steps<Analysis> {
  const registry = new Registry(settings as JsonObject);
  yield* registry.build();
  return registry;
}

class Registry implements Analysis {
  readonly configured: boolean;
  readonly similarities: Similarities;
  readonly #tree: JsonObject;
  readonly #spans: SpanLimits;
  readonly #analyzers = new Map<string, Analyzer>();
  readonly #normalizers = new Map<string, Analyzer>();
  readonly #parts: Record<Kind, Map<string, CharFilter | Tokenizer | TokenFilter>> = {
    tokenizer: new Map(),
    filter: new Map(),
    char_filter: new Map(),
  };

  constructor(settings: JsonObject) {
    this.#tree = settingsTree(settings, 'analysis');
    this.#spans = spanLimits(settings);
    this.similarities = readSimilarities(settings);
    this.configured = Object.keys(this.#tree).length > 0;
  }

  /** Builds every configured component. Yields between filters, which may have long lists. */
  *build(): Steps<void> {
    for (const name of this.#names('tokenizer')) this.tokenizer(name);
    for (const name of this.#names('char_filter')) this.charFilter(name);
    for (const name of this.#names('filter')) {
      this.filter(name);
      yield;
    }
    for (const name of this.#names('analyzer')) {
      const params = this.#definition('analyzer', name);
      if (params !== undefined) this.#analyzers.set(name, yield* this.#analyzer(name, params));
    }
    for (const name of this.#names('normalizer')) this.normalizer(name);
  }

  get defaultAnalyzer(): Analyzer {
    return this.get('default') ?? this.get('standard')!;
  }

  get defaultSearchAnalyzer(): Analyzer {
    return this.get('default_search') ?? this.defaultAnalyzer;
  }

  get(name: string): Analyzer | undefined {
    const known = this.#analyzers.get(name);
    if (known !== undefined) return known;
    const made = ANALYZERS.get(name)?.(name, {});
    if (made !== undefined) this.#analyzers.set(name, made);
    return made;
  }

  normalizer(name: string): Analyzer | undefined {
    const known = this.#normalizers.get(name);
    if (known !== undefined) return known;
    const params = this.#definition('normalizer', name);
    const type = params === undefined ? name : (textParam(params, 'type') ?? 'custom');
    const made =
      params !== undefined && type === 'custom'
        ? this.#customNormalizer(name, params)
        : type === 'lowercase'
          ? new Chain(name, { tokenizer: KEYWORD, filters: [lowercaseFilter()] }, 0)
          : undefined;
    if (made === undefined && params !== undefined)
      throw illegalArgument(`Unknown normalizer type [${type}] for [${name}]`);
    if (made !== undefined) this.#normalizers.set(name, made);
    return made;
  }

  tokenizer(spec: JsonValue): Tokenizer {
    return this.#part('tokenizer', spec, TOKENIZERS);
  }

  filter(spec: JsonValue): TokenFilter {
    return this.#part('filter', spec, FILTERS);
  }

  readonly #source: PartSource = {
    filter: (name) => {
      const known =
        this.#definition('filter', name) !== undefined || FILTERS.has(name) || isUnsupported('filter', name);
      return known ? this.filter(name) : undefined;
    },
    builtInAnalyzer: (name) => ANALYZERS.get(name)?.(name, {}),
  };

  charFilter(spec: JsonValue): CharFilter {
    return this.#part('char_filter', spec, CHAR_FILTERS);
  }

  #names(kind: string): string[] {
    const all = this.#tree[kind];
    return isTree(all) ? Object.keys(all) : [];
  }

  #definition(kind: string, name: string): JsonObject | undefined {
    const all = this.#tree[kind];
    const params = isTree(all) && Object.hasOwn(all, name) ? all[name] : undefined;
    return isTree(params) ? params : undefined;
  }

  *#analyzer(name: string, params: JsonObject): Steps<Analyzer> {
    const type = textParam(params, 'type') ?? (params['tokenizer'] === undefined ? undefined : 'custom');
    if (type === undefined)
      throw illegalArgument(`analyzer [${name}] must specify either an analyzer type, or a tokenizer`);
    if (type !== 'custom') {
      const factory = ANALYZERS.get(type);
      if (factory === undefined) throw illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
      return factory(name, params);
    }
    const tokenizer = textParam(params, 'tokenizer');
    if (tokenizer === undefined)
      throw illegalArgument(`analyzer [${name}] must be configured with a tokenizer`);
    const parts = {
      charFilters: (listParam(params, 'char_filter') ?? []).map((item) =>
        this.#member('char_filter', item, name),
      ),
      tokenizer: this.#member('tokenizer', tokenizer, name),
      filters: (listParam(params, 'filter') ?? []).map((item) => this.#member('filter', item, name)),
    };
    return yield* Chain.bound(
      name,
      {
        charFilters: parts.charFilters as CharFilter[],
        tokenizer: parts.tokenizer as Tokenizer,
        filters: parts.filters as TokenFilter[],
        isCustom: true,
      },
      intParam(params, 'position_increment_gap', 100),
    );
  }

  #customNormalizer(name: string, params: JsonObject): Analyzer {
    if (params['tokenizer'] !== undefined)
      throw illegalArgument(`Custom normalizer [${name}] cannot configure a tokenizer`);
    const filters = (listParam(params, 'filter') ?? []).map((item) => {
      const filter = this.#member('filter', item, name) as TokenFilter;
      if (filter.term === undefined || !NORMALIZING_FILTER.test(this.#type('filter', item)))
        throw illegalArgument(`Custom normalizer [${name}] may not use filter [${item}]`);
      return filter;
    });
    const charFilters = (listParam(params, 'char_filter') ?? []).map((item) => {
      const filter = this.#member('char_filter', item, name) as CharFilter;
      if (!NORMALIZING_CHAR_FILTERS.has(this.#type('char_filter', item)))
        throw illegalArgument(`Custom normalizer [${name}] may not use char filter [${item}]`);
      return filter;
    });
    return new Chain(name, { charFilters, tokenizer: KEYWORD, filters, isCustom: true }, 0);
  }

  /** The type of a component by its name. */
  #type(kind: Kind, item: string): string {
    const params = this.#definition(kind, item);
    return params === undefined ? item : (textParam(params, 'type') ?? item);
  }

  /** A component that an analyzer names. */
  #member(kind: Kind, item: string, owner: string): CharFilter | Tokenizer | TokenFilter {
    const needsSettings = CONFIGURED[kind].has(item);
    const known =
      this.#definition(kind, item) !== undefined || (factoriesOf(kind).has(item) && !needsSettings);
    if (!known && !isUnsupported(kind, item)) {
      const what =
        owner === '' ? '' : `Custom Analyzer [${owner}] failed to find ${kind} under name [${item}]`;
      throw illegalArgument(what);
    }
    return kind === 'tokenizer'
      ? this.tokenizer(item)
      : kind === 'filter'
        ? this.filter(item)
        : this.charFilter(item);
  }

  #part<T extends CharFilter | Tokenizer | TokenFilter>(
    kind: Kind,
    spec: JsonValue,
    factories: ReadonlyMap<string, Factory<T>>,
  ): T {
    if (isTree(spec)) {
      const type = textParam(spec, 'type');
      if (type === undefined)
        throw illegalArgument(
          `Missing [type] setting for anonymous ${kind}: ${Object.keys(spec).join(', ')}`,
        );
      // Checked only here: an index created under a wider limit must open under a narrower one.
      checkSpan(type, spec, this.#spans);
      return this.#make(kind, `__anonymous__${type}`, type, spec, factories);
    }
    const name = plainText(spec);
    const known = this.#parts[kind].get(name);
    if (known !== undefined) return known as T;
    const params = this.#definition(kind, name);
    const type = params === undefined ? name : textParam(params, 'type');
    if (type === undefined) throw illegalArgument(`${kind} [${name}] must specify a type`);
    if (params === undefined && CONFIGURED[kind].has(name))
      throw illegalArgument("Analysis settings required - can't instantiate analysis factory");
    const made = this.#make(kind, name, type, params ?? {}, factories);
    this.#parts[kind].set(name, made);
    return made;
  }

  #make<T extends CharFilter | Tokenizer | TokenFilter>(
    kind: Kind,
    name: string,
    type: string,
    params: JsonObject,
    factories: ReadonlyMap<string, Factory<T>>,
  ): T {
    const factory = factories.get(type);
    if (factory !== undefined) return factory(name, params, this.#source);
    const unsupported = kind === 'filter' ? unsupportedPart(kind, type) : undefined;
    if (unsupported !== undefined) throw unsupported;
    throw illegalArgument(
      name === type || name.startsWith('__anonymous__')
        ? `failed to find ${this.configured ? '' : 'global '}${kind} under [${type}]`
        : `Unknown ${kind} type [${type}] for [${name}]`,
    );
  }
}

function factoriesOf(kind: Kind): ReadonlyMap<string, unknown> {
  return kind === 'tokenizer' ? TOKENIZERS : kind === 'filter' ? FILTERS : CHAR_FILTERS;
}

function isUnsupported(kind: Kind, name: string): boolean {
  return kind === 'filter' && unsupportedPart(kind, name) !== undefined;
}
