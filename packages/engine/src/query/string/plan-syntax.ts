// Turns the tree of a query string into a boolean query. Signs are settled from left to right, as Lucene's
// classic parser does: AND also makes the clause before it required, OR under a default of AND makes it
// optional.

import type { RangeBounds } from '../../mapping/types/type.ts';
import { DROPPED } from '../field/text/match.ts';
import { minimumShouldMatch } from '../minimum-should-match.ts';
import { AllNode } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import type { Clause, Syntax } from './parse-syntax.ts';
import type { WordPlanner } from './word-planner.ts';

type Occur = 'must' | 'should' | 'mustNot';

/** Turns a tree into a node. `least` is minimum_should_match, for the outermost clauses only. */
export function planSyntax(words: WordPlanner, syntax: Syntax, boost: number, least?: string): PlanNode {
  switch (syntax.kind) {
    case 'clauses':
      return clausesNode(words, syntax.clauses, boost, least);
    case 'boosted':
      return planSyntax(words, syntax.of, Math.fround(boost * Math.fround(syntax.boost)));
    case 'words':
    case 'text':
      return words.text(syntax.field, syntax.text, boost, least);
    case 'phrase':
      return words.phrase(syntax.field, syntax.text, syntax.slop, boost);
    case 'prefix':
      return words.prefix(syntax.field, syntax.text, boost);
    case 'wildcard':
      return words.wildcard(syntax.field, syntax.text, boost);
    case 'regexp':
      return words.regexp(syntax.field, syntax.text, boost);
    case 'fuzzy':
      return words.fuzzy(syntax.field, syntax.text, syntax.edits, boost);
    case 'range':
      return words.range(syntax.field, boundsOf(syntax), boost);
  }
}

function boundsOf(range: Syntax & { kind: 'range' }): RangeBounds {
  const { from, to, withFrom, withTo } = range;
  return {
    ...(from === undefined ? {} : withFrom ? { gte: from } : { gt: from }),
    ...(to === undefined ? {} : withTo ? { lte: to } : { lt: to }),
  };
}

function clausesNode(
  words: WordPlanner,
  clauses: readonly Clause[],
  boost: number,
  least: string | undefined,
): PlanNode {
  const out: { occur: Occur; node: PlanNode }[] = [];
  const isOnly = clauses.length === 1;
  for (const clause of clauses) add(words, out, clause, boost, isOnly);
  if (out.length === 0) return DROPPED;
  // As in the peer: words that several fields match together are one query, to which no minimum applies.
  const [first] = clauses;
  if (isOnly && first!.syntax.kind === 'words' && !words.separatesWords(first!.syntax.field, isOnly))
    return out[0]!.node;
  const of = (occur: Occur): PlanNode[] => out.filter((each) => each.occur === occur).map(({ node }) => node);
  const lists = { must: of('must'), filter: [] as PlanNode[], should: of('should'), mustNot: of('mustNot') };
  if (lists.must.length + lists.should.length === 0) lists.filter.push(new AllNode(0));
  const required = least === undefined ? 0 : minimumShouldMatch(lists.should.length, least);
  return words.planner.combine({ ...lists, least: required, order: out.map(({ node }) => node) });
}

function add(
  words: WordPlanner,
  out: { occur: Occur; node: PlanNode }[],
  clause: Clause,
  boost: number,
  isOnly: boolean,
): void {
  const { operator } = words.options;
  const { syntax, conjunction, modifier } = clause;
  if (syntax.kind === 'words') {
    const separate = words.separateWords(syntax.field, syntax.text, boost, isOnly);
    const nodes = separate ?? [planSyntax(words, syntax, boost)];
    const occur: Occur = operator === 'or' ? 'should' : 'must';
    for (const node of nodes) if (node !== DROPPED) out.push({ occur, node });
    return;
  }
  const before = out.at(-1);
  if (before !== undefined && before.occur !== 'mustNot') {
    if (conjunction === 'and') before.occur = 'must';
    if (conjunction === 'or' && operator === 'and') before.occur = 'should';
  }
  const node = planSyntax(words, syntax, boost);
  if (node === DROPPED) return;
  if (modifier === 'prohibited') out.push({ occur: 'mustNot', node });
  else if (operator === 'or') {
    out.push({ occur: modifier === 'required' || conjunction === 'and' ? 'must' : 'should', node });
  } else out.push({ occur: conjunction === 'or' ? 'should' : 'must', node });
}
