// word_delimiter: the parts of each term, and joined parts on top of them.

import type { JsonObject } from '../../../json/value.ts';
import type { Token } from '../../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../../chain.ts';
import {
  Catenation,
  catenates,
  cutParts,
  generates,
  type PartOptions,
  partOptions,
  type WordPart,
} from './word-parts.ts';

export function wordDelimiter(name: string, params: JsonObject): TokenFilter {
  const options = partOptions(name, params);
  return {
    name,
    forSynonyms: 'refused',
    attributes: ['keyword'],
    apply(tokens) {
      const run = new Delimiting(options);
      for (const token of tokens) run.add(token);
      const last = tokens.at(-1);
      const behind = last === undefined ? 0 : positionCountOf(tokens) - last.position - last.positionLength;
      return setPositionCount(run.out, positionCountOf(run.out) + Math.max(0, behind));
    },
  };
}

/** A token of a term, with the positions that it moves on. */
interface Piece {
  readonly token: Token;
  readonly step: number;
}

class Delimiting {
  readonly out: Token[] = [];
  readonly #options: PartOptions;
  #position = -1;
  /** The position of the last token that was read. */
  #before = -1;
  #gap = 0;
  #isFirst = true;
  /** Whether the run of parts of one kind has given a token, and whether any stands on the original. */
  #hasToken = false;
  #isBehindOriginal = false;

  constructor(options: PartOptions) {
    this.#options = options;
  }

  add(token: Token): void {
    const { term } = token;
    const step = token.position - this.#before;
    this.#before = token.position;
    this.#gap += step;
    const { parts, isSingle } = cutParts(term, this.#options);
    const isWhole = parts[0]?.start === 0 && parts[0].end === term.length;
    if (isWhole || this.#options.protectedWords.has(term)) {
      this.#emitWhole(token);
      return;
    }
    if (parts.length === 0 && !this.#options.keepsOriginal) {
      // A term of delimiters leaves no gap, unless it stands first.
      if (step === 1 && !this.#isFirst) this.#gap--;
      return;
    }
    this.#hasToken = false;
    this.#isBehindOriginal = !this.#options.keepsOriginal;
    if (this.#options.keepsOriginal) this.#emitWhole(token);
    if (isSingle) {
      const [{ start, end }] = parts as [WordPart];
      const isExact = token.end - token.start === term.length;
      const from = token.start + start;
      const place = isExact
        ? { start: from, end: token.start + end }
        : { start: from <= token.end ? from : token.start, end: token.end };
      this.#emit({
        token: { ...plain(token), term: term.slice(start, end), ...place },
        step: this.#step(false),
      });
      return;
    }
    const pieces = this.#pieces(token, parts);
    pieces.sort((a, b) => a.token.start - b.token.start || b.step - a.step);
    for (const piece of pieces) this.#emit(piece);
  }

  #emitWhole(token: Token): void {
    this.#position += this.#gap;
    this.#gap = 0;
    this.#isFirst = false;
    this.out.push({ ...token, position: this.#position });
  }

  #emit({ token, step }: Piece): void {
    this.#position += this.#isFirst && step === 0 ? 1 : step;
    this.#isFirst = false;
    this.out.push({ ...token, position: this.#position });
  }

  #pieces(token: Token, parts: readonly WordPart[]): Piece[] {
    const options = this.#options;
    const { term } = token;
    const isExact = token.end - token.start === term.length;
    const pieces: Piece[] = [];
    const add = (text: string, start: number, end: number, isJoined: boolean): void => {
      const place = isExact ? { start: token.start + start, end: token.start + end } : {};
      pieces.push({ token: { ...plain(token), term: text, ...place }, step: this.#step(isJoined) });
    };
    const write = ({ text, start, end }: Catenation): void => {
      add(text, start, end, true);
      this.#gap = 0;
    };
    let run = new Catenation();
    const all = new Catenation();
    let joined = 0;
    const flush = (): void => {
      joined = run.count;
      if (run.count !== 1 || !generates(run.type, options)) write(run);
      run = new Catenation();
    };
    for (const part of parts) {
      if (run.count > 0 && (run.type & part.type) === 0) {
        flush();
        this.#hasToken = false;
      }
      if (catenates(part.type, options)) run.add(term, part, 0);
      if (options.catenateAll) all.add(term, part, 0);
      if (generates(part.type, options)) add(term.slice(part.start, part.end), part.start, part.end, false);
    }
    if (run.count > 0) flush();
    if (all.count > joined) write(all);
    return pieces;
  }

  /** The positions that a token moves on; joined parts stand on what is there. */
  #step(isJoined: boolean): number {
    const gap = this.#gap;
    if (this.#hasToken) {
      this.#gap = 0;
      return isJoined ? 0 : Math.max(1, gap);
    }
    this.#hasToken = true;
    if (!this.#isBehindOriginal) {
      this.#isBehindOriginal = true;
      return 0;
    }
    this.#gap = 0;
    return Math.max(1, gap);
  }
}

/** A token without what filters set. */
function plain({ term, start, end, type }: Token): Token {
  return { term, start, end, position: 0, positionLength: 1, type };
}
