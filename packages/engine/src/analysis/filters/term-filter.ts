// Token filters that map one term to one term, or drop it. They need no other token, so that a chain of them runs on bytes
// and remembers the words that it has seen.

import type { Token } from '../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../chain.ts';

/** The new term, or undefined to drop the token. */
type TermChange = (term: string) => string | undefined;

/** A filter that maps one term to one term, or drops it. */
export function perTerm(name: string, term: TermChange): TokenFilter {
  return { name, term, apply: (tokens) => changeTerms(tokens, (token) => term(token.term)) };
}

/** As `perTerm`, but tokens that a filter before it marked as keywords stay as they are: stemmers, and few others. */
export function stemFilter(name: string, term: TermChange): TokenFilter {
  return {
    name,
    term,
    attributes: ['keyword'],
    apply: (tokens) =>
      changeTerms(tokens, (token) => (token.keyword === true ? token.term : term(token.term))),
  };
}

/** Changes or drops tokens in place; positions stay as they are. */
export function changeTerms(tokens: Token[], change: (token: Token) => string | undefined): Token[] {
  const kept: Token[] = [];
  const length = positionCountOf(tokens);
  for (const token of tokens) {
    const changed = change(token);
    if (changed === undefined) continue;
    token.term = changed;
    kept.push(token);
  }
  return setPositionCount(kept, length);
}
