// more_like_this: documents with the words that are characteristic of some texts or documents. The words are chosen
// by tf-idf for each field (Lucene's MoreLikeThis), and then searched for as clauses of a boolean query.

import type { Analyzer } from '../../../analysis/analyzer.ts';
import { type EngineError, illegalArgument } from '../../../errors.ts';
import { plainText } from '../../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { FieldType } from '../../../mapping/types/type.ts';
import { parsingError } from '../../errors.ts';
import { sourceTexts } from '../../field/source-texts.ts';
import { minimumShouldMatch } from '../../minimum-should-match.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import type { PlanNode } from '../../node/node.ts';
import {
  isObject,
  objectBody,
  readBooleanParameter,
  readInteger,
  readNumber,
  readParameters,
  readText,
} from '../../parameters.ts';
import type { Planner } from '../../plan/planner.ts';
import type { Query } from '../../query.ts';
import type { Steps } from '../../steps.ts';
import type { QueryKind } from '../kind.ts';

/** A text, or a document. */
type Item = string | JsonObject;

interface MoreLikeThisQuery extends Query {
  readonly kind: 'more_like_this';
  /** Undefined for all texts and keywords. */
  readonly fields: readonly string[] | undefined;
  readonly like: readonly Item[];
  readonly unlike: readonly Item[];
  readonly maxQueryTerms: number;
  readonly minTermFreq: number;
  readonly minDocFreq: number;
  readonly maxDocFreq: number;
  readonly minWordLength: number;
  readonly maxWordLength: number;
  readonly stopWords: ReadonlySet<string>;
  readonly analyzer: string | undefined;
  readonly minimum: string;
  readonly boostTerms: number;
  readonly failsOnOthers: boolean;
  /** Tells its lookups from those of other queries. */
  readonly number: number;
}

const KIND = 'mlt';
const MAX_ITEMS = 1_000;
const MAX_WORDS = 1_000;
let queries = 0;
/** Words counted or looked up between two yields. */
const WORDS_AT_ONCE = 1_024;

/** Reads `like` or `unlike`: one item, or a list. Documents are given by their sources. */
function readItems(value: JsonValue): Item[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_ITEMS) throw parsingError(`more_like_this has more than ${MAX_ITEMS} items`);
  return list.map((each) => {
    if (typeof each === 'string') return each;
    const doc = isObject(each) ? each['doc'] : undefined;
    if (isObject(doc)) return doc;
    throw parsingError("content of 'like' parameter should either be a string or an object");
  });
}

function textsOf(value: JsonValue, parameter: string): string[] {
  if (!Array.isArray(value)) throw parsingError(`[${KIND}] query does not support [${parameter}]`);
  return value.map((each) => plainText(each));
}

export const moreLikeThis: QueryKind<MoreLikeThisQuery> = {
  name: 'more_like_this',
  aliases: ['mlt'],
  parse(json) {
    const body = objectBody('more_like_this', json);
    let fields: string[] | undefined;
    const options = {
      like: [] as Item[],
      unlike: [] as Item[],
      maxQueryTerms: 25,
      minTermFreq: 2,
      minDocFreq: 5,
      maxDocFreq: Number.POSITIVE_INFINITY,
      minWordLength: 0,
      maxWordLength: 0,
      stopWords: new Set<string>() as ReadonlySet<string>,
      analyzer: undefined as string | undefined,
      minimum: '30%',
      boostTerms: 0,
      failsOnOthers: true,
    };
    const common = readParameters(
      KIND,
      body,
      {
        fields: (v) => (fields = textsOf(v, 'fields')),
        like: (v) => (options.like = readItems(v)),
        unlike: (v) => (options.unlike = readItems(v)),
        max_query_terms: (v) => (options.maxQueryTerms = readInteger(v, KIND, 'max_query_terms')),
        min_term_freq: (v) => (options.minTermFreq = readInteger(v, KIND, 'min_term_freq')),
        min_doc_freq: (v) => (options.minDocFreq = readInteger(v, KIND, 'min_doc_freq')),
        max_doc_freq: (v) => (options.maxDocFreq = readInteger(v, KIND, 'max_doc_freq')),
        min_word_length: (v) => (options.minWordLength = readInteger(v, KIND, 'min_word_length')),
        max_word_length: (v) => (options.maxWordLength = readInteger(v, KIND, 'max_word_length')),
        stop_words: (v) => (options.stopWords = new Set(textsOf(v, 'stop_words'))),
        analyzer: (v) => (options.analyzer = readText(v, KIND, 'analyzer')),
        minimum_should_match: (v) => (options.minimum = readText(v, KIND, 'minimum_should_match')),
        boost_terms: (v) => (options.boostTerms = Math.fround(readNumber(v, KIND, 'boost_terms'))),
        include: (v) => void readBooleanParameter(v, KIND, 'include'),
        fail_on_unsupported_field: (v) =>
          (options.failsOnOthers = readBooleanParameter(v, KIND, 'fail_on_unsupported_field')),
      },
      (parameter) => parsingError(`[${KIND}] query does not support [${parameter}]`),
    );
    if (options.like.length === 0) throw parsingError("more_like_this requires 'like' to be specified");
    if (fields?.length === 0) throw parsingError("more_like_this requires 'fields' to be non-empty");
    if (options.maxQueryTerms <= 0 || options.maxQueryTerms > MAX_WORDS)
      throw parsingError(`[max_query_terms] must be between 1 and ${MAX_WORDS}`);
    return Object.freeze({ kind: 'more_like_this', fields, number: ++queries, ...options, ...common });
  },
  plan(query, planner, boost) {
    const nodes: PlanNode[] = [];
    let clauses = 0;
    const fields = fieldsOf(query, planner);
    // As in the peer a word of a text is looked for in the field that has it most often, words of documents in their own fields.
    const choices = [...new Set(fields)].map((field) => lookUpWords(query, 'object', [field], planner));
    if (fields.length > 0) choices.push(lookUpWords(query, 'string', fields, planner));
    for (const chosen of choices) {
      // As in the peer the least of them has the boost itself.
      const least = chosen.at(-1)?.worth ?? 1;
      clauses += chosen.length;
      planner.countClauses(chosen.length);
      for (const { path, bytes, worth } of chosen) {
        const own = query.boostTerms > 0 ? Math.fround(Math.fround(query.boostTerms * worth) / least) : 1;
        nodes.push(planner.term(path, bytes, Math.fround(boost * own)));
      }
    }
    if (nodes.length === 0) return NONE;
    return planner.combine({
      should: nodes,
      least: Math.max(1, minimumShouldMatch(clauses, query.minimum)),
    });
  },
};

