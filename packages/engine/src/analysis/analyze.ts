// Answers `_analyze`: the tokens of a text under an analyzer, a field's analyzer, a normalizer, or a
// chain given in the request.

import { EngineError, illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import type { Steps } from '../turn.ts';
import type { Analyzer, Token } from './analyzer.ts';
import { Chain, positionCountOf, type TokenAttribute, type TokenFilter } from './chain.ts';
import type { Analysis } from './registry.ts';
import { TOKENIZERS } from './tokenizers.ts';

const KNOWN = new Set([
  'text',
  'analyzer',
  'field',
  'tokenizer',
  'filter',
  'char_filter',
  'normalizer',
  'explain',
  'attributes',
]);
/** The name of an analyzer that a request puts together. */
const INLINE = '__custom__';
/** The analyzer of keyword fields without a normalizer. */
export const PLAIN_KEYWORD: Chain = new Chain(
  '_keyword',
  { tokenizer: TOKENIZERS.get('keyword')!('keyword', {}) },
  0,
);
/** index.analyze.max_token_count of OpenSearch. */
const MAX_TOKENS = 10_000;

/** The fields of an index, as far as `_analyze` asks: a mapping. */
interface AnalyzedFields {
  /** The field at a path, aliases followed; undefined when unmapped. */
  field(
    path: string,
  ):
    | { readonly kind: string; readonly params: JsonObject; readonly analyzer: Analyzer | undefined }
    | undefined;
}

/**
 * The reply of `_analyze`, in steps. `mapping` is undefined where the request names no index. Errors: illegal_argument_exception,
 * action_request_validation_exception, x_content_parse_exception.
 */
export function* analyzeRequest(
  analysis: Analysis,
  mapping: AnalyzedFields | undefined,
  body: JsonObject,
  maxChars: number,
): Steps<JsonObject> {
  for (const key of Object.keys(body)) {
    if (!KNOWN.has(key))
      throw new EngineError('x_content_parse_exception', `[analyze_request] unknown field [${key}]`);
  }
  const texts = textsOf(body);
  requireShortText(
    texts.reduce((sum, { length }) => sum + length, 0),
    maxChars,
  );
  const normalizer = body['normalizer'];
  if (normalizer !== undefined && mapping === undefined)
    throw invalid('index is required if normalizer is specified');
  if (normalizer !== undefined && (body['tokenizer'] !== undefined || body['analyzer'] !== undefined)) {
    throw invalid('tokenizer/analyze should be null if normalizer is specified');
  }
  if (body['analyzer'] !== undefined && (body['tokenizer'] !== undefined || body['filter'] !== undefined)) {
    throw invalid('tokenizer/filter should be null if analyzer is specified');
  }
  const analyzer = yield* choose(analysis, mapping, body);
  // Built-in analyzers used without an index, and keywords, leave no gap between the values of an array.
  const gap =
    (mapping === undefined && analyzer.name !== INLINE) || isKeywordField(mapping, body)
      ? 0
      : analyzer.positionGap;
  const tokens = yield* analyzeTexts(analyzer, texts, gap);
  if (body['explain'] !== true && body['explain'] !== 'true')
    return { tokens: tokens.map((token) => printToken(token)) };
  const shown = list(body['attributes']).map((name) => plainText(name).toLowerCase());
  // The parts are those of the analyzer itself, whose gap a field may have changed. Those of a request have none.
  const own = analyzer.positionGap === 0 ? undefined : analysis.get(analyzer.name)?.positionGap;
  const gapOfParts = analyzer.name === INLINE ? 0 : (own ?? analyzer.positionGap);
  return { detail: yield* explain(analyzer, texts, { tokens, gapOfParts, shown: new Set(shown) }) };
}

function invalid(reason: string): EngineError {
  return new EngineError('action_request_validation_exception', `Validation Failed: 1: ${reason};`);
}

const VALUE_TOKENS: Readonly<Record<string, string>> = {
  object: 'START_OBJECT',
  number: 'VALUE_NUMBER',
  bigint: 'VALUE_NUMBER',
  boolean: 'VALUE_BOOLEAN',
};

function textsOf(body: JsonObject): string[] {
  const value = body['text'];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) throw invalid('text is missing');
  if (typeof value !== 'string' && !Array.isArray(value)) {
    const token = value === null ? 'VALUE_NULL' : VALUE_TOKENS[typeof value];
    const reason = `[analyze_request] text doesn't support values of type: ${token}`;
    const error = new EngineError('x_content_parse_exception', reason);
    throw attachPlace(error, { holder: body, key: 'text', at: 'value' });
  }
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (item === null || typeof item === 'object')
      throw illegalArgument('text should be array of string value');
    return String(item);
  });
}

