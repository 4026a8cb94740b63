// Turns a text into nodes for one field. Its tokens are grouped by position into places: one term, several
// terms at one place (synonyms), or several places (a phrase). Synonyms of several words make forks (token-graph.ts).

import { requireShortText } from '../../../analysis/analyze.ts';
import type { Analyzer, Token } from '../../../analysis/analyzer.ts';
import { EngineError } from '../../../errors.ts';
import { idf } from '../../../score/bm25.ts';
import { AllNode, NONE } from '../../node/clauses/match-all-node.ts';
import type { PlanNode } from '../../node/node.ts';
import { PhraseNode } from '../../node/terms/phrase-node.ts';
import { SynonymNode } from '../../node/terms/synonym-node.ts';
import { compareTerms, prefixEnd, startsWith } from '../../node/terms/term-sources.ts';
import type { Planner } from '../../plan/planner.ts';
import type { PhraseSlot } from '../../query-terms.ts';
import type { Steps } from '../../steps.ts';
import { utf8 } from '../field-value.ts';
import { graphParts, type TextPart } from './token-graph.ts';

/** Terms looked at between two yields. */
const SLICE = 512;

/** The parts of a text, ascending. Throws illegal_argument_exception for a long text. */
export function analyzeParts(analyzer: Analyzer, text: string, planner: Planner): TextPart[] {
  requireShortText(text.length, planner.limits.maxTextLength);
  const tokens: Token[] = analyzer.analyze(text);
  const isGraph = tokens.length > 1 && tokens.some(({ positionLength }) => positionLength > 1);
  if (isGraph && analyzer.disablesGraph !== true) return graphParts(tokens, () => planner.countClauses(1));
  const places = new Map<number, { position: number; terms: string[]; endsText: boolean }>();
  for (const { term, position, end } of tokens) {
    const endsText = end === text.length;
    const place = places.get(position);
    if (place === undefined) places.set(position, { position, terms: [term], endsText });
    else {
      place.endsText = endsText;
      if (!place.terms.includes(term)) place.terms.push(term);
    }
  }
  return [...places.values()].sort((a, b) => a.position - b.position);
}

/** The terms of one place as one node. */
export function placeNode(planner: Planner, path: string, terms: readonly string[], boost: number): PlanNode {
  if (terms.length === 1) return planner.term(path, utf8(terms[0]!), boost);
  const bytes = terms.map(utf8);
  const most = Math.max(...bytes.map((b) => planner.stats.term(path, b).docFreq));
  if (most === 0 && !planner.keepsAbsent) return NONE;
  const stats = planner.stats.field(path);
  const weight = planner.scores ? planner.weight(boost, idf(most, stats.docCount), stats.similarity) : 0;
  return new SynonymNode(path, bytes, weight, stats.inverses);
}

/** Some places in order, up to `slop` moves apart. */
export function phraseNode(
  planner: Planner,
  path: string,
  places: readonly { readonly position: number; readonly terms: readonly Uint8Array[] }[],
  slop: number,
  boost: number,
): PlanNode {
  const first = places[0]!.position;
  const slots: PhraseSlot[] = places.map(({ position, terms }) => ({ offset: position - first, terms }));
  checkPositions(planner, path);
  let idfs = 0;
  const stats = planner.stats.field(path);
  for (const slot of slots) {
    let found = false;
    for (const bytes of slot.terms) {
      const { docFreq } = planner.stats.term(path, bytes);
      if (docFreq === 0) continue;
      found = true;
      idfs += idf(docFreq, stats.docCount);
    }
    if (!found && !planner.keepsAbsent) return NONE;
  }
  const weight = planner.scores ? planner.weight(boost, idfs, stats.similarity) : 0;
  return new PhraseNode(path, slots, slop, weight, stats.inverses, planner.scores);
}

/** Throws where a field has no positions, so that phrases cannot be searched. */
export function checkPositions(planner: Planner, path: string): void {
  if (planner.field(path)?.spec.index === 'positions') return;
  const reason = `field:[${path}] was indexed without position data; cannot run PhraseQuery`;
  const fault = new EngineError('illegal_state_exception', reason, { status: 500 });
  throw planner.isPlain ? fault : planner.misfit(`failed to create query: ${reason}`, fault);
}

/** Terms of the field with a prefix, over all leaves, sorted; at most `limit`. */
export function expandPrefix(planner: Planner, path: string, text: string, limit: number): Uint8Array[] {
  const key = `^${JSON.stringify([path, text, limit])}`;
  return planner.lookups.ask(key, () => findPrefixTerms(planner, path, text, limit)) ?? [];
}

function* findPrefixTerms(planner: Planner, path: string, text: string, limit: number): Steps<Uint8Array[]> {
  const prefix = utf8(text);
  const end = prefixEnd(prefix);
  const found = new Map<string, Uint8Array>();
  const add = (bytes: Uint8Array): void => {
    const key = Buffer.from(bytes).toString('latin1');
    if (!found.has(key)) found.set(key, bytes.slice());
  };
  let looked = 0;
  for (const { leaf } of planner.view.leaves) {
    const terms = leaf.terms(path);
    if (terms === undefined) continue;
    if (terms.sorted) {
      const stop = end === undefined ? terms.count : terms.lowerBound(end);
      const from = terms.lowerBound(prefix);
      for (let o = from; o < stop && o < from + limit; o++) add(terms.term(o));
      yield;
    } else {
      for (const o of terms.ordinals()) {
        if (++looked % SLICE === 0) yield;
        const bytes = terms.term(o);
        if (startsWith(bytes, prefix)) add(bytes);
      }
    }
  }
  return [...found.values()].sort(compareTerms).slice(0, limit);
}

/** The node of a text without tokens. */
export function zeroTermsNode(mode: 'none' | 'all', boost: number): PlanNode {
  return mode === 'all' ? new AllNode(boost) : NONE;
}
