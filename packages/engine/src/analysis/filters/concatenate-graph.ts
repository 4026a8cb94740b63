// concatenate_graph: each way through the tokens of a text as one term.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Token } from '../analyzer.ts';
import { positionCountOf, type TokenFilter } from '../chain.ts';
import { boolParam, intParam, textParam } from '../params.ts';

/** Ways that are followed, and characters of all together. */
const MAX_WAYS = 10_000;
const MAX_LENGTH = 4_000_000;

/** An edge of the graph. An empty place has no term. */
interface Edge {
  readonly to: number;
  readonly term: string;
}

export function concatenateGraph(name: string, params: JsonObject): TokenFilter {
  const separator = textParam(params, 'token_separator') ?? ' ';
  if (separator.length > 1)
    throw illegalArgument('token_separator must be either empty or a single character');
  const keepsGaps = boolParam(params, 'preserve_position_increments', false);
  const most = intParam(params, 'max_graph_expansions', 100);
  return {
    name,
    makesTokens: true,
    apply(tokens, end) {
      if (tokens.length === 0) return [];
      if (most === 0 || most < -1)
        throw illegalArgument(`limit must be -1 (which means no limit), or > 0; got: ${most}`);
      const texts = [...ways(keepsGaps ? withGaps(tokens) : withoutGaps(tokens), separator)];
      const sorted = texts.map((text) => Buffer.from(text)).sort(Buffer.compare);
      return sorted.slice(0, most === -1 ? texts.length : most).map((bytes): Token => {
        const term = bytes.toString();
        return { term, start: 0, end, position: 0, positionLength: 1, type: 'word' };
      });
    },
  };
}

type Graph = ReadonlyMap<number, readonly Edge[]>;

/** Edges between positions; places without tokens are edges of their own. */
function withGaps(tokens: Token[]): { graph: Graph; last: number } {
  const last = positionCountOf(tokens);
  const edges = new Map<number, Edge[]>();
  const reached = new Set<number>([0]);
  const add = (from: number, edge: Edge): void => {
    const list = edges.get(from);
    if (list === undefined) edges.set(from, [edge]);
    else list.push(edge);
    reached.add(edge.to);
  };
  for (const { term, position, positionLength } of tokens)
    add(position, { to: position + positionLength, term });
  for (let at = 0; at < last; at++) if (!edges.has(at)) add(at, { to: at + 1, term: '' });
  return { graph: edges, last };
}

/** Edges between positions, where each token follows the one before it. */
function withoutGaps(tokens: readonly Token[]): { graph: Graph; last: number } {
  const edges = new Map<number, Edge[]>();
  let position = -1;
  let before = -1;
  let last = 0;
  for (const token of tokens) {
    if (token.position > before) position++;
    before = token.position;
    const to = position + token.positionLength;
    last = Math.max(last, to);
    edges.set(position, [...(edges.get(position) ?? []), { to, term: token.term }]);
  }
  return { graph: edges, last };
}

function ways({ graph, last }: { graph: Graph; last: number }, separator: string): Set<string> {
  const found = new Set<string>();
  let followed = 0;
  let length = 0;
  const waiting: { at: number; text: string | undefined }[] = [{ at: 0, text: undefined }];
  for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) {
    const { at, text } = way;
    length += text?.length ?? 0;
    if (++followed > MAX_WAYS * 10 || found.size > MAX_WAYS || length > MAX_LENGTH)
      throw illegalArgument('The tokens have too many ways through them to be joined: use fewer synonyms');
    if (at === last) {
      if (text !== undefined) found.add(text);
      continue;
    }
    for (const { to, term } of graph.get(at) ?? [])
      waiting.push({ at: to, text: text === undefined ? term : text + separator + term });
  }
  return found;
}
