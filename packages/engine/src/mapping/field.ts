// A field of a mapping at work: its definition with everything looked up once (slot, analyzers, formats,
// null value).

import type { Analyzer } from '../analysis/analyzer.ts';
import { Chain } from '../analysis/chain.ts';
import {
  pairAnalyzers,
  prefixAnalyzers,
  type Readings,
  typeAheadAnalyzers,
} from '../analysis/derived-analyzers.ts';
import type { Analysis } from '../analysis/registry.ts';
import { refuseClassic, type Similarity } from '../analysis/similarities.ts';
import { illegalArgument } from '../errors.ts';
import { bytesOf } from '../json/bytes.ts';
import { plainNumber, plainText } from '../json/java-text.ts';
import type { JsonObject } from '../json/value.ts';
import { type DateFormat, dateFault, dateFormat } from './dates/date-format.ts';
import { UTC } from './dates/zone.ts';
import { readContexts } from './definition/completion-contexts.ts';
import { copyInto, type FieldDef, isJsonObject } from './definition/definition.ts';
import { mapperParsing, PARAMS } from './definition/type-params.ts';
import type { FieldSpec } from './field-spec.ts';
import { BOOLEAN } from './types/booleans.ts';
import { CompletionType } from './types/completion.ts';
import { dateType } from './types/dates.ts';
import { floatType, readFloat, scaledType } from './types/floats.ts';
import { decimalOf, INTEGERS, integerType, numberFault } from './types/integers.ts';
import { IP, parseIp } from './types/ip.ts';
import { keywordType } from './types/keywords.ts';
import { ipRange, numericRange, RANGE_ENDS } from './types/ranges.ts';
import type { BytesType, FieldKind, FieldType, NumericType, RangeType } from './types/type.ts';

/**
 * Allocates slots: one per field ever created in the life of an index, shared by all versions of its mapping. A reading
 * thread may still know a field of a discarded mapping, so a slot is never given to another field; the same field gets it
 * again.
 */
export class SlotAllocator {
  #count = 0;
  readonly #specs = new Map<string, FieldSpec>();

  get count(): number {
    return this.#count;
  }

  /** The spec, with its slot, of a field that is stored this way. */
  take(stored: Omit<FieldSpec, 'slot'>): FieldSpec {
    const { path, index, norms, column } = stored;
    const key = `${index} ${norms} ${column} ${path}`;
    let spec = this.#specs.get(key);
    if (spec === undefined) this.#specs.set(key, (spec = { slot: this.#count++, ...stored }));
    return spec;
  }
}

/** The names of derived fields, as the peer calls them: the beginnings of words, and pairs of words. */
export const PREFIX_PART = '_index_prefix';
export const PHRASE_PART = '_index_phrase';
/** Ends the path of the words of a completion field. No mapping can contain it. */
export const INPUTS_END = '\0inputs';

/** The members of a text's mapping that name its analyzers. */
function analyzersOf(params: JsonObject): JsonObject {
  const names = ['analyzer', 'search_analyzer', 'search_quote_analyzer'];
  return Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)));
}

/** The lengths of the beginnings that a text field with `index_prefixes` keeps; undefined for other fields. */
export function prefixLengths({
  params,
}: {
  readonly params: JsonObject;
}): { readonly min: number; readonly max: number } | undefined {
  const given = params['index_prefixes'];
  if (!isJsonObject(given)) return undefined;
  return { min: given['min_chars'] as number, max: given['max_chars'] as number };
}

const NUMBERS = new Set<FieldKind>([
  'long',
  'integer',
  'short',
  'byte',
  'unsigned_long',
  'double',
  'float',
  'half_float',
  'scaled_float',
]);

/** A field that the mapping does not name: the engine derives it from another one. */
interface Derived {
  readonly name: string;
  /** Its type, as errors and `_field_caps` name it. */
  readonly type: string;
  readonly params: JsonObject;
  readonly readings: Readings;
}

/** One mapped field. */
export class Field implements FieldType {
  readonly path: string;
  readonly def: FieldDef;
  readonly kind: FieldKind;
  readonly spec: FieldSpec;
  readonly params: JsonObject;
  readonly searchable: boolean;
  readonly hasDocValues: boolean;
  readonly similarity: Similarity;
  readonly analyzer: Analyzer | undefined;
  readonly searchAnalyzer: Analyzer | undefined;
  readonly searchQuoteAnalyzer: Analyzer | undefined;
  readonly numeric: NumericType | undefined;
  readonly bytes: BytesType | undefined;
  readonly range: RangeType | undefined;
  readonly completion: CompletionType | undefined;
  readonly inputs: Field | undefined;
  /** Sub-fields, in order. */
  readonly multi: readonly Field[];
  readonly copyTo: readonly string[];

