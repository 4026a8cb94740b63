// Reads `highlight` of a search: options for all fields, and those of each field over them. The fast
// vector highlighter (`fvh`) is the unified one here.

import type { HighlightField } from '../api.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace, type ErrorPlace, parserPlaceOf } from '../place.ts';
import { contentError, parsingError } from '../query/errors.ts';
import { flagMember, integerMember, unknownField, unknownKey } from '../query/members.ts';
import { isObject, jsonToken, unsupportedValue } from '../query/parameters.ts';

type Options = Omit<HighlightField, 'field'>;
type Draft = { -readonly [K in keyof Options]: Options[K] };
type Reader = (draft: Draft, value: JsonValue, name: string) => void;

const DEFAULTS: Options = {
  type: 'unified',
  fragments: 5,
  fragmentSize: 100,
  order: 'none',
  preTag: '<em>',
  postTag: '</em>',
  encoder: 'default',
  noMatchSize: 0,
  query: undefined,
  requireFieldMatch: true,
  matchedFields: [],
  boundaryScanner: 'sentence',
  fragmenter: 'span',
  maxAnalyzedOffset: undefined,
};

/** Options of a field, or of all fields. */
const READERS: Readonly<Record<string, Reader>> = {
  type: (draft, value, name) => {
    const type = textMember(name, value);
    if (type !== 'unified' && type !== 'plain' && type !== 'fvh')
      throw illegalArgument(`unknown highlighter type [${type}]; it is one of [unified, plain, fvh]`);
    draft.type = type === 'plain' ? 'plain' : 'unified';
  },
  number_of_fragments: (draft, value, name) => {
    draft.fragments = natural(name, value);
  },
  fragment_size: (draft, value, name) => {
    draft.fragmentSize = natural(name, value);
  },
  order: (draft, value, name) => {
    draft.order = textMember(name, value).toLowerCase() === 'score' ? 'score' : 'none';
  },
  pre_tags: (draft, value, name) => {
    draft.preTag = textsMember(name, value)[0] ?? '';
  },
  post_tags: (draft, value, name) => {
    draft.postTag = textsMember(name, value)[0] ?? '';
  },
  no_match_size: (draft, value, name) => {
    draft.noMatchSize = natural(name, value);
  },
  highlight_query: (draft, value, name) => {
    draft.query = objectMember(name, value);
    if (Object.keys(draft.query).length === 0)
      throw attachPlace(illegalArgument('query malformed, empty clause found'), {
        holder: value as object,
        at: 'end',
      });
  },
  require_field_match: (draft, value, name) => {
    draft.requireFieldMatch = flagMember(name, value);
  },
  boundary_scanner: (draft, value, name) => {
    const scanner = textMember(name, value).toLowerCase();
    if (scanner !== 'sentence' && scanner !== 'word' && scanner !== 'chars')
      throw illegalArgument(`[${name}] is one of [chars, sentence, word], found [${scanner}]`);
    draft.boundaryScanner = scanner === 'word' ? 'word' : 'sentence';
  },
  fragmenter: (draft, value, name) => {
    const fragmenter = textMember(name, value);
    if (fragmenter !== 'simple' && fragmenter !== 'span')
      throw illegalArgument(`unknown fragmenter option [${fragmenter}]`);
    draft.fragmenter = fragmenter;
  },
  max_analyzer_offset: (draft, value, name) => {
    const offset = integerMember(name, value);
    if (offset <= 0) throw illegalArgument(`[${name}] must be a positive integer, found [${offset}]`);
    draft.maxAnalyzedOffset = offset;
  },
  // Checked, and without effect: sentences are cut alike in all languages, and fragments found in another way.
  boundary_scanner_locale: (_draft, value, name) => void textMember(name, value),
  boundary_chars: (_draft, value, name) => void textMember(name, value),
  boundary_max_scan: (_draft, value, name) => void integerMember(name, value),
  phrase_limit: (_draft, value, name) => void integerMember(name, value),
  force_source: (_draft, value, name) => void flagMember(name, value),
  options: (_draft, value, name) => void objectMember(name, value),
};

const FIELD_READERS: Readonly<Record<string, Reader>> = {
  ...READERS,
  matched_fields: (draft, value, name) => {
    draft.matchedFields = textsMember(name, value);
  },
  fragment_offset: (_draft, value, name) => void integerMember(name, value),
};

