// The unified highlighter: a text is cut into passages at sentences, each passage is scored by the terms that
// it holds, and the best are shown in the order of the text (Lucene: UnifiedHighlighter, FieldHighlighter,
// PassageScorer; OpenSearch: CustomUnifiedHighlighter, CustomPassageFormatter).

import type { HighlightField } from '../api.ts';
import type { Steps } from '../query/steps.ts';
import { Boundaries, BoundedPassages, type PassageBoundaries, UnboundedPassages } from './boundaries.ts';
import type { FieldToken, FieldValue } from './field-text.ts';
import { encodeText, type Markup, markText } from './marked-text.ts';
import type { QueryTerms } from './token-matches.ts';

/** BM25 over passages: k1, b, and the length of an average passage. */
const [K1, B, PIVOT] = [1.2, 0.75, 87] as const;

/** Passages between two yields. */
const PASSAGES_AT_ONCE = 256;

interface Passage {
  /** Offsets in the value. */
  readonly value: number;
  readonly start: number;
  readonly end: number;
  readonly matches: { readonly start: number; readonly end: number; readonly by: string }[];
  score: number;
}

/** The passages of the values of a field; empty where nothing was found and `noMatchSize` is 0. */
export function* unifiedPassages(
  values: readonly FieldValue[],
  terms: QueryTerms,
  paths: ReadonlySet<string> | undefined,
  options: HighlightField,
  gap: number,
): Steps<string[]> {
  const passages = yield* findPassages(values, terms, paths, options, gap);
  const markup: Markup = { preTag: options.preTag, postTag: options.postTag, encoder: options.encoder };
  if (passages.length === 0) return noMatch(values, options, markup);
  const most = options.fragments === 0 ? passages.length : options.fragments;
  const best = passages.sort((a, b) => b.score - a.score || order(a, b)).slice(0, most);
  if (options.order !== 'score') best.sort(order);
  return best
    .map((passage) => format(values[passage.value]!.text, passage, markup).trim())
    .filter((text) => text !== '');
}

function order(a: Passage, b: Passage): number {
  return a.value - b.value || a.start - b.start;
}

function* findPassages(
  values: readonly FieldValue[],
  terms: QueryTerms,
  paths: ReadonlySet<string> | undefined,
  options: HighlightField,
  gap: number,
): Steps<Passage[]> {
  // Phrases do not reach from one value into the next, because of the gap.
  const { tokens, baseOf } = joinValues(values, gap);
  const length = values.reduce((sum, { text }) => sum + text.length + 1, -1);
  yield;
  // The peer stops at the end of the text: the last value, if it is empty, is not shown.
  const matches = terms.find(tokens, paths).filter(({ token }) => token.start < length);
  yield;
  const frequencies = new Map<string, number>();
  for (const { by } of matches) frequencies.set(by, (frequencies.get(by) ?? 0) + 1);
  const weightOf = (by: string): number => weight(length, frequencies.get(by)!);

  const passages: Passage[] = [];
  let boundaries: PassageBoundaries | undefined;
  let last: Passage | undefined;
  let value = 0;
  for (const { token, by } of matches) {
    while (value + 1 < baseOf.length && token.start >= baseOf[value + 1]!) value++;
    const [start, end] = [token.start - baseOf[value]!, token.end - baseOf[value]!];
    if (last === undefined || last.value !== value || start >= last.end) {
      if (last?.value !== value) boundaries = boundariesOf(values[value]!.text, options);
      const around = boundaries!.around(start);
      last = { value, ...around, matches: [], score: 0 };
      passages.push(last);
      if (passages.length % PASSAGES_AT_ONCE === 0) yield;
    }
    last.matches.push({ start, end, by });
  }
  for (const passage of passages) passage.score = scoreOf(passage, baseOf[passage.value]!, weightOf);
  return passages;
}

interface JoinedValues {
  readonly tokens: readonly FieldToken[];
  /** Where each value begins in the joined text. */
  readonly baseOf: readonly number[];
}

/** Makes the tokens of all values those of one text, in place. */
function joinValues(values: readonly FieldValue[], gap: number): JoinedValues {
  const baseOf: number[] = [];
  let base = 0;
  let position = 0;
  for (const { text, tokens } of values) {
    baseOf.push(base);
    let last = -1;
    for (const token of tokens) {
      last = Math.max(last, token.position);
      token.start += base;
      token.end += base;
      token.position += position;
    }
    base += text.length + 1;
    position += last + 1 + gap;
  }
  return { tokens: values.flatMap(({ tokens }) => tokens), baseOf };
}

function boundariesOf(
  text: string,
  { fragments, fragmentSize, boundaryScanner }: HighlightField,
): PassageBoundaries {
  if (fragments === 0) return { around: () => ({ start: 0, end: text.length }) };
  if (boundaryScanner === 'word') return new UnboundedPassages(text, 'word');
  return fragmentSize > 0 ? new BoundedPassages(text, fragmentSize) : new UnboundedPassages(text, 'sentence');
}

function scoreOf({ matches, start, end }: Passage, base: number, weightOf: (by: string) => number): number {
  const counts = new Map<string, number>();
  for (const { by } of matches) counts.set(by, (counts.get(by) ?? 0) + 1);
  let score = 0;
  for (const [by, count] of counts) score += weightOf(by) * termFrequency(count, end - start);
  return score * (1 + 1 / Math.log(PIVOT + base + start));
}

function weight(length: number, frequency: number): number {
  return (K1 + 1) * Math.log(1 + (1 + length / PIVOT + 0.5) / (frequency + 0.5));
}

function termFrequency(count: number, length: number): number {
  return count / (count + K1 * (1 - B + (B * length) / PIVOT));
}

/** The text of a passage. Matches that overlap share their tags. */
function format(text: string, { start, end, matches }: Passage, markup: Markup): string {
  let out = '';
  let at = start;
  for (let i = 0; i < matches.length; i++) {
    const from = matches[i]!.start;
    let to = matches[i]!.end;
    while (i + 1 < matches.length && matches[i + 1]!.start < to) to = Math.max(to, matches[++i]!.end);
    out += encodeText(text.slice(at, from), markup) + markText(text.slice(Math.max(at, from), to), markup);
    at = to;
  }
  return out + encodeText(text.slice(at, Math.max(at, end)), markup);
}

/** The beginning of the first value, up to the end of a word. */
function noMatch(values: readonly FieldValue[], { noMatchSize }: HighlightField, markup: Markup): string[] {
  const text = values.find((value) => value.text !== '')?.text;
  if (noMatchSize === 0 || text === undefined) return [];
  const end =
    noMatchSize < text.length
      ? (new Boundaries(text, 'word').following(noMatchSize) ?? text.length)
      : text.length;
  const shown = encodeText(text.slice(0, end), markup).trim();
  return shown === '' ? [] : [shown];
}