  // For mapping documents.
  readonly ignoreMalformed: boolean;
  readonly coerce: boolean;
  readonly ignoreAbove: number;
  readonly normalizer: Analyzer | undefined;
  readonly format: DateFormat | undefined;
  readonly factor: number;
  /** The value that stands for null, as JSON scalar text; undefined for none. */
  readonly nullValue: Uint8Array | undefined;
  /** token_count: counts the words of a text. */
  readonly countWords: ((text: string) => number) | undefined;
  /** flat_object: the spec of its `key=value` terms; its own spec has the values. */
  readonly keys: FieldSpec | undefined;

  constructor(
    path: string,
    def: FieldDef,
    analysis: Analysis,
    slots: SlotAllocator,
    before: Field | undefined,
    derived?: Derived,
  ) {
    this.path = path;
    this.def = def;
    const isTypeAhead = def.type === 'search_as_you_type';
    const kind = (this.kind = isTypeAhead ? 'text' : (def.type as FieldKind));
    const defaults = PARAMS[def.type]!;
    const get = (name: string): JsonObject[string] => def.params[name] ?? defaults[name]?.fallback ?? null;
    const flag = (name: string): boolean => get(name) === true;
    this.params = paramsOf(def);
    if (derived !== undefined) this.params['type'] = derived.type;
    const text = kind === 'text' || kind === 'match_only_text';
    this.searchable =
      ['constant_keyword', 'flat_object', 'completion', 'rank_feature'].includes(kind) || flag('index');
    this.hasDocValues = kind === 'constant_keyword' || (!text && flag('doc_values'));
    this.spec = specOf(path, def, slots, before?.spec, this.searchable, this.hasDocValues);
    this.keys = kind === 'flat_object' ? flatKeys(path, slots, before?.keys) : undefined;
    this.copyTo = def.copyTo;
    this.ignoreMalformed = flag('ignore_malformed');
    this.coerce = get('coerce') !== false;
    this.ignoreAbove =
      kind === 'keyword' || kind === 'wildcard'
        ? ((get('ignore_above') as number) ?? 2147483647)
        : 2147483647;
    this.similarity = findSimilarity(analysis, def.params['similarity'] ?? null, path);
    this.factor = plainNumber(get('scaling_factor') ?? 1);
    if (text) {
      const gap = get('position_increment_gap') as number;
      const named = get('analyzer') as string;
      const own = derived?.readings.index ?? find(analysis, named, analysis.defaultAnalyzer, gap);
      const fallback = named === 'default' ? (analysis.get('default_search') ?? own) : own;
      this.analyzer = own;
      this.searchAnalyzer =
        get('search_analyzer') === null
          ? (derived?.readings.search ?? fallback)
          : find(analysis, plainText(get('search_analyzer')), own, gap);
      this.searchQuoteAnalyzer =
        get('search_quote_analyzer') === null
          ? this.searchAnalyzer
          : find(analysis, plainText(get('search_quote_analyzer')), own, gap);
    }
    if (kind === 'keyword' || kind === 'wildcard') {
      const name = get('normalizer');
      this.normalizer =
        typeof name === 'string' && name !== 'default' ? analysis.normalizer(name) : undefined;
      if (typeof name === 'string' && name !== 'default' && this.normalizer === undefined) {
        throw mapperParsing(
          `normalizer [${name}] not found for field [${path.slice(path.lastIndexOf('.') + 1)}]`,
        );
      }
    }
    if (kind === 'date' || kind === 'date_nanos' || kind === 'date_range')
      this.format = fieldFormat(plainText(get('format')), path);
    this.countWords = kind === 'token_count' ? wordCounter(analysis, path, get) : undefined;
    this.numeric = this.#numericType(kind);
    this.range = this.#rangeType();
    this.completion = kind === 'completion' ? completionType(analysis, path, get) : undefined;
    this.inputs = this.#inputs(analysis, slots, before?.inputs);
    this.bytes =
      kind === 'ip'
        ? IP
        : kind === 'keyword' || kind === 'wildcard' || kind === 'constant_keyword' || kind === 'flat_object'
          ? keywordType(this.normalizer)
          : undefined;
    this.nullValue = this.#nullBytes();
    const multi: Field[] = [];
    for (const [name, child] of def.fields) {
      const full = `${path}.${name}`;
      const old = before?.multi.find((field) => field.path === full);
      multi.push(old?.def === child ? old : new Field(full, child, analysis, slots, old));
    }
    for (const each of this.#derived()) {
      const full = `${path}.${each.name}`;
      const old = before?.multi.find((field) => field.path === full);
      const stored: FieldDef = {
        kind: 'field',
        type: 'text',
        params: each.params,
        copyTo: [],
        fields: new Map(),
      };
      multi.push(new Field(full, stored, analysis, slots, old, each));
    }
    this.multi = multi;
  }

