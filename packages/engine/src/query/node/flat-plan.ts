// Recognizes flat queries among plans: terms, any or all of them, or a phrase, perhaps restricted by clauses
// that do not score. Their best documents are found without scoring the rest (score/prune).

import { type FlatQuery, type FlatTerm, MOST_TERMS } from '../../score/flat-query.ts';
import type { Plan } from '../matcher.ts';
import { BoolNode } from './clauses/bool-node.ts';
import { combineClauses } from './clauses/combine-clauses.ts';
import { AllNode } from './clauses/match-all-node.ts';
import type { PlanNode } from './node.ts';
import { PhraseNode } from './terms/phrase-node.ts';
import { TermNode } from './terms/term-node.ts';

/** The part of a query that scores, and a plan of the documents that its other clauses allow. */
export interface FlatPlan {
  readonly query: FlatQuery;
  readonly restriction: Plan | undefined;
}

/** Bounds are not exact enough for weights outside this range. */
const LARGEST = 1e30;
const SMALLEST = 1e-30;

function isUsable(weight: number): boolean {
  return weight >= SMALLEST && weight <= LARGEST;
}

/** Undefined where a query is not flat, or its weights are not all above 0. */
export function flatPlan(plan: Plan): FlatPlan | undefined {
  if (plan instanceof BoolNode) return ofBool(plan);
  if (plan instanceof PhraseNode) return ofPhrase(plan);
  return ofTerms('any', [plan]);
}

function ofTerms(shape: 'any' | 'all', nodes: readonly Plan[]): FlatPlan | undefined {
  if (nodes.length > MOST_TERMS) return undefined;
  const terms: FlatTerm[] = [];
  for (const node of nodes) {
    if (!(node instanceof TermNode) || !isUsable(node.weight)) return undefined;
    terms.push(node);
  }
  return { query: { shape, terms, offsets: [] }, restriction: undefined };
}

function ofPhrase({ path, slots, slop, weight, inverses, scores }: PhraseNode): FlatPlan | undefined {
  if (slop > 0 || !scores || slots.length > MOST_TERMS || !isUsable(weight)) return undefined;
  if (slots.some((slot) => slot.terms.length !== 1)) return undefined;
  const terms = slots.map((slot) => ({ path, bytes: slot.terms[0]!, weight, inverses }));
  return { query: { shape: 'phrase', terms, offsets: slots.map((s) => s.offset) }, restriction: undefined };
}

function ofBool(node: BoolNode): FlatPlan | undefined {
  const { must, should, filter, mustNot } = node.clauses;
  let inner: FlatPlan | undefined;
  if (!node.scores || node.testsDocuments) return undefined;
  if (should.length === 0) {
    inner = must.length === 1 ? flatPlan(must[0]!) : must.length > 1 ? ofTerms('all', must) : undefined;
  } else if (must.length === 0 && node.least === 1) {
    inner = should.length === 1 ? flatPlan(should[0]!) : ofTerms('any', should);
  }
  if (inner === undefined || filter.length + mustNot.length === 0) return inner;
  const filters: PlanNode[] = filter.length > 0 ? [...filter] : [new AllNode(0)];
  if (inner.restriction !== undefined) filters.push(inner.restriction as PlanNode);
  return { query: inner.query, restriction: combineClauses({ filter: filters, mustNot }, false) };
}
