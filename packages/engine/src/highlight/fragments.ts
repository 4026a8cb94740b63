// The plain highlighter: each value is cut into fragments of a length between tokens, and those with most
// different terms are shown (Lucene: Highlighter, SimpleFragmenter, SimpleSpanFragmenter, QueryScorer;
// OpenSearch: PlainHighlighter).

import type { HighlightField } from '../api.ts';
import type { Steps } from '../query/steps.ts';
import type { FieldToken, FieldValue } from './field-text.ts';
import { encodeText, type Markup, markText } from './marked-text.ts';
import type { QueryTerms } from './token-matches.ts';

interface Fragment {
  /** In the order of the value. */
  readonly number: number;
  text: string;
  readonly found: Set<string>;
}

/** The fragments of the values of a field; empty where nothing was found and `noMatchSize` is 0. */
export function* plainFragments(
  values: readonly FieldValue[],
  terms: QueryTerms,
  paths: ReadonlySet<string> | undefined,
  options: HighlightField,
): Steps<string[]> {
  const markup: Markup = { preTag: options.preTag, postTag: options.postTag, encoder: options.encoder };
  const most = options.fragments === 0 ? 1 : options.fragments;
  const best: Fragment[] = [];
  for (const value of values) {
    const found = new Set(terms.find(value.tokens, paths).map(({ token }) => token));
    yield;
    const fragments = cut(value, found, options, markup)
      .filter((fragment) => fragment.found.size > 0)
      .sort((a, b) => b.found.size - a.found.size || a.number - b.number);
    best.push(...fragments.slice(0, most));
    yield;
  }
  if (options.order === 'score') best.sort((a, b) => b.found.size - a.found.size);
  const shown = options.fragments === 0 && values.length > 1 ? best : best.slice(0, most);
  if (shown.length > 0) return shown.map(({ text }) => text);
  return noMatch(values[0], options);
}

/** Cuts a value between tokens, once a fragment is long enough. */
function cut(
  { text, tokens }: FieldValue,
  found: ReadonlySet<FieldToken>,
  { fragments: wanted, fragmentSize, fragmenter }: HighlightField,
  markup: Markup,
): Fragment[] {
  const fragments: Fragment[] = [{ number: 0, text: '', found: new Set() }];
  let fragment = fragments[0]!;
  let at = 0;
  let count = 1;
  const isNew = ({ end }: FieldToken): boolean => {
    if (wanted === 0 || end < fragmentSize * count) return false;
    if (fragmenter === 'span' && text.length - end < fragmentSize >>> 1) return false;
    count++;
    return true;
  };
  for (let i = 0; i < tokens.length; ) {
    // Tokens that overlap are one group, with one pair of tags.
    const group = [tokens[i]!];
    let end = tokens[i]!.end;
    while (++i < tokens.length && tokens[i]!.start < end) {
      group.push(tokens[i]!);
      end = Math.max(end, tokens[i]!.end);
    }
    const hits = group.filter((token) => found.has(token));
    for (const hit of hits) fragment.found.add(hit.term);
    const start = (hits[0] ?? group[0]!).start;
    const to = hits.reduce((last, hit) => Math.max(last, hit.end), hits.length > 0 ? 0 : end);
    fragment.text += encodeText(text.slice(at, start), markup);
    fragment.text +=
      hits.length > 0 ? markText(text.slice(start, to), markup) : encodeText(text.slice(start, to), markup);
    at = to;
    const next = tokens[i];
    if (next !== undefined && isNew(next)) {
      fragment = { number: fragments.length, text: '', found: new Set() };
      fragments.push(fragment);
    }
  }
  fragment.text += encodeText(text.slice(at), markup);
  return fragments;
}

/** The beginning of a value, up to the last token that ends within the size. */
function noMatch(value: FieldValue | undefined, { noMatchSize }: HighlightField): string[] {
  if (value === undefined || noMatchSize === 0) return [];
  const { text, tokens } = value;
  let end = 0;
  for (const [i, token] of tokens.entries()) {
    // A synonym of several words lies over all of them, and comes before the first.
    let longest = i;
    while (tokens[longest + 1]?.start === token.start) longest++;
    if (tokens[longest]!.end > noMatchSize) break;
    end = token.end;
  }
  return end > 0 ? [text.slice(0, end)] : [];
}
