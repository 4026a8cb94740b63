// The terms of one document by field, with figures of the index. They are made from the source by the analyzers, as no
// field stores them.

import { analyzeTexts, PLAIN_KEYWORD, requireShortText } from '../analysis/analyze.ts';
import type { Analyzer, Token } from '../analysis/analyzer.ts';
import type { DocumentTerm, FieldTerms, TermVectorsFilter, TermVectorsRequest } from '../api.ts';
import { illegalArgument } from '../errors.ts';
import type { FieldType, Mapping } from '../mapping/types/type.ts';
import type { LeafView } from '../segment/leaf.ts';
import { runToEnd } from '../turn.ts';
import { sourceTexts } from './field/source-texts.ts';
import { Statistics } from './plan/statistics.ts';

const encoder = new TextEncoder();

/** The index that a document is seen in. */
interface SeenIndex {
  readonly mapping: Mapping;
  readonly analysis: { get(name: string): Analyzer | undefined };
  readonly leaves: readonly LeafView[];
}

/** Throws illegal_argument_exception for texts of more than `maxChars` characters together. O(document). */
export function termVectors(
  index: SeenIndex,
  request: TermVectorsRequest,
  maxChars: number,
): Map<string, FieldTerms> {
  const { mapping, leaves } = index;
  const statistics = new Statistics(leaves);
  const isField = (path: string): boolean => mapping.field(path) !== undefined;
  const out = new Map<string, FieldTerms>();
  let length = 0;
  for (const field of chosenFields(mapping, request)) {
    const texts = sourceTexts(request.source, field.path, isField);
    length += texts.reduce((sum, text) => sum + text.length, 0);
    requireShortText(length, maxChars);
    if (texts.length === 0) continue;
    const figures = fieldFigures(field.path, leaves);
    const all = termsOf(tokensOf(field, texts, index, request), (bytes) =>
      request.termStatistics || request.filter !== undefined ? statistics.term(field.path, bytes) : undefined,
    );
    const kept = request.filter === undefined ? all : best(all, request.filter, figures.docCount);
    out.set(field.path, {
      ...keptParts(field, request),
      statistics: request.fieldStatistics ? figures : undefined,
      terms: request.termStatistics ? kept : kept.map((term) => ({ ...term, statistics: undefined })),
    });
  }
  return out;
}

const WORD_KINDS: ReadonlySet<string> = new Set(['text', 'match_only_text', 'keyword', 'search_as_you_type']);

function chosenFields(mapping: Mapping, { fields, isArtificial }: TermVectorsRequest): FieldType[] {
  const words = [...mapping.fields()].filter(({ kind, searchable }) => searchable && WORD_KINDS.has(kind));
  if (fields === undefined) return isArtificial ? words : words.filter(hasVector);
  const paths = new Set(fields.flatMap((name) => (name.includes('*') ? mapping.matching(name) : [name])));
  const named = new Set([...paths].map((path) => mapping.field(path)?.path));
  return words.filter(({ path }) => named.has(path));
}

function hasVector({ params }: FieldType): boolean {
  return typeof params['term_vector'] === 'string' && params['term_vector'] !== 'no';
}

/** What is told of the places of terms: all that is asked, or what a stored vector would have. */
function keptParts(
  field: FieldType,
  { isArtificial, analyzers }: TermVectorsRequest,
): Pick<FieldTerms, 'hasPositions' | 'hasOffsets'> {
  if (isArtificial || analyzers.has(field.path) || !hasVector(field))
    return { hasPositions: true, hasOffsets: true };
  const kept = String(field.params['term_vector']);
  return { hasPositions: kept.includes('positions'), hasOffsets: kept.includes('offsets') };
}

function tokensOf(
  field: FieldType,
  texts: readonly string[],
  { analysis }: SeenIndex,
  { analyzers }: TermVectorsRequest,
): Token[] {
  const named = analyzers.get(field.path);
  const analyzer = named === undefined ? field.analyzer : analysis.get(named);
  if (named !== undefined && analyzer === undefined)
    throw illegalArgument(`[per_field_analyzer] analyzer [${named}] of the field [${field.path}] not found`);
  if (analyzer !== undefined) return runToEnd(analyzeTexts(analyzer, texts, analyzer.positionGap));
  const { bytes } = field;
  const shown = (text: string): string => (bytes === undefined ? text : bytes.decode(bytes.encode(text)));
  return runToEnd(analyzeTexts(PLAIN_KEYWORD, texts, 0)).map((token) => ({
    ...token,
    term: shown(token.term),
  }));
}

function termsOf(
  tokens: readonly Token[],
  figuresOf: (bytes: Uint8Array) => DocumentTerm['statistics'],
): DocumentTerm[] {
  const byTerm = new Map<string, Token[]>();
  for (const token of tokens) {
    const same = byTerm.get(token.term);
    if (same === undefined) byTerm.set(token.term, [token]);
    else same.push(token);
  }
  return [...byTerm]
    .map(([term, tokens]) => ({ term, tokens, bytes: encoder.encode(term) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ term, tokens, bytes }) => {
      const found = figuresOf(bytes);
      return { term, tokens, statistics: found?.docFreq === 0 ? undefined : found, score: undefined };
    });
}

/** The best terms by tf-idf (Lucene's classic similarity), still ascending by bytes. Of equals the first ones stay. */
function best(terms: readonly DocumentTerm[], filter: TermVectorsFilter, docCount: number): DocumentTerm[] {
  const scored = terms.flatMap((term): { term: DocumentTerm; score: number }[] => {
    const frequency = term.tokens.length;
    const docFreq = term.statistics?.docFreq ?? 0;
    if (docFreq === 0 || docFreq < filter.minDocFreq || docFreq > filter.maxDocFreq) return [];
    if (frequency < filter.minTermFreq || frequency > filter.maxTermFreq) return [];
    const { length } = term.term;
    if (length < filter.minWordLength || length > filter.maxWordLength) return [];
    const idf = Math.fround(Math.log((docCount + 1) / (docFreq + 1)) + 1);
    const score = Math.fround(frequency * idf);
    return [{ term: { ...term, score }, score }];
  });
  const chosen = new Set(scored.toSorted((a, b) => b.score - a.score).slice(0, filter.maxNumTerms));
  return scored.filter((each) => chosen.has(each)).map(({ term }) => term);
}

/** Figures of a field, with documents that are dead and not yet merged away. */
function fieldFigures(path: string, leaves: readonly LeafView[]): NonNullable<FieldTerms['statistics']> {
  const figures = { sumDocFreq: 0, docCount: 0, sumTotalTermFreq: 0 };
  for (const { leaf } of leaves) {
    const terms = leaf.terms(path);
    if (terms === undefined) continue;
    const { sumDocFreq, docCount, sumTotalTermFreq } = terms.stats;
    figures.sumDocFreq += sumDocFreq;
    figures.docCount += docCount;
    figures.sumTotalTermFreq += terms.hasFreqs ? sumTotalTermFreq : sumDocFreq;
  }
  return figures;
}