function list(value: JsonValue | undefined): JsonValue[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** True if a request names a keyword field, whose values are not joined. */
function isKeywordField(
  mapping: AnalyzedFields | undefined,
  { field, analyzer, tokenizer }: JsonObject,
): boolean {
  if (mapping === undefined || field === undefined || analyzer !== undefined || tokenizer !== undefined)
    return false;
  return mapping.field(plainText(field))?.kind === 'keyword';
}

function* choose(analysis: Analysis, mapping: AnalyzedFields | undefined, body: JsonObject): Steps<Analyzer> {
  const { analyzer, field, normalizer } = body;
  if (typeof analyzer === 'string') {
    const found = analyzer === 'default' ? analysis.defaultAnalyzer : analysis.get(analyzer);
    if (found === undefined) {
      throw illegalArgument(`failed to find ${mapping === undefined ? 'global ' : ''}analyzer [${analyzer}]`);
    }
    return found;
  }
  if (typeof normalizer === 'string') {
    const found = analysis.normalizer(normalizer);
    if (found === undefined) throw illegalArgument(`failed to find normalizer under [${normalizer}]`);
    return found;
  }
  if (body['tokenizer'] !== undefined) return yield* inline(analysis, body['tokenizer'], body);
  if (body['filter'] !== undefined || body['char_filter'] !== undefined)
    return yield* inline(analysis, 'keyword', body);
  if (field !== undefined) {
    if (mapping === undefined) throw illegalArgument('analysis based on a specific field requires an index');
    const found = mapping.field(plainText(field));
    if (found === undefined) return analysis.defaultAnalyzer;
    if (found.analyzer !== undefined) return found.analyzer;
    if (found.kind === 'keyword' || found.kind === 'wildcard') {
      const name = found.params['normalizer'];
      return (typeof name === 'string' ? analysis.normalizer(name) : undefined) ?? PLAIN_KEYWORD;
    }
    throw illegalArgument(
      `Can't process field [${plainText(field)}], Analysis requests are only supported on tokenized fields`,
    );
  }
  return analysis.defaultAnalyzer;
}

function inline(analysis: Analysis, tokenizer: JsonValue, body: JsonObject): Steps<Chain> {
  return Chain.bound(INLINE, {
    isCustom: true,
    charFilters: list(body['char_filter']).map((spec) => analysis.charFilter(spec)),
    tokenizer: analysis.tokenizer(tokenizer),
    filters: list(body['filter']).map((spec) => analysis.filter(spec)),
  });
}

/** Throws illegal_argument_exception where a request would have a longer text analyzed than it may. */
export function requireShortText(length: number, maxChars: number): void {
  if (length <= maxChars) return;
  throw illegalArgument(
    `The text to analyze has [${length}] characters, which exceeds the allowed maximum of [${maxChars}]. Send less text at once, or raise the limit with --limit analyzedChars=N.`,
  );
}

/** Analyses several texts; positions and offsets continue as for the values of an array. */
export function* analyzeTexts(
  analyzer: Pick<Analyzer, 'analyzeSteps'>,
  texts: readonly string[],
  gap: number,
): Steps<Token[]> {
  const all: Token[] = [];
  let position = 0;
  let offset = 0;
  for (const text of texts) {
    const tokens = yield* analyzer.analyzeSteps(text);
    const length = positionCountOf(tokens);
    if (all.length + tokens.length > MAX_TOKENS) {
      throw new EngineError(
        'illegal_argument_exception',
        `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${MAX_TOKENS}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
      );
    }
    for (const token of tokens) {
      all.push({
        ...token,
        position: token.position + position,
        start: token.start + offset,
        end: token.end + offset,
      });
    }
    position += length + gap;
    offset += text.length + 1;
  }
  return all;
}

function printToken(token: Token): JsonObject {
  const out: JsonObject = {
    token: token.term,
    start_offset: token.start,
    end_offset: token.end,
    type: token.type,
    position: token.position,
  };
  if (token.positionLength > 1) out['positionLength'] = token.positionLength;
  return out;
}

function* explain(
  analyzer: Analyzer,
  texts: readonly string[],
  options: { tokens: readonly Token[]; gapOfParts: number; shown: ReadonlySet<string> },
): Steps<JsonObject> {
  const { tokens, gapOfParts, shown } = options;
  const print = (list: readonly Token[], filters: readonly TokenFilter[]): JsonValue => {
    const from = filters.findLastIndex((filter) => filter.makesTokens === true);
    const attributes = new Set(filters.slice(Math.max(0, from)).flatMap((filter) => filter.attributes ?? []));
    const lacksFrequencies =
      analyzer instanceof Chain &&
      analyzer.tokenizer.lacksFrequencies === true &&
      !filters.some(({ setsFrequencies, makesTokens }) => setsFrequencies === true || makesTokens === true);
    return list.map((token) => printDetail(token, attributes, lacksFrequencies, shown));
  };
  if (!(analyzer instanceof Chain) || !analyzer.isCustom) {
    const filters = analyzer instanceof Chain ? analyzer.filters : [];
    return { custom_analyzer: false, analyzer: { name: analyzer.name, tokens: print(tokens, filters) } };
  }
  const detail: JsonObject = { custom_analyzer: true };
  const { charFilters, tokenizer, filters } = analyzer;
  detail['charfilters'] = charFilters.map((filter, i) => ({
    name: filter.name,
    filtered_text: texts.map((text) =>
      charFilters.slice(0, i + 1).reduce((now, one) => one.apply(now).text, text),
    ),
  }));
  const stage = function* (count: number): Steps<JsonValue> {
    const first = filters.slice(0, count);
    const part = new Chain('', { charFilters, tokenizer, filters: first });
    return print(yield* analyzeTexts(part, texts, gapOfParts), first);
  };
  detail['tokenizer'] = { name: tokenizer.name, tokens: yield* stage(0) };
  const behind: JsonObject[] = [];
  for (const [i, { name }] of filters.entries()) behind.push({ name, tokens: yield* stage(i + 1) });
  detail['tokenfilters'] = behind;
  return detail;
}

/** A token with its attributes: those that are `shown`, all if none is named. */
function printDetail(
  token: Token,
  attributes: ReadonlySet<TokenAttribute>,
  lacksFrequencies: boolean,
  shown: ReadonlySet<string>,
): JsonObject {
  const { term, payload } = token;
  const { positionLength: _, ...printed } = printToken(token);
  const details: JsonObject = {
    bytes: hexBytes(Buffer.from(term)),
    ...(attributes.has('keyword') && { keyword: token.keyword ?? false }),
    ...(attributes.has('payload') && { payload: payload === undefined ? null : hexBytes(payload) }),
    positionLength: token.positionLength,
    ...(!lacksFrequencies && { termFrequency: token.frequency ?? 1 }),
  };
  const entries = Object.entries(details).filter(
    ([name]) => shown.size === 0 || shown.has(name.toLowerCase()),
  );
  return { ...printed, ...Object.fromEntries(entries) };
}

/** Bytes as Lucene prints them: `[61 0 ff]`. */
function hexBytes(bytes: Uint8Array): string {
  return `[${Array.from(bytes, (byte) => byte.toString(16)).join(' ')}]`;
}
