// Explains the scores of terms and phrases: idf and tf of BM25 with what they are computed from.

import type { Explanation } from '../../api.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { PhraseNode } from '../../query/node/terms/phrase-node.ts';
import { findGroup } from '../../query/node/terms/posting-groups.ts';
import type { TermNode } from '../../query/node/terms/term-node.ts';
import { averageLength, idf, NO_NORM } from '../../score/bm25.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import { LENGTHS } from '../../segment/postings/norms.ts';
import { matched, type NodeExplainer } from './explanation.ts';
import { floatText, nodeText } from './node-text.ts';

const { fround } = Math;

/** REQUIRES: the document has the term, and the node gives it `score`. */
export function explainTerm(
  explainer: NodeExplainer,
  node: TermNode,
  doc: number,
  score: number,
): Explanation {
  const { leaf } = explainer;
  const terms = leaf.terms(node.path);
  const { factors } = node;
  if (terms === undefined || factors === undefined) return matched(score, weightText(explainer, node, doc));
  const ordinal = terms.find(node.bytes, 0, node.bytes.length);
  const group = findGroup(terms.postings, ordinal, Math.floor(doc / CHUNK_DOCS));
  const norm = leaf.norms(node.path)?.[doc] ?? NO_NORM;
  const freq = terms.postings.freq(terms.postings.find(group, doc % CHUNK_DOCS), norm);
  const { boost, docFreq, docCount } = factors;
  const how = 'freq, occurrences of term within document';
  return scoreParts(explainer, node, doc, score, boost, rarity(docFreq, docCount), matched(freq, how));
}

/** REQUIRES: the document has the phrase, and the node has just given it `score`: its frequency is still there. */
export function explainPhrase(
  explainer: NodeExplainer,
  node: PhraseNode,
  doc: number,
  score: number,
): Explanation {
  const { stats } = explainer;
  const { docCount } = stats.field(node.path);
  const parts: Explanation[] = [];
  let sum = 0;
  for (const { terms } of node.slots) {
    for (const term of terms) {
      const { docFreq } = stats.term(node.path, term);
      if (docFreq === 0) continue;
      parts.push(rarity(docFreq, docCount));
      sum += idf(docFreq, docCount);
    }
  }
  const freq = node.scratch.freqs[doc % CHUNK_DOCS]!;
  const whole = parts.length === 1 ? parts[0]! : matched(sum, 'idf, sum of:', parts);
  const boost = shortestFloat(fround(Number((node.weight / fround(sum)).toPrecision(6))));
  return scoreParts(
    explainer,
    node,
    doc,
    score,
    boost,
    whole,
    matched(freq, `phraseFreq=${floatText(freq)}`),
  );
}

function weightText({ view }: NodeExplainer, node: TermNode | PhraseNode, doc: number): string {
  return `weight(${nodeText(node, view)} in ${doc}) [PerFieldSimilarity], result of:`;
}

function rarity(docFreq: number, docCount: number): Explanation {
  return matched(idf(docFreq, docCount), 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:', [
    matched(docFreq, 'n, number of documents containing term'),
    matched(docCount, 'N, total number of documents with field'),
  ]);
}

function scoreParts(
  explainer: NodeExplainer,
  node: TermNode | PhraseNode,
  doc: number,
  score: number,
  boost: number,
  rare: Explanation,
  frequency: Explanation,
): Explanation {
  const { stats, leaf } = explainer;
  const { similarity, sumTotalTermFreq, docCount } = stats.field(node.path);
  const text = weightText(explainer, node, doc);
  if (similarity.kind === 'boolean')
    return matched(score, text, [
      matched(score, 'score(BooleanWeight), computed from:', [matched(score, 'boost, query boost')]),
    ]);
  const norm = leaf.norms(node.path)?.[doc] ?? NO_NORM;
  const freq = frequency.value;
  const tf = fround(1 - fround(1 / fround(1 + fround(freq * node.inverses[norm]!))));
  const part = matched(tf, 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:', [
    frequency,
    matched(similarity.k1, 'k1, term saturation parameter'),
    matched(similarity.b, 'b, length normalization parameter'),
    matched(LENGTHS[norm]!, `dl, length of field${LENGTHS[norm]! < 40 ? '' : ' (approximate)'}`),
    matched(averageLength(sumTotalTermFreq, docCount), 'avgdl, average length of field'),
  ]);
  const product = [...(boost === 1 ? [] : [matched(boost, 'boost')]), rare, part];
  const how = `score(freq=${floatText(freq)}), computed as boost * idf * tf from:`;
  return matched(score, text, [matched(score, how, product)]);
}