  #inputs(analysis: Analysis, slots: SlotAllocator, before: Field | undefined): Field | undefined {
    if (this.completion === undefined || this.completion.contexts.length > 0) return undefined;
    const { inputAnalyzer: index } = this.completion;
    const params = { index_options: 'freqs' };
    const def: FieldDef = { kind: 'field', type: 'text', params, copyTo: [], fields: new Map() };
    const derived = { name: INPUTS_END, type: 'text', params, readings: { index, search: index } };
    return new Field(this.path + INPUTS_END, def, analysis, slots, before, derived);
  }

  /** The fields that are derived from this one. */
  #derived(): Derived[] {
    const [index, search] = [this.analyzer!, this.searchAnalyzer!];
    const { type, params } = this.def;
    const beginnings = { norms: false, index_options: 'docs' };
    if (type === 'search_as_you_type') {
      const size = (params['max_shingle_size'] ?? 3) as number;
      return Object.entries(typeAheadAnalyzers(index, search, size)).map(([name, readings]) => ({
        name,
        type: 'text',
        params: name === PREFIX_PART ? beginnings : {},
        readings,
      }));
    }
    if (type !== 'text') return [];
    const out: Derived[] = [];
    const prefixes = prefixLengths(this);
    if (prefixes !== undefined) {
      const readings = prefixAnalyzers(index, search, prefixes.min, prefixes.max);
      const options = params['index_options'] === 'docs' ? 'docs' : 'freqs';
      out.push({
        name: PREFIX_PART,
        type: 'prefix',
        params: { ...analyzersOf(params), norms: false, index_options: options },
        readings,
      });
    }
    if (params['index_phrases'] === true) {
      const norms = params['norms'] ?? true;
      out.push({
        name: PHRASE_PART,
        type: 'phrase',
        params: { ...analyzersOf(params), norms },
        readings: pairAnalyzers(index, search),
      });
    }
    return out;
  }

  #rangeType(): RangeType | undefined {
    const ends = RANGE_ENDS[this.kind];
    if (ends === undefined) return undefined;
    return ends === 'ip' ? ipRange(IP) : numericRange(this.#numericType(ends)!);
  }

  #numericType(kind: FieldKind): NumericType | undefined {
    switch (kind) {
      case 'long':
      case 'integer':
      case 'short':
      case 'byte':
      case 'unsigned_long':
        return integerType(INTEGERS[kind]);
      case 'token_count':
        return integerType(INTEGERS.integer);
      case 'double':
      case 'float':
      case 'half_float':
        return floatType(kind);
      case 'scaled_float':
        return scaledType(this.factor);
      case 'boolean':
        return BOOLEAN;
      case 'date':
      case 'date_nanos':
        return dateType(this.format!, kind === 'date_nanos');
      default:
        return undefined;
    }
  }

  #nullBytes(): Uint8Array | undefined {
    const value = this.def.params['null_value'];
    if (value === undefined || value === null) return undefined;
    const text = plainText(value);
    if (this.kind in INTEGERS) {
      if (decimalOf(text) === undefined) throw numberFault(text);
    } else if (NUMBERS.has(this.kind)) readFloat(text);
    else if (this.format !== undefined && this.format.read(text, UTC, false) === undefined)
      throw dateFault(text, this.format.text);
    else if (this.kind === 'ip' && parseIp(text) === undefined)
      throw illegalArgument(`'${text}' is not an IP string literal.`);
    return bytesOf(text);
  }
}

