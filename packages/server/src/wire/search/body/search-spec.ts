// A search as it is read from body and parameters. Contradictions are refused while it is read, except those
// that depend on the fields of an index.

import type { HighlightField, JsonObject, JsonValue, Rescore, ScriptField } from '@octavo/engine';
import type { Call } from '../../router/route.ts';
import type { SourceFilter } from '../../source/source-filter.ts';

/** The names of tokens, in a body and as parameters: each has two spellings. */
export const TOKEN_NAMES = ['next_token', 'nextToken', 'prev_token', 'prevToken'] as const;

/** One entry of `docvalue_fields` or `fields`. */
export interface FieldRequest {
  readonly field: string;
  readonly format: string | undefined;
}

/** A point in time to search. */
export interface PitSpec {
  readonly id: string;
  readonly keepAliveMs: number | undefined;
}

/** One of the `inner_hits` of a collapse. */
export interface InnerSpec {
  readonly name: string | undefined;
  readonly spec: SearchSpec;
}

/** One search. Members that were not given are undefined. */
export interface SearchSpec {
  query: JsonObject | undefined;
  postFilter: JsonObject | undefined;
  from: number | undefined;
  size: number | undefined;
  sort: JsonValue | undefined;
  searchAfter: JsonValue[] | undefined;
  trackScores: boolean;
  trackTotalHits: boolean | number | undefined;
  minScore: number | undefined;
  terminateAfter: number | undefined;
  timeoutMs: number | undefined;
  source: SourceFilter | undefined;
  version: boolean;
  seqNoPrimaryTerm: boolean;
  explain: boolean;
  /** Shows the scores of named queries. */
  namedScores: boolean;
  storedFields: readonly string[] | undefined;
  docvalueFields: readonly FieldRequest[];
  fields: readonly FieldRequest[];
  collapse: JsonObject | undefined;
  highlight: readonly HighlightField[] | undefined;
  scriptFields: readonly ScriptField[];
  rescore: readonly Rescore[];
  aggregations: JsonObject | undefined;
  suggest: JsonObject | undefined;
  profile: boolean;
  /** Puts the types of aggregations before their names. */
  typedKeys: boolean;
  /** Searches within the groups of `collapse`. */
  innerHits: readonly InnerSpec[];
  indicesBoost: readonly (readonly [string, number])[];
  pit: PitSpec | undefined;
  /** A part of a scroll or of a point in time. */
  slice: SliceSpec | undefined;
  /** Octavo's own: page number from 1. */
  page: number | undefined;
  /** Octavo's own: return next and prev tokens. */
  tokens: boolean;
  nextToken: string | undefined;
  prevToken: string | undefined;
  /** Octavo's own: the commit to search. */
  asOf: number | undefined;
  totalAsInt: boolean;
  /** Names of `indices_boost` that do not exist are skipped. */
  ignoreUnavailable: boolean;
}

/** A search without any member. */
export function emptySpec(): SearchSpec {
  return {
    query: undefined,
    postFilter: undefined,
    from: undefined,
    size: undefined,
    sort: undefined,
    searchAfter: undefined,
    trackScores: false,
    trackTotalHits: undefined,
    minScore: undefined,
    terminateAfter: undefined,
    timeoutMs: undefined,
    source: undefined,
    version: false,
    seqNoPrimaryTerm: false,
    explain: false,
    namedScores: false,
    storedFields: undefined,
    docvalueFields: [],
    fields: [],
    collapse: undefined,
    highlight: undefined,
    scriptFields: [],
    rescore: [],
    aggregations: undefined,
    suggest: undefined,
    profile: false,
    typedKeys: false,
    innerHits: [],
    indicesBoost: [],
    pit: undefined,
    slice: undefined,
    page: undefined,
    tokens: false,
    nextToken: undefined,
    prevToken: undefined,
    asOf: undefined,
    totalAsInt: false,
    ignoreUnavailable: false,
  };
}

/** A slice as the body has it. */
export interface SliceSpec {
  readonly id: number;
  readonly max: number;
  readonly field: string | undefined;
}

/** The part of a call that a search uses. An item of `_msearch` has it, too. */
export type SearchCall = Pick<Call, 'path' | 'params' | 'hasHungUp' | 'object' | 'body' | 'queryString'> &
  Partial<Pick<Call, 'method' | 'uri' | 'headers'>>;
