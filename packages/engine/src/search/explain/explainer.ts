// Explains the score of a document by the nodes of a planned query, as Lucene does: what each part gave, and why a document
// does not match. Values come from the same matchers that score documents.

import type { Explanation } from '../../api.ts';
import { hasBit, setBit } from '../../kernels/bits.ts';
import { lowerBound } from '../../kernels/sorted-search.ts';
import type { Matcher } from '../../query/matcher.ts';
import { BoolNode } from '../../query/node/clauses/bool-node.ts';
import { BoostingNode } from '../../query/node/clauses/boosting-node.ts';
import { ConstantNode } from '../../query/node/clauses/constant-score-node.ts';
import { DisMaxNode } from '../../query/node/clauses/dis-max-node.ts';
import { FunctionScoreNode } from '../../query/node/clauses/function-score-node.ts';
import { NestedNode } from '../../query/node/clauses/nested-node.ts';
import { FilterNode, newBits, type PlanNode, ScoringNode } from '../../query/node/node.ts';
import { PositionsNode } from '../../query/node/spans/positions-node.ts';
import { PhraseNode } from '../../query/node/terms/phrase-node.ts';
import { SynonymNode } from '../../query/node/terms/synonym-node.ts';
import { TermNode } from '../../query/node/terms/term-node.ts';
import { ExistsNode } from '../../query/node/values/exists-node.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { Statistics } from '../../query/plan/statistics.ts';
import { CHUNK_DOCS, type Leaf } from '../../segment/leaf.ts';
import { explainFunctions } from './explain-functions.ts';
import { explainPhrase, explainTerm } from './explain-term.ts';
import { matched, type NodeExplainer, unmatched } from './explanation.ts';
import { boostText, floatText, isBooleanTerm, nodeText } from './node-text.ts';

const scores = new Float64Array(CHUNK_DOCS);

/** Explains documents of one leaf. */
export class Explainer implements NodeExplainer {
  readonly view: IndexView;
  readonly leaf: Leaf;
  readonly stats: Statistics;
  readonly #matchers = new Map<PlanNode, Matcher>();
  /** Those of nested objects. */
  readonly #inner = new Map<Leaf, Explainer>();

  constructor(view: IndexView, leaf: Leaf) {
    this.view = view;
    this.leaf = leaf;
    const { leaves, statistics, mapping } = view;
    this.stats = new Statistics(
      leaves,
      statistics,
      (path) => mapping.field(path)?.similarity ?? mapping.similarity,
    );
  }

  /** The score that a node gives a document; undefined where it does not match. */
  score(node: PlanNode, doc: number): number | undefined {
    let matcher = this.#matchers.get(node);
    if (matcher === undefined) this.#matchers.set(node, (matcher = node.matcher(this.leaf)));
    const chunk = Math.floor(doc / CHUNK_DOCS);
    const low = doc % CHUNK_DOCS;
    const alone = newBits();
    setBit(alone, low);
    const bits = newBits();
    if (!matcher.match(chunk, bits, alone) || !hasBit(bits, low)) return undefined;
    matcher.score(chunk, alone, scores);
    const score = Math.fround(scores[low]!);
    scores[low] = 0;
    return score;
  }

  explain(node: PlanNode, doc: number): Explanation {
    if (node instanceof BoolNode) return this.#bool(node, doc);
    const score = this.score(node, doc);
    if (node instanceof DisMaxNode) return this.#disMax(node, doc, score);
    if (node instanceof TermNode)
      return score === undefined ? unmatched('no matching term') : explainTerm(this, node, doc, score);
    if (node instanceof PhraseNode)
      return score === undefined ? unmatched('no matching terms') : explainPhrase(this, node, doc, score);
    if (node instanceof FunctionScoreNode) return explainFunctions(this, node, doc, score);
    if (node instanceof BoostingNode) return this.#boosting(node, doc, score);
    if (node instanceof NestedNode) return this.#nested(node, doc, score);
    if (node instanceof FilterNode) return this.#constant(node, doc, score);
    const text = nodeText(node, this.view);
    if (score === undefined) return unmatched('no matching terms');
    const isWeighed = node instanceof SynonymNode || node instanceof PositionsNode;
    return matched(
      score,
      isWeighed ? `weight(${text} in ${doc}) [PerFieldSimilarity], result of:` : `score of ${text}`,
    );
  }