/** The fields that are searched. Throws for one whose values are no words. */
function fieldsOf({ fields, failsOnOthers }: MoreLikeThisQuery, planner: Planner): FieldType[] {
  const { mapping } = planner.view;
  const isWords = ({ kind, searchable }: FieldType): boolean =>
    searchable && (kind === 'text' || kind === 'match_only_text' || kind === 'keyword');
  if (fields === undefined) return [...mapping.fields()].filter(isWords);
  return fields.flatMap((name) => {
    const field = mapping.field(name);
    if (field === undefined) return [];
    if (isWords(field)) return [field];
    if (!failsOnOthers) return [];
    throw unsupportedField(name);
  });
}

function unsupportedField(name: string): EngineError {
  return illegalArgument(`more_like_this only supports text/keyword fields: [${name}]`);
}

interface ChosenWord {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly worth: number;
}

const encoder = new TextEncoder();

/** The most characteristic words of the texts or the documents of a query; none while they are looked up. */
function lookUpWords(
  query: MoreLikeThisQuery,
  type: 'string' | 'object',
  fields: readonly FieldType[],
  planner: Planner,
): readonly ChosenWord[] {
  const like = query.like.filter((item) => typeof item === type);
  if (like.length === 0) return [];
  const key = `${KIND} ${query.number} ${type} ${fields[0]!.path}`;
  return planner.lookups.ask(key, () => chooseWords({ ...query, like }, fields, planner)) ?? [];
}

/** The most characteristic words as the first of the fields reads them, each in the field that has it most often; best first. */
function* chooseWords(
  query: MoreLikeThisQuery,
  fields: readonly FieldType[],
  planner: Planner,
): Steps<ChosenWord[]> {
  const field = fields[0]!;
  const { minTermFreq, minDocFreq, maxDocFreq, maxQueryTerms } = query;
  const counts = yield* countWords(query.like, query, field, planner);
  const unwanted = yield* countWords(query.unlike, query, field, planner);
  const docs = planner.view.leaves.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const chosen: ChosenWord[] = [];
  let looked = 0;
  for (const [word, count] of counts) {
    if (++looked % WORDS_AT_ONCE === 0) yield;
    if (count < minTermFreq || unwanted.has(word)) continue;
    const bytes = encoder.encode(word);
    let docFreq = 0;
    let { path } = field;
    for (const each of fields) {
      const own = planner.stats.term(each.path, bytes).docFreq;
      if (own <= docFreq) continue;
      docFreq = own;
      path = each.path;
    }
    if (docFreq === 0 || docFreq < minDocFreq || docFreq > maxDocFreq) continue;
    const idf = Math.fround(Math.log((docs + 1) / (docFreq + 1)) + 1);
    chosen.push({ path, bytes, worth: Math.fround(count * idf) });
  }
  return chosen.sort((a, b) => b.worth - a.worth).slice(0, maxQueryTerms);
}

function* countWords(
  items: readonly Item[],
  { analyzer: named, minWordLength, maxWordLength, stopWords }: MoreLikeThisQuery,
  field: FieldType,
  planner: Planner,
): Steps<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (word: string): void => {
    const { length } = [...word];
    if (length < minWordLength || (maxWordLength > 0 && length > maxWordLength) || stopWords.has(word))
      return;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  const analyzer = named === undefined ? field.analyzer : planner.view.analyzer(named);
  if (named !== undefined && analyzer === undefined)
    throw illegalArgument(`[mlt] analyzer [${named}] not found`);
  for (const item of items) {
    const texts =
      typeof item === 'string'
        ? [item]
        : sourceTexts(item, field.path, (path) => planner.field(path) !== undefined);
    for (const text of texts) yield* addWords(text, field, analyzer, add);
    yield;
  }
  return counts;
}

function* addWords(
  text: string,
  { bytes }: FieldType,
  analyzer: Analyzer | undefined,
  add: (word: string) => void,
): Steps<void> {
  if (analyzer === undefined) {
    add(bytes === undefined ? text : bytes.decode(bytes.encode(text)));
    return;
  }
  const tokens = yield* analyzer.analyzeSteps(text);
  yield;
  for (let i = 0; i < tokens.length; i++) {
    if (i % WORDS_AT_ONCE === WORDS_AT_ONCE - 1) yield;
    add(tokens[i]!.term);
  }
}
