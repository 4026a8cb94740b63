// What all suggesters share: the parts of a request, and of a reply.

import type { Hit, SuggestEntry } from '../api.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import type { QueryLimits } from '../query/limits.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { Steps } from '../query/steps.ts';
import type { LeafView } from '../segment/leaf.ts';

/** One suggestion that a request asks for. */
export interface SuggestionSpec {
  readonly name: string;
  readonly text: string | undefined;
  readonly prefix: string | undefined;
  readonly regex: string | undefined;
  readonly kind: SuggesterKind;
  /** What the kind has read. */
  readonly options: unknown;
}

/** What a suggester may use of the search. */
export interface SuggestContext {
  readonly views: readonly IndexView[];
  readonly limits: QueryLimits;
  /** Whether a document may be shown: by its bit in the bitmap of a chunk. Undefined where all may. */
  visible(view: LeafView, indexPlace: number): Steps<(chunk: number) => Uint32Array | undefined>;
  hit(view: LeafView, indexPlace: number, doc: number, score: number): Hit;
}

/** A kind of suggester. */
export interface SuggesterKind<O = unknown> {
  readonly name: 'completion' | 'term' | 'phrase';
  /** Reads the body. */
  parse(body: JsonObject): O;
  suggest(spec: SuggestionSpec, options: O, context: SuggestContext): Steps<readonly SuggestEntry[]>;
}

/** The text that a suggestion is for. */
export function suggestedText({ text, prefix, regex }: SuggestionSpec): string {
  const found = prefix ?? regex ?? text;
  if (found !== undefined) return found;
  throw illegalArgument('The required text option is missing');
}

/** Reads the members of a body, each by its reader. A member without one is an error. */
export function readOptions(
  parser: string,
  body: JsonObject,
  readers: Readonly<Record<string, (value: JsonValue, name: string) => void>>,
): void {
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(readers, name)) {
      const error = new EngineError(
        'parsing_exception',
        `suggester[${parser}] doesn't support field [${name}]`,
      );
      throw attachPlace(error, { holder: body, key: name, at: 'value' });
    }
    try {
      readers[name]!(value, name);
    } catch (error) {
      throw error instanceof EngineError && error.type === 'x_content_parse_exception'
        ? attachPlace(error, { holder: body, key: name, at: 'value' })
        : error;
    }
  }
}

/** The field of a suggester, which it needs. */
export function requireField(field: string | undefined): string {
  if (field !== undefined && field !== '') return field;
  throw new EngineError('parse_exception', 'the required field option [field] is missing');
}