const GLOBAL_READERS: Readonly<Record<string, Reader>> = {
  ...READERS,
  encoder: (draft, value, name) => {
    const encoder = textMember(name, value);
    if (encoder !== 'html' && encoder !== 'default')
      throw illegalArgument(`[${name}] is one of [default, html], found [${encoder}]`);
    draft.encoder = encoder;
  },
  tags_schema: (draft, value, name) => {
    const schema = textMember(name, value);
    if (schema !== 'styled' && schema !== 'default') throw illegalArgument(`Unknown tag schema [${schema}]`);
    draft.preTag = schema === 'styled' ? '<em class="hlt1">' : '<em>';
    draft.postTag = '</em>';
  },
  fields: () => undefined,
};

/** The fields to highlight, in order, each with all its options. */
export function readHighlight(body: JsonObject): HighlightField[] {
  const draft = readOptions('highlight', body, DEFAULTS, GLOBAL_READERS);
  const place = { holder: body, key: 'fields', at: 'value' } as const;
  const { fields = {} } = body;
  if (typeof fields !== 'object' || fields === null)
    throw attachPlace(unsupportedValue('highlight', 'fields', fields), place);
  let read: HighlightField[];
  try {
    read = fieldsOf(fields).map(({ holder, field }) => readField(holder, field, draft));
  } catch (error) {
    throw error instanceof EngineError ? around(failed('highlight', 'fields', error), place) : error;
  }
  checkTags(body);
  return read;
}

function readField(holder: JsonObject, field: string, defaults: Options): HighlightField {
  const place = { holder, key: field, at: 'value' } as const;
  const own = holder[field]!;
  try {
    if (!isObject(own))
      throw contentError(`[highlight_field] Expected START_OBJECT but was: ${jsonToken(own)}`);
    const options = readOptions('highlight_field', own, defaults, FIELD_READERS);
    checkTags(own);
    return { field, ...options };
  } catch (error) {
    throw error instanceof EngineError
      ? around(failed('fields', field, attachPlace(error, place)), place)
      : error;
  }
}

/** Places an error where the one lies that caused it. */
function around(error: EngineError, place: ErrorPlace): EngineError {
  return attachPlace(error, (error.causedBy && parserPlaceOf(error.causedBy)) ?? place);
}

function failed(parser: string, name: string, causedBy: EngineError): EngineError {
  return contentError(`[${parser}] failed to parse field [${name}]`, causedBy);
}

function readOptions(
  parser: string,
  body: JsonObject,
  defaults: Options,
  readers: Readonly<Record<string, Reader>>,
): Options {
  const draft: Draft = { ...defaults };
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(readers, name)) throw unknownField(parser, body, name);
    const place = { holder: body, key: name, at: 'value' } as const;
    try {
      readers[name]!(draft, value, name);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw attachPlace(
        error.type === 'parsing_exception'
          ? unsupportedValue(parser, name, value)
          : failed(parser, name, error),
        place,
      );
    }
  }
  return draft;
}

function checkTags(body: JsonObject): void {
  // A schema sets both.
  const isHalf = body['pre_tags'] !== undefined && body['post_tags'] === undefined;
  if (isHalf && body['tags_schema'] === undefined)
    throw attachPlace(parsingError('pre_tags are set but post_tags are not set'), {
      holder: body,
      at: 'end',
    });
}

/** `fields`: an object, or an array of objects of one field each, whose order counts. */
function fieldsOf(fields: JsonValue): { readonly holder: JsonObject; readonly field: string }[] {
  return (Array.isArray(fields) ? fields : [fields]).flatMap((holder) => {
    if (!isObject(holder))
      throw contentError(
        '[fields] can be a single object with any number of fields or an array where each entry is an object with a single field',
      );
    return Object.keys(holder).map((field) => ({ holder, field }));
  });
}

function objectMember(name: string, value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw unknownKey(name, value);
}

function textMember(name: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  throw unknownKey(name, value);
}

function textsMember(name: string, value: JsonValue): string[] {
  if (!Array.isArray(value)) throw unknownKey(name, value);
  return value.map((each) => textMember(name, each));
}

function natural(name: string, value: JsonValue): number {
  const number = integerMember(name, value);
  if (number < 0) throw illegalArgument(`[${name}] must not be negative, found [${number}]`);
  return number;
}
