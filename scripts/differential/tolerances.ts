// The one table of what may differ between two replies that count as the same.

import type { Step } from './case.ts';
import { isTree, type Json, NumberText } from './reply.ts';

/** Each tolerance in words, for the report and the documentation. */
export const TOLERANCES: readonly { readonly what: string; readonly why: string }[] = [
  {
    what: 'members that are not compared: took, _scroll_id, pit_id, creation_time, node, _node, index_uuid, shard',
    why: 'times and random names',
  },
  { what: '_shards, _seq_no and _primary_term', why: 'counts of shards and of earlier writes' },
  {
    what: 'terminated_early where no terminate_after was sent',
    why: 'it tells that the peer skipped documents, which changes no result',
  },
  {
    what: 'the additional value in `sort` on a point in time',
    why: 'Octavo adds the implicit _shard_doc, as versions after 3.1 do (reference/wire.md)',
  },
  {
    what: 'numbers that are equal to nine digits, scores to six',
    why: 'sums of floats depend on the order of adding',
  },
  {
    what: 'the order of hits that tie in a sort by fields, and which of them a full page or a collapsed group has',
    why: 'the peer promises no order there',
  },
  { what: 'the order of matched_queries, and of the fields of matrix_stats', why: 'they are sets' },
  {
    what: 'the order of the parts of a dis_max, and of queries over several fields, in explanations',
    why: 'the peer keeps them in a hash map, whose order changes when it is started again',
  },
  {
    what: 'totals that the peer counts otherwise with a `min_score` of 0, as it must look at the documents then',
    why: 'without one it counts exists on texts by their words (reference/wire.md)',
  },
  {
    what: 'percentiles and percentile ranks that are equal to 20 % or to 1',
    why: 'the peer estimates them, roughly where there are some eighty values or more (ours are exact: percentiles.property.test.ts)',
  },
  {
    what: 'the order of significant terms with one score, and which of them a full list shows',
    why: 'the peer promises no order there',
  },
  {
    what: 'significant terms by gnd that all score 1/e, and that only one of the lists has',
    why: 'where all documents are in the bucket, every term has this score, and some fill the list of the shard by chance',
  },
  { what: 'ids that both servers make themselves', why: 'they are random' },
  {
    what: 'any reply where the peer fails with an exception of Java (null pointer, class cast, index out of bounds, unsupported operation)',
    why: 'a fault of the peer',
  },
  {
    what: "any reply where the peer cannot get the text of a token (`Can't get text on a VALUE_NULL`)",
    why: 'its parser did not expect the type of the value, and the peer answers 500',
  },
  {
    what: 'any reply where the peer has no memory for the request (circuit_breaking_exception)',
    why: 'it depends on its heap',
  },
  {
    what: 'any reply to a request that the peer does not answer within 30 seconds',
    why: 'its search goes on without end',
  },
  {
    what: 'an empty meta of an aggregation where the request has none',
    why: 'the peer adds it to aggregations around a filter that it has simplified',
  },
  {
    what: 'aggregations below an adjacency_matrix that is itself below buckets',
    why: 'the peer returns values of another bucket',
  },
  {
    what: 'below an auto_date_histogram: a second one, histograms with an order, terms with min_doc_count, top_hits, matrix_stats, significant_terms, and doc_count_error_upper_bound',
    why: 'the peer reduces what lies below twice or more: empty buckets are there twice, an order or the first hits are lost, a variance is divided twice, and bg_count is added up again',
  },
  {
    what: 'highlights of a search with more_like_this',
    why: 'the peer shows none, but with its plain highlighter and a min_doc_freq of 1',
  },
  {
    what: 'highlights of a search with function_score and a phrase',
    why: 'the unified highlighter of the peer marks the words of a phrase within function_score wherever they are, the plain one only where the phrase is',
  },
  {
    what: 'the options of a fuzzy completion where ours fill its size and the peer shows fewer',
    why: 'the peer drops some of several documents with one text: of 111 options it shows 9 for a size of 10',
  },
  {
    what: 'doc_count_error_upper_bound of terms of two indices, and sum_other_doc_count with a min_doc_count',
    why: 'the peer counts the first terms of each shard and estimates the error; ours counts all',
  },
  {
    what: 'key_as_string and value_as_string of two indices',
    why: 'each bucket of the peer has the format of an index that has it; all of ours have that of the first',
  },
  {
    what: 'any reply of two indices of which one has failed by a fault of the peer',
    why: 'its documents are missing',
  },
  {
    what: 'a max_score of 0 on an empty page of two indices, where ours is null',
    why: 'the peer prints 0 where each index fails or is skipped',
  },
  {
    what: 'hits without a value of the date that they are sorted by, where the peer shows only those with one',
    why: 'without a query that selects documents it loses hits that its total counts',
  },
  {
    what: 'our error for a collapse field with several values where the peer answers',
    why: 'the peer looks at the values of documents only while they may come onto the page',
  },
  {
    what: 'our error for objects and lists among the values of terms',
    why: 'the peer takes each token inside them for a value',
  },
];

