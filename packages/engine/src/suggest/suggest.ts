// The `suggest` member of a search: its suggestions, each by its suggester.

import type { SuggestResults } from '../api.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import { isObject, jsonToken } from '../query/parameters.ts';
import type { Steps } from '../query/steps.ts';
import { COMPLETION } from './completion.ts';
import { PHRASE } from './phrase-suggester.ts';
import type { SuggestContext, SuggesterKind, SuggestionSpec } from './suggestion.ts';
import { TERM } from './term-suggester.ts';

const KINDS: ReadonlyMap<string, SuggesterKind> = new Map(
  [COMPLETION as SuggesterKind, PHRASE as SuggesterKind, TERM as SuggesterKind].map((kind) => [
    kind.name,
    kind,
  ]),
);
const TEXTS: ReadonlySet<string> = new Set(['text', 'prefix', 'regex']);
/** Suggestions of one search. */
const MAX_SUGGESTIONS = 100;

/** Reads `suggest`. Throws for what is malformed. */
export function parseSuggest(json: JsonObject): SuggestionSpec[] {
  let global: string | undefined;
  const specs: SuggestionSpec[] = [];
  for (const [name, value] of Object.entries(json)) {
    if (name === 'text' && typeof value === 'string') global = value;
    else if (isObject(value)) specs.push(readSuggestion(name, value));
    else throw unexpected(`unexpected token [${jsonToken(value)}] after [${name}]`);
  }
  if (specs.length > MAX_SUGGESTIONS)
    throw illegalArgument(`[suggest] has ${specs.length} suggestions, more than ${MAX_SUGGESTIONS}`);
  return specs.map((spec) =>
    spec.text === undefined && global !== undefined ? { ...spec, text: global } : spec,
  );
}

function unexpected(reason: string): EngineError {
  return new EngineError('parsing_exception', reason);
}

function readSuggestion(name: string, json: JsonObject): SuggestionSpec {
  const texts: Record<string, string> = {};
  let kind: SuggesterKind | undefined;
  let body: JsonValue | undefined;
  for (const [member, value] of Object.entries(json)) {
    if (TEXTS.has(member)) {
      if (typeof value === 'object') throw unexpected(`suggestion does not support [${member}]`);
      texts[member] = plainText(value);
      continue;
    }
    if (!isObject(value)) throw unexpected(`suggestion does not support [${member}]`);
    kind = KINDS.get(member);
    if (kind === undefined) {
      const error = new EngineError('named_object_not_found_exception', `unknown field [${member}]`);
      throw attachPlace(error, { holder: json, key: member, at: 'value' });
    }
    body = value;
  }
  if (kind === undefined || !isObject(body)) throw unexpected('missing suggestion object');
  return {
    name,
    text: texts['text'],
    prefix: texts['prefix'],
    regex: texts['regex'],
    kind,
    options: kind.parse(body),
  };
}

/** Finds all suggestions of a search. */
export function* findSuggestions(
  specs: readonly SuggestionSpec[],
  context: SuggestContext,
): Steps<SuggestResults> {
  const found: SuggestResults = new Map();
  for (const spec of specs) {
    const entries = yield* spec.kind.suggest(spec, spec.options, context);
    found.set(spec.name, { kind: spec.kind.name, entries });
    yield;
  }
  return found;
}