/** Counts the positions that the words of a text take, or the words at different positions. */
function wordCounter(
  analysis: Analysis,
  path: string,
  get: (name: string) => JsonObject[string],
): (text: string) => number {
  const named = get('analyzer');
  if (named === null) throw mapperParsing(`Analyzer must be set for field [${path}] but wasn't.`);
  const analyzer = find(analysis, plainText(named), analysis.defaultAnalyzer, 100);
  const countsHoles = get('enable_position_increments') !== false;
  return (text) => {
    if (!countsHoles) return new Set(analyzer.analyze(text).map(({ position }) => position)).size;
    const bytes = bytesOf(text);
    return analyzer.analyzeBytes(bytes, 0, bytes.length, () => undefined);
  };
}

function completionType(
  analysis: Analysis,
  path: string,
  get: (name: string) => JsonObject[string],
): CompletionType {
  const analyzer = find(analysis, plainText(get('analyzer')), analysis.defaultAnalyzer, 100);
  const named = get('search_analyzer');
  const search = named === null ? analyzer : find(analysis, plainText(named), analyzer, 100);
  return new CompletionType(get, readContexts(get('contexts'), path), analyzer, search);
}

/** Whether documents have numbers as values of this kind. */
export function isNumber(kind: FieldKind): boolean {
  return NUMBERS.has(kind);
}

function paramsOf(def: FieldDef): JsonObject {
  const params = Object.create(null) as JsonObject;
  params['type'] = def.type;
  return copyInto(params, def.params);
}

/** The similarity of a name in the mapping. */
function findSimilarity(analysis: Analysis, name: JsonObject[string], path: string): Similarity {
  const { similarities } = analysis;
  if (name === null) return similarities.default;
  const found = similarities.get(plainText(name));
  if (found !== undefined) return found;
  refuseClassic(plainText(name));
  throw mapperParsing(`Unknown Similarity type [${plainText(name)}] for field [${path}]`);
}

function find(analysis: Analysis, name: string, fallback: Analyzer, gap: number): Analyzer {
  const found = name === 'default' ? fallback : analysis.get(name);
  if (found === undefined) throw illegalArgument(`analyzer [${name}] has not been configured in mappings`);
  return found instanceof Chain && gap !== 100 ? found.withGap(gap) : found;
}

function fieldFormat(text: string, path: string): DateFormat {
  try {
    return dateFormat(text);
  } catch (error) {
    throw illegalArgument(
      `Error parsing [format] on field [${path.slice(path.lastIndexOf('.') + 1)}]: ${(error as Error).message}`,
    );
  }
}

/** How a field is stored. A searchable number has a column even without doc values: queries read it. */
function specOf(
  path: string,
  def: FieldDef,
  slots: SlotAllocator,
  before: FieldSpec | undefined,
  searchable: boolean,
  docValues: boolean,
): FieldSpec {
  let index: FieldSpec['index'] = 'none';
  let column: FieldSpec['column'] = 'none';
  let norms = false;
  switch (def.type) {
    case 'text':
    case 'search_as_you_type':
    case 'match_only_text': {
      const options = def.params['index_options'] ?? 'positions';
      if (searchable) index = options === 'docs' || options === 'freqs' ? options : 'positions';
      norms = def.type !== 'match_only_text' && searchable && def.params['norms'] !== false;
      break;
    }
    case 'keyword':
    case 'wildcard':
    case 'ip':
    case 'integer_range':
    case 'long_range':
    case 'float_range':
    case 'double_range':
    case 'date_range':
    case 'ip_range':
      if (searchable) index = 'docs';
      if (docValues) column = 'ordinal';
      break;
    case 'completion':
    case 'flat_object':
      index = 'docs';
      break;
    case 'rank_feature':
    case 'rank_features':
      index = 'docs';
      column = 'ordinal';
      break;
    case 'constant_keyword':
    case 'binary':
      break;
    case 'geo_point':
      if (docValues) column = 'numeric';
      break;
    default:
      if (searchable || docValues) column = 'numeric';
  }
  if (before !== undefined && before.index === index && before.norms === norms && before.column === column)
    return before;
  const stored = { path, index, norms, column };
  return before === undefined ? slots.take(stored) : { slot: before.slot, ...stored };
}

/** Name of the hidden `key=value` terms of a flat_object, as OpenSearch calls it. */
const FLAT_KEYS = '_valueAndPath';

function flatKeys(path: string, slots: SlotAllocator, before: FieldSpec | undefined): FieldSpec {
  return before ?? slots.take({ path: `${path}.${FLAT_KEYS}`, index: 'docs', norms: false, column: 'none' });
}