const NOT_COMPARED: ReadonlySet<string> = new Set(
  'took _scroll_id pit_id creation_time node _node index_uuid shard _shards _seq_no _primary_term'.split(' '),
);

const FAULTS: ReadonlySet<string> = new Set([
  'circuit_breaking_exception',
  ...['null_pointer_exception', 'class_cast_exception', 'array_index_out_of_bounds_exception'],
  ...['index_out_of_bounds_exception', 'string_index_out_of_bounds_exception', 'arithmetic_exception'],
  ...['negative_array_size_exception', 'no_such_element_exception', 'unsupported_operation_exception'],
]);

/** The reasons of errors that are faults of the peer, whatever their type. */
const FAULTY_REASONS = /^Can't get text on a [A-Z_]+ at \d+:\d+/;

export function isCompared(name: string, step: Step): boolean {
  if (/^(doc_count_error_upper_bound|key_as_string|value_as_string)$/.test(name))
    return !step.path.includes('$neighbor');
  if (name === 'sum_other_doc_count')
    return !(step.path.includes('$neighbor') && textOf(step).includes('"min_doc_count"'));
  if (name === 'terminated_early') return JSON.stringify(step).includes('terminate_after');
  return !NOT_COMPARED.has(name);
}

/** True for a list whose order says nothing. */
export function isSet(name: string, list: readonly Json[]): boolean {
  if (name === 'matched_queries') return true;
  return name === 'fields' && list.every((each) => isTree(each) && 'skewness' in each);
}

/** True for the explanation of a query whose parts the peer shows in the order of their hashes. */
export function isOfDisjuncts({ description }: { readonly [name: string]: Json }, step: Step): boolean {
  if (typeof description !== 'string' || !/^(max|sum) (of:|plus)/.test(description)) return false;
  return /"(dis_max|multi_match|query_string|simple_query_string)"/.test(textOf(step));
}

