// Which tokens of a document a query has found. The query is planned against its index, so analysis, fuzzy
// terms and expansions are settled; here its terms, term sets and phrases meet the tokens of one text.

import type { Plan } from '../query/matcher.ts';
import type { PhraseSlot, TermDictionary, TermSource, TermVisitor } from '../query/query-terms.ts';
import { NO_SPANS, SpanList, type SpanSource } from '../query/span-list.ts';
import { runToEnd } from '../turn.ts';
import type { FieldToken } from './field-text.ts';

/** A token that the query has found. */
interface TokenMatch {
  readonly token: FieldToken;
  /** The part of the query that found it: a term, or a set of terms. */
  readonly by: string;
}

interface Phrase {
  readonly slots: readonly { readonly offset: number; readonly terms: ReadonlySet<string> }[];
  readonly slop: number;
}

/** What a query looks for in one field. */
interface WantedTerms {
  readonly terms: Set<string>;
  readonly sets: TermSource[];
  readonly phrases: Phrase[];
  readonly spans: SpanSource[];
}

/** The terms of a planned query, by field. */
export class QueryTerms implements TermVisitor {
  readonly #byPath = new Map<string, WantedTerms>();

  constructor(plan: Plan) {
    this.#visit(plan);
  }

  #visit(plan: Plan): void {
    plan.visitTerms?.(this);
    for (const part of plan.wanted ?? plan.parts ?? []) this.#visit(part);
  }

  terms(path: string, terms: readonly Uint8Array[]): void {
    for (const bytes of terms) this.#of(path).terms.add(latin1(bytes));
  }

  termSet(path: string, source: TermSource): void {
    this.#of(path).sets.push(source);
  }

  phrase(path: string, slots: readonly PhraseSlot[], slop: number): void {
    const ofSlot = ({ offset, terms }: PhraseSlot): Phrase['slots'][number] => ({
      offset,
      terms: new Set(terms.map(latin1)),
    });
    this.#of(path).phrases.push({ slots: slots.map(ofSlot), slop });
  }

  spans(path: string, source: SpanSource): void {
    this.#of(path).spans.push(source);
  }

  #of(path: string): WantedTerms {
    let found = this.#byPath.get(path);
    if (found === undefined)
      this.#byPath.set(path, (found = { terms: new Set(), sets: [], phrases: [], spans: [] }));
    return found;
  }

  /** The texts of all terms that the query looks for in some fields; undefined if it looks for something else, too. */
  onlyTerms(paths: ReadonlySet<string> | undefined): ReadonlySet<string> | undefined {
    const wanted = [...this.#byPath].flatMap(([path, own]) =>
      paths === undefined || paths.has(path) ? [own] : [],
    );
    if (wanted.some(({ sets, phrases, spans }) => sets.length + phrases.length + spans.length > 0))
      return undefined;
    return new Set(wanted.flatMap(({ terms }) => Array.from(terms, textOfTerm)));
  }

  /** The tokens that the query has found in any of some fields; `paths` undefined: in any field. O(tokens · (phrases + sets)). */
  find(tokens: readonly FieldToken[], paths: ReadonlySet<string> | undefined): TokenMatch[] {
    const found = new Map<FieldToken, string>();
    let dictionary: TermDictionary | undefined;
    for (const [path, wanted] of this.#byPath) {
      if (paths !== undefined && !paths.has(path)) continue;
      for (const token of tokens) if (wanted.terms.has(token.term)) found.set(token, token.term);
      if (wanted.sets.length > 0)
        findInSets(tokens, wanted.sets, (dictionary ??= dictionaryOf(tokens)), found);
      for (const phrase of wanted.phrases) {
        for (const token of phraseTokens(tokens, phrase)) found.set(token, token.term);
      }
      for (const source of wanted.spans) {
        for (const token of spanTokens(tokens, source)) found.set(token, token.term);
      }
    }
    const matches: TokenMatch[] = [];
    if (found.size === 0) return matches;
    for (const token of tokens) {
      const by = found.get(token);
      if (by !== undefined) matches.push({ token, by });
    }
    return matches;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function textOfTerm(term: string): string {
  return Buffer.from(term, 'latin1').toString('utf8');
}

function findInSets(
  tokens: readonly FieldToken[],
  sets: readonly TermSource[],
  dictionary: TermDictionary,
  found: Map<FieldToken, string>,
): void {
  for (const source of sets) {
    const accepted = new Set<string>();
    const ordinals = runToEnd(source.ordinals(dictionary));
    for (let i = 0; i < ordinals.length; i++) accepted.add(latin1(dictionary.term(ordinals[i]!)));
    for (const token of tokens)
      if (accepted.has(token.term) && !found.has(token)) found.set(token, source.key);
  }
}

/** A dictionary of the terms of some tokens, sorted. As latin1, texts sort as their bytes do. */
function dictionaryOf(tokens: readonly FieldToken[]): TermDictionary {
  const sorted = [...new Set(tokens.map(({ term }) => term))].sort();
  const ordinals = new Map(sorted.map((term, ordinal) => [term, ordinal]));
  const list = sorted.map((term) => Buffer.from(term, 'latin1'));
  const starts = new Uint32Array(list.length + 1);
  for (let i = 0; i < list.length; i++) starts[i + 1] = starts[i]! + list[i]!.length;
  const lowerBound = (bytes: Uint8Array): number => {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(list[middle]!, bytes) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    count: list.length,
    sorted: true,
    bytes: Buffer.concat(list),
    starts,
    term: (ordinal) => list[ordinal]!,
    lowerBound,
    find: (bytes, start, end) => ordinals.get(latin1(bytes.subarray(start, end))) ?? -1,
    ordinals: () => list.keys(),
  };
}

/** The tokens of all places where a phrase stands. */
function phraseTokens(tokens: readonly FieldToken[], { slots, slop }: Phrase): Set<FieldToken> {
  const found = new Set<FieldToken>();
  const bySlot = slots.map(({ terms }) => tokens.filter(({ term }) => terms.has(term)));
  if (bySlot.some((list) => list.length === 0)) return found;
  if (slop === 0) {
    const byPosition = bySlot.map((list) => Map.groupBy(list, ({ position }) => position));
    for (const first of bySlot[0]!) {
      const start = first.position - slots[0]!.offset;
      const chain = byPosition.map((places, i) => places.get(start + slots[i]!.offset));
      if (chain.every((list) => list !== undefined)) for (const token of chain.flat()) found.add(token);
    }
    return found;
  }
  // The narrowest windows that hold a token of each slot: the slot that lies first moves on.
  const at = slots.map(() => 0);
  for (;;) {
    const window = bySlot.map((list, i) => list[at[i]!]!);
    // A token fills one slot.
    const twice = window.findIndex((token, i) => window.indexOf(token) < i);
    if (twice >= 0) {
      if (++at[twice]! >= bySlot[twice]!.length) return found;
      continue;
    }
    // Where each token would have the phrase begin.
    const begins = window.map(({ position }, i) => position - slots[i]!.offset);
    const least = Math.min(...begins);
    if (Math.max(...begins) - least <= slop) for (const token of window) found.add(token);
    const first = begins.indexOf(least);
    if (++at[first]! >= bySlot[first]!.length) return found;
  }
}

/** The tokens of all spans. */
function spanTokens(tokens: readonly FieldToken[], source: SpanSource): Set<FieldToken> {
  const wanted = new Set<string>();
  const spans = source
    .open((_path, terms) => {
      const own = new Set(terms.map(latin1));
      for (const term of own) wanted.add(term);
      const list = new SpanList();
      const positions = tokens.filter(({ term }) => own.has(term)).map(({ position }) => position);
      for (const at of positions.sort((a, b) => a - b)) list.add(at, at + 1, 0);
      return { cost: 1, candidates: () => true, read: () => (list.count === 0 ? NO_SPANS : list) };
    })
    .read(0);
  const found = new Set<FieldToken>();
  if (spans.count === 0) return found;
  for (const token of tokens) {
    if (!wanted.has(token.term)) continue;
    for (let i = 0; i < spans.count; i++) {
      if (spans.starts[i]! <= token.position && token.position < spans.ends[i]!) {
        found.add(token);
        break;
      }
    }
  }
  return found;
}
