// Queries of the peers that are known here and refused, each with what to use instead.

const SHAPES = 'only points on the globe are supported; use [geo_shape] on a [geo_point]';
const JOINS = 'fields of type [join] are not supported; search both kinds of documents one after the other';
const VECTORS = 'vectors are not supported';
const MODELS = 'machine learning models are not supported';

/** The reason by name, printed after `[x] query is not supported: `. */
export const UNSUPPORTED_QUERIES: ReadonlyMap<string, string> = new Map([
  ['common', 'use [match]'],
  ['has_child', JOINS],
  ['has_parent', JOINS],
  ['hybrid', 'use [bool]'],
  ['knn', VECTORS],
  ['neural', MODELS],
  ['neural_sparse', MODELS],
  ['parent_id', JOINS],
  ['percolate', 'queries are not stored'],
  ['pinned', 'use [bool] with [ids] under a [boost]'],
  ['semantic', MODELS],
  ['shape', SHAPES],
  ['span_gap', 'it can only stand among the clauses of [span_near]'],
  ['sparse_vector', VECTORS],
  ['template', 'put the query itself in its place'],
  ['text_expansion', MODELS],
  ['weighted_tokens', VECTORS],
  ['xy_shape', SHAPES],
]);