/** The parts of an explanation by what they say, for those that have no order. */
export function sortedParts(parts: readonly Json[]): Json[] {
  const keyOf = (part: Json): string =>
    isTree(part)
      ? `${String(part['description'])} ${Number(JSON.stringify(part['value'])).toPrecision(6)}`
      : '';
  return [...parts].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** True for the best score of an empty page for which the peer has asked no index. */
export function isScoreOfNone(path: string, peer: Json, ours: Json, step: Step): boolean {
  const isZero = peer instanceof NumberText && Number(peer.text) === 0;
  return path === 'hits.max_score' && isZero && ours === null && step.path.includes('$neighbor');
}

/** Our `sort` of a hit without the value that only we add. */
export function withoutShardDoc(sort: readonly Json[], peer: readonly Json[], step: Step): readonly Json[] {
  const onPit = typeof step.body === 'object' && step.body !== null && 'pit' in step.body;
  return onPit && sort.length === peer.length + 1 ? sort.slice(0, -1) : sort;
}

/** True for an error of the peer that is a fault of its own. */
export function isFault(error: Json | undefined): boolean {
  if (!isTree(error)) return false;
  const causes: Json[] = [
    error,
    ...(Array.isArray(error['root_cause']) ? error['root_cause'] : []),
    error['caused_by'] ?? null,
  ];
  return causes.some(
    (cause) =>
      isTree(cause) && (FAULTS.has(String(cause['type'])) || FAULTY_REASONS.test(String(cause['reason']))),
  );
}

/** True for a reply without the documents of an index that has failed by a fault of the peer. */
export function lacksFailedIndex(reply: Json): boolean {
  const shards = isTree(reply) ? reply['_shards'] : undefined;
  const failures = isTree(shards) ? shards['failures'] : undefined;
  return (
    Array.isArray(failures) &&
    failures.some((each) => isTree(each as Json) && isFault((each as { reason: Json }).reason))
  );
}

/** True for an error of ours that a reader of the peer's reply does not see, on purpose. */
export function isStricter(error: Json | undefined): boolean {
  const text = JSON.stringify(error ?? null);
  return /the collapse field must be single valued|\[terms\] unknown token \[END_(OBJECT|ARRAY)\]/.test(text);
}

/** True for a member of the peer's reply that says nothing. */
export function isEmptyMeta(path: string, value: Json | undefined): boolean {
  return /(^|\.)meta$/.test(path) && isTree(value) && Object.keys(value).length === 0;
}

const texts = new WeakMap<Step, string>();

/** The body of a step as text, made once: each member of a reply asks for it. */
function textOf(step: Step): string {
  let text = texts.get(step);
  if (text === undefined) texts.set(step, (text = JSON.stringify(step.body ?? null)));
  return text;
}

/** True for results that the peer takes from another bucket: below the buckets of an adjacency_matrix that lies in a bucket. */
export function isOfOtherBucket(path: string, step: Step): boolean {
  const names = [...textOf(step).matchAll(/"(\w+)":\{"adjacency_matrix"/g)].map(([, name]) => name);
  return names.some((name) =>
    new RegExp(`buckets\\.[^.]+\\.(.*\\.)?([^.]*#)?${name}\\.buckets\\.[^.]+\\.(?!key|doc_count)`).test(path),
  );
}

type Aggregations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Patterns of the paths of what lies below an auto_date_histogram and is changed where the peer reduces it again. */
function* changedBelow(aggregations: Aggregations, outer: string, isBelow: boolean): Generator<RegExp> {
  for (const [name, body] of Object.entries(aggregations)) {
    const own = `${outer}([^.]*#)?${name}\\.`;
    const isAuto = 'auto_date_histogram' in body;
    if (isBelow && (isAuto || changesAgain(body))) yield new RegExp(`^${own}`);
    if (isBelow) yield new RegExp(`^${own}doc_count_error_upper_bound$`);
    const below = (body['aggs'] ?? body['aggregations'] ?? {}) as Aggregations;
    yield* changedBelow(below, `${own}(buckets\\.[^.]+\\.)?`, isBelow || isAuto);
  }
}

/** Whether a result is not the same if it is reduced once more, as the peer does. */
function changesAgain(body: Readonly<Record<string, unknown>>): boolean {
  const options = (name: string): Readonly<Record<string, unknown>> =>
    (body[name] ?? {}) as Readonly<Record<string, unknown>>;
  return (
    options('histogram')['order'] !== undefined ||
    options('date_histogram')['order'] !== undefined ||
    Number(options('terms')['min_doc_count'] ?? 1) > 1 ||
    ['top_hits', 'matrix_stats', 'significant_terms'].some((kind) => kind in body)
  );
}

/** True for highlights of a query that the peer's highlighters do not know, or know only in part. */
export function isOfUnknownQuery(path: string, step: Step): boolean {
  if (!/\.highlight(\.|$)/.test(path)) return false;
  const text = textOf(step);
  return text.includes('"more_like_this"') || (text.includes('"function_score"') && /phrase|\\"/.test(text));
}

/** True for options of a completion of which the peer has dropped some. */
export function areDroppedOptions(path: string, peer: number, ours: number, { body }: Step): boolean {
  const name = /^suggest\.([^.]+)\.0\.options$/.exec(path)?.[1]?.replace(/^completion#/, '');
  if (name === undefined) return false;
  const { suggest } = body as { suggest: Readonly<Record<string, { completion?: Record<string, unknown> }>> };
  const completion = suggest[name]?.completion;
  return completion?.['fuzzy'] !== undefined && peer < ours && ours === (completion['size'] ?? 5);
}

/** True for results that the peer reduces twice, the second time from what the first has left: below an auto_date_histogram. */
export function isReducedTwice(path: string, step: Step): boolean {
  if (!textOf(step).includes('"auto_date_histogram"')) return false;
  const { aggs, aggregations } = step.body as { aggs?: Aggregations; aggregations?: Aggregations };
  const patterns = changedBelow(aggs ?? aggregations ?? {}, 'aggregations\\.', false);
  return patterns.some((pattern) => pattern.test(path));
}

const LONGEST = ['9223372036854775807', '-9223372036854775808'];

/** True if the peer shows the first of our hits only, and the others have no value of the date that sorts them. */
export function areLostHits(path: string, peer: readonly Json[], ours: readonly Json[]): boolean {
  const others = ours.slice(peer.length);
  const isWithoutDate = (hit: Json): boolean => {
    const first = isTree(hit) && Array.isArray(hit['sort']) ? (hit['sort'][0] as Json) : null;
    return first instanceof NumberText && LONGEST.includes(first.text);
  };
  return /^hits\.hits$/.test(path) && others.length > 0 && others.every(isWithoutDate);
}

const ESTIMATE = /(^|\.)values\.(\d+\.value|-?[\d.]+(E-?\d+)?)(_as_string)?$/;

/** True for values of aggregations that the peer estimates. */
export function isEstimate(path: string, { body }: Step): boolean {
  return ESTIMATE.test(path) && /"percentile(s|_ranks)"/.test(JSON.stringify(body));
}

export function isSameEstimate(peer: NumberText, ours: NumberText): boolean {
  const [x, y] = [Number(peer.text), Number(ours.text)];
  return Math.abs(x - y) <= Math.max(1, 0.2 * Math.max(Math.abs(x), Math.abs(y)));
}

/** True for two ids that the servers have made. */
export function areMadeIds(name: string, peer: Json, ours: Json): boolean {
  return name === '_id' && [peer, ours].every((id) => typeof id === 'string' && /^[\w-]{20}$/.test(id));
}

const TOTAL = /(^|\.)(hits\.total(\.value)?|count)$/;

/** True for the total of a search, at this path. */
export function isTotal(path: string): boolean {
  return TOTAL.test(path);
}

/** A search that has to look at each document to count it: with the least score that there is, and without a sort. */
export function countingAll(step: Step): Step {
  const { path, body, lines } = step;
  if (!/\/(_search|_count|_msearch)(\?|$)/.test(path)) return step;
  const counting = (line: unknown): object => {
    const { sort: _, search_after: __, ...rest } = (line ?? {}) as Record<string, unknown>;
    return { ...rest, min_score: 0 };
  };
  if (lines === undefined) return { ...step, body: counting(body) };
  return { ...step, lines: lines.map((line, n) => (n % 2 === 1 ? counting(line) : line)) };
}

/** True if two numbers are the same but for rounding. `name` is that of the member. */
export function isSameNumber(name: string, a: NumberText, b: NumberText): boolean {
  if (a.text === b.text) return true;
  const [x, y] = [Number(a.text), Number(b.text)];
  const digits = /score$|^sort$/.test(name) ? 1e-6 : 1e-9;
  return Math.abs(x - y) <= digits * Math.max(Math.abs(x), Math.abs(y)) || Math.abs(x - y) < 1e-12;
}

/**
 * The hits of a page, comparable where documents tie: each group of ties by id, and without what tells the documents of the
 * first and the last group apart, because a page may have cut them. Collapsed hits stand for others with which they may tie.
 */
export function withoutOrderOfTies(hits: readonly Json[], { body }: Step): Json[] {
  const keyOf = (hit: Json): string => JSON.stringify(placeOf(hit));
  const isCollapsed = typeof body === 'object' && body !== null && 'collapse' in body;
  const groups: Json[][] = [];
  for (const hit of hits) {
    const last = groups.at(-1);
    if (last !== undefined && keyOf(last[0]!) === keyOf(hit)) last.push(hit);
    else groups.push([hit]);
  }
  return groups.flatMap((group, n) =>
    n === 0 || n === groups.length - 1 || isCollapsed
      ? group.map((hit) => ({ place: placeOf(hit) }))
      : group.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
  );
}

/** What a hit is sorted by: the values of the sort, or its score to six digits. */
function placeOf(hit: Json): Json {
  if (!isTree(hit)) return null;
  const score = hit['_score'];
  return hit['sort'] ?? (score instanceof NumberText ? Number(score.text).toPrecision(6) : null);
}

/** Whether a list has significant terms. */
export function isSignificant(list: readonly Json[]): boolean {
  return list.length > 0 && list.every((each) => isTree(each) && 'bg_count' in each && 'score' in each);
}

/** Whether all terms of a list have the score that gnd gives to each where all documents are in the bucket. */
export function isOfEqualTerms(list: readonly Json[], step: Step): boolean {
  const scores = list.map((each) => (isTree(each) ? each['score'] : null));
  const isTie = (score: Json | undefined): boolean =>
    score instanceof NumberText && Math.abs(Number(score.text) - Math.exp(-1)) < 1e-12;
  return textOf(step).includes('"gnd"') && scores.length > 0 && scores.every(isTie);
}

/** Significant terms, comparable where their scores tie: each group of ties by key, the last one by scores only. */
export function withoutOrderOfScores(buckets: readonly Json[]): Json[] {
  const scoreOf = (bucket: Json): string =>
    isTree(bucket) ? Number(JSON.stringify(bucket['score'])).toPrecision(9) : '';
  const groups = [...Map.groupBy(buckets, scoreOf)];
  const keyOf = (bucket: Json): string => JSON.stringify(isTree(bucket) ? bucket['key'] : null);
  return groups.flatMap(([score, group], n) =>
    n === groups.length - 1
      ? group.map(() => ({ score }))
      : group.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  );
}

function idOf(hit: Json): string {
  return isTree(hit) ? `${String(hit['_index'])} ${String(hit['_id'])}` : '';
}

/** True if a search says in which order all its hits are: by score, or by a sort that ends in a unique field. */
export function isTotalOrder(step: Step, path: string): boolean {
  const isOfPage = /^(responses\.\d+\.)?hits\.hits$/.test(path);
  // Both indices have the numbers that are unique in one.
  if (step.path.includes('$neighbor')) return false;
  if (!isOfPage) return true;
  // Of several searches, that of the reply.
  const at = /^responses\.(\d+)\./.exec(path)?.[1];
  const body = at === undefined ? step.body : step.lines?.[Number(at) * 2 + 1];
  const sort = (body as { sort?: unknown } | null | undefined)?.sort;
  if (sort === undefined || step.path.includes('sort=')) return true;
  const last: unknown = Array.isArray(sort) ? sort.at(-1) : sort;
  return last === 'seq' || (typeof last === 'object' && last !== null && 'seq' in last);
}