  #constant(node: FilterNode, doc: number, score: number | undefined): Explanation {
    const text = nodeText(node, this.view);
    const isWrapped = node instanceof ConstantNode || node instanceof ExistsNode;
    const shown = isWrapped ? `ConstantScore(${text})` : text;
    if (score === undefined)
      return unmatched(
        node.matchesNone || isBooleanTerm(node, this.view)
          ? 'no matching term'
          : `${shown} doesn't match id ${doc}`,
      );
    return matched(score, shown + boostText(node));
  }

  #bool(node: BoolNode, doc: number): Explanation {
    const details: Explanation[] = [];
    let hasFailed = false;
    let found = 0;
    const required = (each: PlanNode, part: Explanation, shown: Explanation): void => {
      if (part.matched) {
        details.push(shown);
        found++;
        return;
      }
      hasFailed = true;
      details.push(unmatched(`no match on required clause (${nodeText(each, this.view)})`, [part]));
    };
    let optional = 0;
    const explainers: Readonly<Record<Occur, (each: PlanNode) => void>> = {
      must: (each) => {
        const part = this.explain(each, doc);
        required(each, part, part);
      },
      mustNot: (each) => {
        if (this.score(each, doc) === undefined) return;
        const text = nodeText(each, this.view);
        hasFailed = true;
        details.push(unmatched(`match on prohibited clause (${text})`, [matched(1, text)]));
      },
      should: (each) => {
        const part = this.explain(each, doc);
        if (!part.matched) return;
        details.push(part);
        optional++;
      },
      filter: (each) => {
        const text = nodeText(each, this.view);
        const part =
          this.score(each, doc) === undefined
            ? unmatched(`${text} doesn't match id ${doc}`)
            : matched(1, text);
        const shown = matched(0, 'match on required clause, product of:', [matched(0, '# clause'), part]);
        required(each, part, shown);
      },
    };
    for (const { occur, node: each } of inOrder(node)) explainers[occur](each);
    if (hasFailed) return unmatched('Failure to meet condition(s) of required/prohibited clause(s)', details);
    if (found + optional === 0) return unmatched('No matching clauses', details);
    const { least } = node.clauses;
    if (optional < least)
      return unmatched(`Failure to match minimum number of optional clauses: ${least}`, details);
    return matched(this.score(node, doc) ?? 0, 'sum of:', details);
  }

  #disMax({ nodes, tie }: DisMaxNode, doc: number, score: number | undefined): Explanation {
    const isSum = tie === 1;
    const clauses = isSum ? inlined(nodes, 'should') : nodes;
    const parts = clauses.map((each) => this.explain(each, doc));
    if (score === undefined)
      return isSum ? unmatched('No matching clauses') : unmatched('No matching clause', parts);
    const found = parts.filter((part) => part.matched);
    const max = tie === 0 ? 'max of:' : `max plus ${floatText(tie)} times others of:`;
    return matched(score, isSum ? 'sum of:' : max, found);
  }

  /** By the object that scores best, or worst where the least score counts. */
  #nested(node: NestedNode, doc: number, score: number | undefined): Explanation {
    if (score === undefined) return unmatched('Not a match');
    const { objects, mode } = node;
    const inner = node.inner as PlanNode;
    const { statistics } = this.view;
    const view: IndexView = {
      ...this.view,
      leaves: objects.leaves,
      nested: objects.inner,
      statistics: statistics?.within(objects.path),
    };
    let count = 0;
    let shown: Explanation | undefined;
    let [first, last] = [0, 0];
    for (const { leaf, parents, base, from, to } of objects.join(this.leaf)) {
      const start = lowerBound(parents, from, to, base + doc);
      const end = lowerBound(parents, start, to, base + doc + 1);
      if (start === end) continue;
      let explainer = this.#inner.get(leaf);
      if (explainer === undefined) this.#inner.set(leaf, (explainer = new Explainer(view, leaf)));
      [first, last] = [start, end - 1];
      for (let object = start; object < end; object++) {
        const part = explainer.explain(inner, object);
        if (!part.matched) continue;
        count++;
        const isBetter =
          shown === undefined || (mode === 'min' ? part.value < shown.value : part.value > shown.value);
        if (isBetter) shown = part;
      }
    }
    if (mode === 'none') shown = matched(0, `ConstantScore(${nodeText(inner, view)})^0.0`);
    const name = mode === 'sum' ? 'Total' : mode[0]!.toUpperCase() + mode.slice(1);
    const text = `Score based on ${count} child docs in range from ${first} to ${last}, using score mode ${name}`;
    return matched(score, text, shown === undefined ? [] : [shown]);
  }

  #boosting(node: BoostingNode, doc: number, score: number | undefined): Explanation {
    const { positive, negative, factor, boost } = node;
    const inner = this.explain(positive, doc);
    if (score === undefined) return inner;
    const text = `score(ConstantScore(${nodeText(negative, this.view)}))`;
    const whole = `weight(FunctionScoreQuery(${nodeText(positive, this.view)}, scored by boost(queryboost(${text})^${floatText(factor)})))`;
    let part = inner;
    if (this.score(negative, doc) !== undefined) {
      const product = this.score(positive, doc)! * factor;
      const details = [inner, matched(factor, `Matched boosting query ${text}`)];
      part = matched(product, 'product of:', details);
    }
    return boost === 1
      ? matched(score, `${whole}, result of:`, [part])
      : matched(score, `${whole}, product of:`, [matched(boost, 'boost'), part]);
  }
}

