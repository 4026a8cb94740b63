// word_delimiter_graph: the parts of each term, and joined parts as paths beside them.

import type { JsonObject } from '../../../json/value.ts';
import type { Token } from '../../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../../chain.ts';
import { boolParam } from '../../params.ts';
import {
  Catenation,
  catenates,
  cutParts,
  generates,
  type PartOptions,
  partOptions,
  type WordPart,
} from './word-parts.ts';

export function wordDelimiterGraph(name: string, params: JsonObject): TokenFilter {
  const options = partOptions(name, params);
  const adjusts = boolParam(params, 'adjust_offsets', true);
  const skipsKeywords = boolParam(params, 'ignore_keywords', false);
  return {
    name,
    forSynonyms: 'refused',
    attributes: ['keyword'],
    apply(tokens) {
      const out: Token[] = [];
      let position = -1;
      let before = -1;
      let gap = 0;
      let lastStart = 0;
      for (const token of tokens) {
        const step = token.position - before;
        before = token.position;
        const emitWhole = (moved: number): void => {
          position += moved;
          gap = 0;
          out.push({ ...token, position });
        };
        if (skipsKeywords && token.keyword === true) {
          const held = gap;
          emitWhole(step);
          gap = held;
          continue;
        }
        gap += step;
        const { term } = token;
        const { parts, isSingle } = cutParts(term, options);
        const isWhole = parts[0]?.start === 0 && parts[0].end === term.length;
        if (isWhole || options.protectedWords.has(term)) {
          emitWhole(gap);
        } else if (parts.length === 0) {
          // A term of delimiters leaves a gap.
          if (options.keepsOriginal) emitWhole(step);
        } else {
          const adjusted = adjusts && token.end - token.start === term.length;
          const first = position + gap;
          for (const { text, from, to, start, end } of piecesOf(term, parts, isSingle, options)) {
            position = first + from;
            gap = 0;
            const begins = Math.max(adjusted ? token.start + start : token.start, lastStart);
            const ends = Math.max(adjusted ? token.start + end : token.end, lastStart);
            lastStart = begins;
            out.push({ ...token, term: text, start: begins, end: ends, position, positionLength: to - from });
          }
        }
      }
      const last = tokens.at(-1);
      const behind = last === undefined ? 0 : positionCountOf(tokens) - last.position - last.positionLength;
      return setPositionCount(out, positionCountOf(out) + Math.max(0, behind));
    },
  };
}

/** A token to be: from one position of its term to another. */
interface Piece {
  readonly text: string;
  readonly from: number;
  to: number;
  readonly start: number;
  readonly end: number;
}

function piecesOf(
  term: string,
  parts: readonly WordPart[],
  isSingle: boolean,
  options: PartOptions,
): Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  const add = (text: string, from: number, start: number, end: number): void => {
    pieces.push({ text, from, to: position, start, end });
  };
  const part = ({ start, end }: WordPart): void => {
    position++;
    add(term.slice(start, end), position - 1, start, end);
  };
  let run = new Catenation();
  const all = new Catenation();
  let joined = 0;
  const flush = (): void => {
    if (run.count === 0) return;
    // Where parts are no tokens, joined ones take the position.
    if (position === run.position) position++;
    joined = run.count;
    if (run.count !== 1 || !generates(run.type, options)) add(run.text, run.position, run.start, run.end);
    run = new Catenation();
  };
  if (isSingle) part(parts[0]!);
  else {
    for (const one of parts) {
      if ((run.type & one.type) === 0) flush();
      if (catenates(one.type, options)) run.add(term, one, position);
      if (options.catenateAll) all.add(term, one, position);
      if (generates(one.type, options)) part(one);
    }
    flush();
    if (all.count > joined) {
      if (position === all.position) position++;
      add(all.text, all.position, all.start, all.end);
    }
  }
  pieces.sort((a, b) => a.start - b.start || b.end - a.end);
  if (!options.keepsOriginal) return pieces;
  return [{ text: term, from: 0, to: Math.max(1, position), start: 0, end: term.length }, ...pieces];
}
