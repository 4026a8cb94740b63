// Highlights the documents of one index: for each field that a search asks for, the parts of its values that
// the query has found. Works on sources alone, so it costs what the shown documents are long.
//
//   source -> values of the field -> tokens -> matches of the query -> passages (unified) or fragments (plain)

import type { HighlightField, SearchRequest } from '../api.ts';
import { illegalArgument } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { FieldType } from '../mapping/types/type.ts';
import { parseQuery } from '../query/parse.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { PlanContext } from '../query/plan/planner.ts';
import { planInSteps } from '../query/plan-query.ts';
import type { Steps } from '../query/steps.ts';
import { analyzeValue, type FieldValue, isHighlightable, textsOf } from './field-text.ts';
import { plainFragments } from './fragments.ts';
import { unifiedPassages } from './passages.ts';
import { QueryTerms } from './token-matches.ts';

/** The highlights of a document: fragments by the name of their field, as the search has it. */
export type Highlights = ReadonlyMap<string, readonly string[]>;

interface PlannedField {
  /** As the search names it. */
  readonly name: string;
  readonly field: FieldType;
  readonly options: HighlightField;
  readonly terms: QueryTerms;
  /** The fields whose terms count; undefined for all. */
  readonly paths: ReadonlySet<string> | undefined;
}

/** The highlighter of one index. */
export class Highlighter {
  readonly #view: IndexView;
  readonly #fields: readonly PlannedField[];

  private constructor(view: IndexView, fields: readonly PlannedField[]) {
    this.#view = view;
    this.#fields = fields;
  }

  /** Plans the queries of a search against an index. Throws their errors. */
  static *plan(
    view: IndexView,
    fields: readonly HighlightField[],
    request: Pick<SearchRequest, 'query'>,
    context: PlanContext,
  ): Steps<Highlighter> {
    const byQuery = new Map<JsonObject | undefined, QueryTerms>();
    const planned = new Map<string, PlannedField>();
    for (const options of fields) {
      const json = options.query ?? request.query;
      let terms = byQuery.get(json);
      if (terms === undefined) {
        const query = parseQuery(json ?? { match_all: {} }, context.limits);
        terms = new QueryTerms(yield* planInSteps(query, view, { ...context, isPlain: true }));
        byQuery.set(json, terms);
      }
      for (const name of namesOf(view, options.field)) {
        const field = view.mapping.field(name);
        if (field === undefined || !isHighlightable(field) || !isShown(view, field)) continue;
        // The last pattern that matches a field has its options.
        planned.set(name, { name, field, options, terms, paths: pathsOf(view, field, options) });
      }
    }
    return new Highlighter(view, [...planned.values()]);
  }

  /**
   * The highlights of a document. Yields between fields, between the values of one, and within long values. Throws
   * `illegal_argument_exception` for a text beyond the limit of its index.
   */
  *highlight(id: string, source: Uint8Array): Steps<Highlights> {
    const out = new Map<string, readonly string[]>();
    let tree: JsonValue | undefined;
    for (const planned of this.#fields) {
      if (tree === undefined) {
        tree = parseJson(source);
        yield;
      }
      const found = yield* this.#highlightField(id, tree, planned);
      if (found.length > 0) out.set(planned.name, found);
      yield;
    }
    return out;
  }

  *#highlightField(
    id: string,
    tree: JsonValue,
    { name, field, options, terms, paths }: PlannedField,
  ): Steps<string[]> {
    const isPlain = options.type === 'plain';
    const texts = textsOf(this.#view.mapping, field, tree);
    const limit = options.maxAnalyzedOffset ?? Number.POSITIVE_INFINITY;
    if (options.maxAnalyzedOffset === undefined && (isPlain || !hasOffsets(field)))
      this.#requireShort(id, name, texts);
    const values: FieldValue[] = [];
    // Fragments are cut between tokens, passages between sentences and words.
    const wanted = isPlain ? undefined : terms.onlyTerms(paths);
    for (const text of texts) {
      values.push(yield* analyzeValue(field, isPlain ? text.slice(0, limit) : text, limit, wanted));
      yield;
    }
    return isPlain
      ? yield* plainFragments(values, terms, paths, options)
      : yield* unifiedPassages(values, terms, paths, options, field.analyzer?.positionGap ?? 0);
  }

  #requireShort(id: string, name: string, texts: readonly string[]): void {
    const most = Number(this.#view.settings['index.highlight.max_analyzed_offset'] ?? DEFAULT_MAX_OFFSET);
    if (texts.every(({ length }) => length <= most)) return;
    throw illegalArgument(
      `The length of [${name}] field of [${id}] doc of [${this.#view.name}] index has exceeded [${most}] - maximum allowed to be analyzed for highlighting. This maximum can be set by changing the [index.highlight.max_analyzed_offset] index level setting. For large texts, indexing with offsets or term vectors is recommended!`,
    );
  }
}

const DEFAULT_MAX_OFFSET = 1_000_000;

/** The fields that a name or a pattern means. A pattern means those that have text, a name any. */
function namesOf(view: IndexView, pattern: string): readonly string[] {
  if (!pattern.includes('*')) return [pattern];
  return view.mapping
    .matching(pattern)
    .filter((name) => !DERIVED.has(view.mapping.field(name)?.params['type']));
}

/** The types of fields that are derived from texts: patterns leave them out. */
const DERIVED: ReadonlySet<unknown> = new Set(['prefix', 'phrase']);

/** The paths of the fields whose terms count: the field's own, and those of `matched_fields`. */
function pathsOf(
  { mapping }: IndexView,
  field: FieldType,
  { requireFieldMatch, matchedFields }: HighlightField,
): ReadonlySet<string> | undefined {
  if (!requireFieldMatch) return undefined;
  return new Set([field.path, ...matchedFields.map((name) => mapping.field(name)?.path ?? name)]);
}

/** Without `_source` only stored fields have values. */
function isShown({ mapping }: IndexView, { params }: FieldType): boolean {
  return mapping.sourceEnabled || params['store'] === true;
}

/** True if the mapping keeps offsets, for which the peer has no limit of length. */
function hasOffsets({ params }: FieldType): boolean {
  return params['index_options'] === 'offsets' || String(params['term_vector'] ?? '').includes('offsets');
}
