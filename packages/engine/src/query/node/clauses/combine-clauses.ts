// Simplifies a boolean query before it runs: clauses that match nothing or everything disappear, single
// clauses stand for themselves. Required and optional parts that both score are rounded apart, as Lucene's
// scorers do.

import type { PlanNode } from '../node.ts';
import { BoolNode, type Clauses } from './bool-node.ts';
import { constantNode } from './constant-score-node.ts';
import { AllNode, NONE } from './match-all-node.ts';

/** Clauses to combine; what is left out is empty. */
export type ClauseLists = Partial<Clauses>;

/** Nodes of an or within an or, in place. Each keeps its own score. */
function flatten(should: readonly PlanNode[]): PlanNode[] {
  const out: PlanNode[] = [];
  for (const node of should) {
    if (node instanceof BoolNode && isPureOr(node)) out.push(...node.clauses.should);
    else out.push(node);
  }
  return out;
}

function isPureOr(node: BoolNode): boolean {
  const { must, filter, mustNot } = node.clauses;
  return must.length + filter.length + mustNot.length === 0 && node.least <= 1;
}

/** The boolean combination of some nodes. Everything required, `least` of `should`, nothing of `mustNot`. */
export function combineClauses(lists: ClauseLists, scores: boolean): PlanNode {
  const least = lists.least ?? 0;
  const required = [...(lists.must ?? []), ...(lists.filter ?? [])];
  let should = (lists.should ?? []).filter((node) => !node.matchesNone);
  const mustNot = (lists.mustNot ?? []).filter((node) => !node.matchesNone);
  if (required.length + (lists.should?.length ?? 0) === 0) return NONE;
  if (should.length < least || required.some((node) => node.matchesNone)) return NONE;
  if (required.length === 0 && should.length === 0) return NONE;
  if (mustNot.some((node) => node.matchesAll)) return NONE;
  let { order } = lists;
  if (least <= 1) {
    const optional = new Set(should);
    order = order?.flatMap((node) => (optional.has(node) ? flatten([node]) : [node]));
    should = flatten(should);
  }
  if (!scores && least === 0 && required.length > 0) should = [];
  let must = lists.must ?? [];
  let filter = (lists.filter ?? []).filter((node) => !node.matchesAll);
  if (!scores) {
    filter = [...must.filter((node) => !node.matchesAll), ...filter];
    must = [];
  }
  if (must.length + filter.length === 0 && required.length > 0) {
    // All required clauses match everything, but one clause must drive the matching.
    if (should.length === 0 || least === 0) filter = [new AllNode(0)];
  }
  if (mustNot.length === 0) {
    if (must.length === 1 && filter.length + should.length === 0) return must[0]!;
    if (should.length === 1 && must.length + filter.length === 0) return should[0]!;
    if (filter.length === 1 && must.length + should.length === 0) return constantNode(filter[0]!, 0);
  }
  if (scores && must.length > 0 && should.length > 0 && must.length + should.length > 2) {
    if (must.length > 1) must = [new BoolNode({ must, filter: [], should: [], mustNot: [], least: 0 }, true)];
    if (should.length > 1) {
      const inner = new BoolNode(
        { must: [], filter: [], should, mustNot: [], least: Math.max(1, least) },
        true,
      );
      const own = { must, filter, should: [inner], mustNot, least: Math.min(least, 1) };
      return new BoolNode({ ...own, ...(order && { order }) }, true);
    }
  }
  return new BoolNode({ must, filter, should, mustNot, least, ...(order && { order }) }, scores);
}
