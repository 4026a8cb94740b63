// The text of a field in one document: its values from the source, joined by paragraph separators, and the
// tokens in it. Positions leave the gap of the analyzer between two values.

import type { JsonValue } from '../json/value.ts';
import type { FieldType, Mapping } from '../mapping/types/type.ts';
import type { Steps } from '../query/steps.ts';

/** A token of a text. Offsets are UTF-16 units, `end` exclusive. */
export interface FieldToken {
  /** The bytes of its term, as latin1. */
  readonly term: string;
  start: number;
  end: number;
  position: number;
}

/** One value of a field with its tokens; offsets and positions count from the start of the value. */
export interface FieldValue {
  readonly text: string;
  readonly tokens: readonly FieldToken[];
}

/** True for fields that have text to highlight. */
export function isHighlightable({ kind }: FieldType): boolean {
  return (
    kind === 'text' ||
    kind === 'match_only_text' ||
    kind === 'keyword' ||
    kind === 'wildcard' ||
    kind === 'constant_keyword'
  );
}

/** The values of a field in a source. Values that were not indexed are left out. */
export function textsOf(mapping: Mapping, field: FieldType, source: JsonValue): string[] {
  const texts: string[] = [];
  collectTexts(source, sourcePath(mapping, field.path).split('.'), 0, texts);
  const longest = field.params['ignore_above'];
  return typeof longest === 'number' ? texts.filter((text) => [...text].length <= longest) : texts;
}

/** Where the values of a field lie: a multi-field has those of the field above it. */
function sourcePath(mapping: Mapping, path: string): string {
  const at = path.lastIndexOf('.');
  const above = at < 0 ? '' : path.slice(0, at);
  return above !== '' && mapping.field(above) !== undefined ? sourcePath(mapping, above) : path;
}

/** Objects may name a member by several steps at once: `{"a.b": 1}`. */
function collectTexts(
  value: JsonValue | undefined,
  steps: readonly string[],
  at: number,
  out: string[],
): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) collectTexts(each, steps, at, out);
  } else if (at === steps.length) {
    if (typeof value !== 'object') out.push(String(value));
  } else if (typeof value === 'object') {
    for (let to = at + 1; to <= steps.length; to++) {
      const name = steps.slice(at, to).join('.');
      if (Object.hasOwn(value, name)) collectTexts(value[name], steps, to, out);
    }
  }
}

/** A text with the tokens that begin before `limit`; without some that are not in `wanted`, if that is given. */
export function* analyzeValue(
  field: FieldType,
  text: string,
  limit: number,
  wanted?: ReadonlySet<string>,
): Steps<FieldValue> {
  const { analyzer, bytes } = field;
  if (analyzer === undefined) {
    const encoded = bytes === undefined ? Buffer.from(text, 'utf8') : Buffer.from(bytes.encode(text));
    // A keyword is shown as its normalizer has left it.
    const shown = field.kind === 'keyword' ? encoded.toString('utf8') : text;
    const term = encoded.toString('latin1');
    return { text: shown, tokens: [{ term, start: 0, end: shown.length, position: 0 }] };
  }
  const isWanted = wanted && ((term: string) => wanted.has(term));
  const analyzed = yield* analyzer.analyzeSteps(text, isWanted);
  yield;
  const tokens = analyzed.filter(({ start }) => start < limit);
  for (const token of tokens) token.term = utf8(token.term);
  tokens.sort((a, b) => a.start - b.start);
  yield;
  return { text, tokens };
}

function utf8(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}
