// combined_fields: a text in several text fields that are searched as if they were one. OpenSearch 3.1 does not know it;
// Elasticsearch does, and scores it by Lucene's CombinedFieldQuery.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { averageLength, idf, normInverses } from '../../score/bm25.ts';
import { parsingError } from '../errors.ts';
import { expandFields, type WeightedField } from '../field/field-list.ts';
import { checkSearchable, plainString, typeName, utf8 } from '../field/field-value.ts';
import { analyzeParts, phraseNode, zeroTermsNode } from '../field/text/analyzed-text.ts';
import { joinTerms, type MatchOptions } from '../field/text/match.ts';
import { isFork, type TextPlace } from '../field/text/token-graph.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { type CombinedField, CombinedTermNode } from '../node/terms/combined-term-node.ts';
import { jsonToken, objectBody, readParameters } from '../parameters.ts';
import type { Planner } from '../plan/planner.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';
import { finishDraft, matchReaders, newDraft } from './match.ts';
import { readFields } from './multi-match.ts';

const KIND = 'combined_fields';

interface CombinedFieldsQuery extends Query {
  readonly kind: 'combined_fields';
  readonly text: JsonValue;
  readonly fields: readonly WeightedField[];
  readonly options: MatchOptions;
}

export const combinedFields: QueryKind<CombinedFieldsQuery> = {
  name: KIND,
  parse(json) {
    const draft = newDraft('boolean');
    const readers = matchReaders(KIND, draft);
    let text: JsonValue = null;
    let fields: WeightedField[] = [];
    const common = readParameters(KIND, objectBody(KIND, json), {
      operator: readers['operator']!,
      minimum_should_match: readers['minimum_should_match']!,
      zero_terms_query: readers['zero_terms_query']!,
      auto_generate_synonyms_phrase_query: readers['auto_generate_synonyms_phrase_query']!,
      query: (v) => {
        if (v === null || typeof v === 'object')
          throw parsingError(`[${KIND}] query doesn't support values of type: ${jsonToken(v)}`);
        text = v;
      },
      fields: (v) => (fields = readFields(v, KIND)),
    });
    if (text === null) throw illegalArgument('Required [query]');
    if (fields.length === 0)
      throw illegalArgument(`In [${KIND}] query, at least one field must be provided in [fields]`);
    for (const { boost } of fields)
      if (boost < 1) throw illegalArgument(`[${KIND}] requires field boosts of at least 1.0, got [${boost}]`);
    return Object.freeze({ kind: KIND, text, fields, options: finishDraft(draft), ...common });
  },
  plan({ fields: list, text, options }, planner, boost) {
    const fields = textFields(planner, list);
    const [first] = fields;
    if (first === undefined) return NONE;
    const analyzer = analyzerOf(first.field);
    const parts = analyzeParts(analyzer!, plainString(text), planner);
    if (parts.length === 0) return zeroTermsNode(options.zeroTerms === 'all' ? 'all' : 'none', boost);
    planner.countWords(parts.length);
    const combined = fields.map(({ field, weight }) => ({ path: field.path, weight }));
    const place = ({ terms }: TextPlace): PlanNode => combinedTerm(planner, combined, terms.map(utf8), boost);
    const path = (places: readonly TextPlace[]): PlanNode => {
      if (places.length === 1 || !options.synonymPhrases) return planner.combine({ must: places.map(place) });
      const slots = places.map(({ position, terms }) => ({ position, terms: terms.map(utf8) }));
      const phrases = combined.map(({ path, weight }) =>
        phraseNode(planner, path, slots, 0, Math.fround(boost * weight)),
      );
      return planner.combine({ should: phrases, least: 1 });
    };
    const nodes = parts.map((part) =>
      isFork(part) ? planner.combine({ should: part.paths.map(path), least: 1 }) : place(part),
    );
    return joinTerms(planner, nodes, options);
  },
};

interface WeightedType {
  readonly field: FieldType;
  readonly weight: number;
}

function analyzerOf(field: FieldType): FieldType['analyzer'] {
  return field.searchAnalyzer ?? field.analyzer;
}

/** The mapped fields of a list: texts that are read alike. Patterns leave out other kinds. */
function textFields(planner: Planner, list: readonly WeightedField[]): WeightedType[] {
  const named = new Set(list.map(({ path }) => path).filter((path) => !path.includes('*')));
  const fields: WeightedType[] = [];
  for (const { path, boost: weight } of expandFields(planner, list)) {
    const field = planner.field(path);
    if (field === undefined) continue;
    if (field.kind === 'text') {
      checkSearchable(planner, field);
      fields.push({ field, weight });
    } else if (named.has(path)) {
      throw illegalArgument(
        `Field [${path}] of type [${typeName(field)}] does not support [${KIND}] queries; only [text] fields do`,
      );
    }
  }
  if (planner.similarity().kind !== 'BM25')
    throw illegalArgument(`[${KIND}] queries can only be used with the [BM25] similarity`);
  const [first] = fields;
  for (const { field } of fields) {
    if (
      analyzerOf(field) !== analyzerOf(first!.field) &&
      analyzerOf(field)?.name !== analyzerOf(first!.field)?.name
    )
      throw illegalArgument(`All fields in [${KIND}] query must have the same search analyzer`);
    if (field.spec.norms !== first!.field.spec.norms)
      throw illegalArgument(
        `[${KIND}] requires norms to be consistent across fields: some fields cannot have norms enabled, while others have norms disabled`,
      );
  }
  return fields;
}

/** Terms of one place, with the statistics of all fields together. */
function combinedTerm(
  planner: Planner,
  fields: readonly CombinedField[],
  terms: readonly Uint8Array[],
  boost: number,
): PlanNode {
  let docFreq = 0;
  let docCount = 0;
  let length = 0;
  for (const { path, weight } of fields) {
    const stats = planner.stats.field(path);
    docCount = Math.max(docCount, stats.docCount);
    length += Math.trunc(Math.fround(weight * stats.sumTotalTermFreq));
    for (const term of terms) docFreq = Math.max(docFreq, planner.stats.term(path, term).docFreq);
  }
  if (docFreq === 0 && !planner.keepsAbsent) return NONE;
  const similarity = planner.similarity();
  const weight = planner.scores ? planner.weight(boost, idf(docFreq, docCount), similarity) : 0;
  const inverses = normInverses(averageLength(length, docCount), similarity);
  return new CombinedTermNode(fields, terms, weight, inverses);
}
