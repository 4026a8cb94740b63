// The parts of an analysed text: places with terms, and forks where synonyms of several words make paths of different lengths.
// Forks are as short as possible: they end at the first position that all paths pass.

import type { Token } from '../../../analysis/analyzer.ts';

/** The terms at one place of a text. */
export interface TextPlace {
  readonly position: number;
  readonly terms: readonly string[];
  /** Whether the text ends with the last of these terms: nothing, not even a space, follows it. */
  readonly endsText: boolean;
}

/** Several ways through a part of a text. */
export interface TextFork {
  readonly position: number;
  /** Empty positions before it. */
  readonly gap: number;
  readonly paths: readonly (readonly TextPlace[])[];
}

export type TextPart = TextPlace | TextFork;

export function isFork(part: TextPart): part is TextFork {
  return 'paths' in part;
}

/** A token as an edge between two states. */
interface Edge {
  readonly term: string;
  readonly from: number;
  readonly to: number;
  /** Positions since the token before it on its path. */
  readonly step: number;
}

/** The parts of a text whose tokens span several positions. `count` is called for each path. */
export function graphParts(tokens: readonly Token[], count: () => void): TextPart[] {
  const edges = liveEdges(edgesOf(tokens));
  const parts: TextPart[] = [];
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const last = edges.reduce((most, { to }) => Math.max(most, to), 0);
  let position = -1;
  for (let state = 0; state < last; ) {
    const end = nextCut(leaving, state);
    const out = leaving.get(state)!;
    position += out[0]!.step;
    if (out.every(({ to }) => to === out[0]!.to)) {
      const terms = [...new Set(out.map(({ term }) => term))];
      parts.push({ position, terms, endsText: end === last });
    } else {
      const paths: TextPlace[][] = [];
      const follow = (at: number, before: readonly TextPlace[]): void => {
        if (at === end) {
          count();
          paths.push([...before]);
          return;
        }
        for (const edge of leaving.get(at) ?? []) {
          const place = (before.at(-1)?.position ?? position - edge.step) + edge.step;
          const next = { position: place, terms: [edge.term], endsText: end === last && edge.to === last };
          follow(edge.to, [...before, next]);
        }
      };
      follow(state, []);
      parts.push({ position, gap: out[0]!.step - 1, paths });
      position = Math.max(...paths.map((path) => path.at(-1)!.position));
    }
    state = end;
  }
  return parts;
}

/** Numbers the states as Lucene does: positions without a token are no states of their own. */
function edgesOf(tokens: readonly Token[]): Edge[] {
  const edges: Edge[] = [];
  let state = -1;
  let gap = 0;
  let step = 1;
  let before = -1;
  for (const { term, position, positionLength } of tokens) {
    const moved = position - before;
    before = position;
    if (moved === 0) state -= gap;
    else {
      state++;
      gap = moved - 1;
      step = moved;
    }
    edges.push({ term, from: state, to: state + positionLength + gap, step });
    state += gap;
  }
  return edges;
}

/** The edges on a way from the first state to the last. */
function liveEdges(edges: readonly Edge[]): Edge[] {
  const last = edges.reduce((most, { to }) => Math.max(most, to), 0);
  const reached = new Set([0]);
  for (const { from, to } of edges.toSorted((a, b) => a.from - b.from))
    if (reached.has(from)) reached.add(to);
  const leading = new Set([last]);
  for (const { from, to } of edges.toSorted((a, b) => b.to - a.to)) if (leading.has(to)) leading.add(from);
  return edges.filter(({ from, to }) => reached.has(from) && leading.has(to));
}

/** The first state behind `state` that no edge jumps over. */
function nextCut(leaving: ReadonlyMap<number, readonly Edge[]>, state: number): number {
  let end = state + 1;
  for (let at = state; at < end; at++) for (const { to } of leaving.get(at) ?? []) end = Math.max(end, to);
  return end;
}

/** Each text that a way through all parts spells. */
export function spelledOut(parts: readonly TextPart[], count: () => void): TextPlace[][] {
  let texts: TextPlace[][] = [[]];
  for (const part of parts) {
    const ways: readonly (readonly TextPlace[])[] = isFork(part)
      ? part.paths
      : part.terms.map((term) => [{ ...part, terms: [term] }]);
    texts = texts.flatMap((text) =>
      ways.map((way) => {
        count();
        const last = text.at(-1);
        // Ways have different lengths: what follows moves up to their ends.
        const shift = last === undefined ? 0 : last.position + stepBefore(parts, part) - part.position;
        return [...text, ...way.map((place) => ({ ...place, position: place.position + shift }))];
      }),
    );
  }
  return texts;
}

/** Positions between a part and the end of the one before it. */
function stepBefore(parts: readonly TextPart[], part: TextPart): number {
  const before = parts[parts.indexOf(part) - 1];
  if (before === undefined) return 1;
  const end = isFork(before)
    ? Math.max(...before.paths.map((path) => path.at(-1)!.position))
    : before.position;
  return part.position - end;
}