type Occur = 'must' | 'mustNot' | 'should' | 'filter';

/** The clauses in the order of the query, where it is known. */
function inOrder({ clauses }: BoolNode): readonly { readonly occur: Occur; readonly node: PlanNode }[] {
  const must = inlined(clauses.must, 'must');
  const should = inlined(clauses.should, 'should');
  const lists: Record<Occur, readonly PlanNode[]> = { ...clauses, must, should };
  const occurs = ['must', 'mustNot', 'should', 'filter'] as const;
  const all = occurs.flatMap((occur) => lists[occur].map((node) => ({ occur, node })));
  const { order } = clauses;
  if (order === undefined) return all;
  const at = (node: PlanNode): number => (order.includes(node) ? order.indexOf(node) : order.length);
  return all.sort((a, b) => at(a.node) - at(b.node));
}

/** Clauses with those of a combination of the same kind among them in its place: they are only rounded apart. */
function inlined(nodes: readonly PlanNode[], occur: 'must' | 'should'): readonly PlanNode[] {
  return nodes.flatMap((node) => {
    const own = clausesAlone(node, occur);
    return own === undefined ? [node] : inlined(own, occur);
  });
}

/** The clauses of a combination without a boost that has no others; undefined for any other node. */
function clausesAlone(node: PlanNode, occur: 'must' | 'should'): readonly PlanNode[] | undefined {
  if (node instanceof ScoringNode && node.isBoosted) return undefined;
  if (node instanceof DisMaxNode) return node.tie === 1 && occur === 'should' ? node.nodes : undefined;
  if (!(node instanceof BoolNode) || node.clauses.least > 1) return undefined;
  const { must, filter, should, mustNot, [occur]: own } = node.clauses;
  return own.length === must.length + filter.length + should.length + mustNot.length ? own : undefined;
}
