// Plans queries on metadata fields, which every document has without a mapping: `_id`, `_index`, `_type`,
// `_routing`, `_ignored`, `_field_names`, `_seq_no`. Each is searched where it is stored.

import type { JsonValue } from '../../json/value.ts';
import { isNamedIgnored } from '../../mapping/ignored-names.ts';
import { textKey } from '../node/cache-key.ts';
import { constantNode } from '../node/clauses/constant-score-node.ts';
import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { TermSetNode } from '../node/terms/term-set-node.ts';
import { exactTerms } from '../node/terms/term-sources.ts';
import { idsNode, seqNoNode } from '../node/values/documents-node.ts';
import { ExistsNode } from '../node/values/exists-node.ts';
import { PredicateNode } from '../node/values/predicate-node.ts';
import type { Planner } from '../plan/planner.ts';
import type { TermSource } from '../query-terms.ts';
import { plainString, utf8 } from './field-value.ts';

const decoder = new TextDecoder();

const META: ReadonlySet<string> = new Set([
  '_id',
  '_index',
  '_type',
  '_routing',
  '_ignored',
  '_field_names',
  '_seq_no',
  '_primary_term',
  '_source',
  '_version',
  '_doc_count',
  '_tier',
]);

/** Whether a path is that of a metadata field. */
export function isMeta(path: string): boolean {
  return path.charCodeAt(0) === 95 && META.has(path);
}

/** Documents whose metadata field has any of some values. */
export function metaTerms(
  planner: Planner,
  path: string,
  values: readonly JsonValue[],
  boost: number,
): PlanNode {
  const texts = values.map(plainString);
  switch (path) {
    case '_id':
      return texts.length === 0 ? NONE : idsNode(texts, boost);
    case '_index':
      return texts.some((text) => matchesIndex(planner, text)) ? new AllNode(boost) : NONE;
    case '_type':
      return typeNode(texts, boost);
    case '_routing':
      return routingNode(texts.join('\0'), boost, (routing) => texts.includes(routing));
    case '_ignored': {
      const names = texts.filter((text) => isNamedIgnored(planner.view.mapping, text, planner.compat));
      return new TermSetNode(path, exactTerms(names.map(utf8)), boost);
    }
    case '_field_names': {
      const nodes = texts.map((text) => new ExistsNode(text, 1));
      return planner.withoutScores(() => constantNode(planner.combine({ should: nodes, least: 1 }), boost));
    }
    case '_seq_no': {
      const numbers = texts.map(Number).filter((n) => Number.isSafeInteger(n));
      const nodes = numbers.map((n) => seqNoNode(n, n, 1));
      return planner.withoutScores(() => constantNode(planner.combine({ should: nodes, least: 1 }), boost));
    }
    case '_primary_term':
      return texts.includes('1') ? new AllNode(boost) : NONE;
    default:
      throw planner.misfit(`The ${path} field is not searchable`);
  }
}

/** Whether a name or pattern of `_index` matches the index of the view. */
export function matchesIndex(planner: Planner, pattern: string): boolean {
  return planner.names().some((own) => simpleMatch(pattern, own));
}

/** `*` matches anything; nothing else is special. Linear time. */
export function simpleMatch(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  if (pieces.length === 1) return pattern === text;
  const first = pieces[0]!;
  const last = pieces[pieces.length - 1]!;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** Documents of some types; those written without a type path are of type `_doc`. */
function typeNode(types: readonly string[], boost: number): PlanNode {
  const accepted = new Set(types);
  const key = `type(${[...accepted].sort().map(textKey).join('')})`;
  return new PredicateNode(
    key,
    boost,
    ({ docs }) =>
      (doc) =>
        accepted.has(docs.type(doc)),
  );
}

/** Documents that were written under a type: no others have the field. */
function typedNode(boost: number): PlanNode {
  return new PredicateNode(
    'typed()',
    boost,
    ({ docs }) =>
      (doc) =>
        docs.type(doc) !== '_doc',
  );
}

/** Documents whose routing passes a test, of those that have one. */
export function routingNode(name: string, boost: number, test: (routing: string) => boolean): PlanNode {
  return new PredicateNode(`routing(${textKey(name)})`, boost, ({ docs }) => (doc) => {
    const routing = docs.routing(doc);
    return routing !== undefined && test(routing);
  });
}

/** The terms of `_ignored` that the peer has too. */
function namedIgnored({ view, compat }: Planner): TermSource {
  return {
    key: `ignored(${compat})`,
    *ordinals(terms) {
      const names = [...terms.ordinals()];
      return names.filter((ordinal) =>
        isNamedIgnored(view.mapping, decoder.decode(terms.term(ordinal)), compat),
      );
    },
  };
}

/** Documents that have the metadata field. */
export function metaExists(planner: Planner, path: string, boost: number): PlanNode {
  switch (path) {
    case '_id':
    case '_index':
    case '_seq_no':
    case '_version':
      return new AllNode(boost);
    case '_primary_term':
      return NONE;
    case '_type':
      return typedNode(boost);
    case '_routing':
      return routingNode('*', boost, () => true);
    case '_ignored':
      return new TermSetNode(path, namedIgnored(planner), boost);
    case '_doc_count':
      return new ExistsNode(path, boost);
    default:
      throw planner.misfit(`The ${path} field is not searchable`);
  }
}
