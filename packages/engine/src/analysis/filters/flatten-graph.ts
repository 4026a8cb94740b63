// Makes a token graph flat, for indexing: positions of paths beside each other become one row, in which each path passes every
// position. An index keeps no lengths of positions, so that some phrases then match that should not.

import type { Token } from '../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../chain.ts';

/** A position of the graph. */
interface Inlet {
  readonly tokens: Token[];
  /** Where tokens from here lead: the furthest and the nearest position. */
  furthest: number;
  nearest: number;
  /** The flat position; -1 if no token has led here or left from here. */
  flat: number;
}

/** A position of the row, with the positions of the graph that it joins. */
interface Outlet {
  readonly joined: Set<number>;
  start: number;
  end: number;
}

export function flattenGraph(name: string): TokenFilter {
  return {
    name,
    apply(tokens) {
      const last = tokens.at(-1);
      const behind = last === undefined ? 0 : positionCountOf(tokens) - last.position - last.positionLength;
      const out = new Flattening().run(tokens);
      const end = out.reduce((most, token) => Math.max(most, token.position + token.positionLength), 0);
      return setPositionCount(out, end + Math.max(0, behind));
    },
  };
}

class Flattening {
  readonly #inlets: Inlet[] = [];
  readonly #outlets: Outlet[] = [];
  readonly #out: Token[] = [];
  /** The position that the last token left. */
  #from = -1;
  /** The flat position whose tokens are given out next. */
  #next = 0;
  #lastStart = 0;

  run(tokens: readonly Token[]): Token[] {
    this.#inlet(0).flat = 0;
    this.#outlet(0).joined.add(0);
    this.#outlet(0).start = 0;
    for (const token of tokens) {
      this.#add(token);
      this.#release(false);
    }
    this.#release(true);
    return this.#out;
  }

  #inlet(position: number): Inlet {
    return (this.#inlets[position] ??= {
      tokens: [],
      furthest: -1,
      nearest: Number.POSITIVE_INFINITY,
      flat: -1,
    });
  }

  #outlet(flat: number): Outlet {
    while (this.#outlets.length <= flat) this.#outlets.push({ joined: new Set(), start: -1, end: -1 });
    return this.#outlets[flat]!;
  }

  #add(token: Token): void {
    const step = token.position - this.#from;
    const from = (this.#from = token.position);
    const to = from + token.positionLength;
    const source = this.#inlet(from);
    if (source.flat === -1) this.#bridge(from, step, token.start);
    else {
      let outlet = this.#outlet(source.flat);
      const before = step > 1 && from >= step ? this.#inlet(from - step) : undefined;
      // A long path led here, past a gap in the other one: the gap counts.
      if (before !== undefined && source.flat - before.flat <= 1 && before.nearest !== from) {
        outlet.joined.delete(from);
        source.flat = -1;
        const { end } = outlet;
        outlet = this.#bridge(from, step, token.start);
        outlet.end = end;
      }
      outlet.start = Math.max(outlet.start, token.start);
    }
    source.tokens.push(token);
    source.furthest = Math.max(source.furthest, to);
    source.nearest = Math.min(source.nearest, to);
    const target = this.#inlet(to);
    const flat = source.flat + 1;
    if (flat > target.flat) {
      if (target.flat !== -1) this.#outlet(target.flat).joined.delete(to);
      this.#outlet(flat).joined.add(to);
      target.flat = flat;
    }
    const outlet = this.#outlet(target.flat);
    if (outlet.end === -1 || token.end < outlet.end) outlet.end = token.end;
  }

  /** Gives a position to which no token led, behind a gap, its place in the row. */
  #bridge(from: number, step: number, start: number): Outlet {
    const before = from - step;
    let flat = this.#outlets.length - 1;
    if (before >= 0) {
      const { nearest } = this.#inlet(before);
      if (nearest < from) flat = this.#inlet(nearest).flat + 1;
    } else flat++;
    this.#inlet(from).flat = flat;
    const outlet = this.#outlet(flat);
    outlet.start = Math.max(start, outlet.start);
    outlet.joined.add(from);
    return outlet;
  }

  /** Gives out the tokens whose places no later token can change. */
  #release(isLast: boolean): void {
    for (; this.#next < this.#outlets.length - 1; this.#next++) {
      const outlet = this.#outlet(this.#next);
      const inlets = [...outlet.joined].map((position) => this.#inlet(position));
      const furthest = Math.max(-1, ...inlets.map((inlet) => inlet.furthest));
      if (inlets.length === 0) continue;
      if (furthest > this.#from && !isLast) return;
      for (const position of outlet.joined) this.#give(position, outlet);
    }
  }

  #give(position: number, outlet: Outlet): void {
    for (const token of this.#inlet(position).tokens) {
      const to = this.#inlet(position + token.positionLength).flat;
      const start = Math.max(this.#lastStart, outlet.start);
      const end = Math.max(start, this.#outlet(to).end);
      this.#lastStart = start;
      this.#out.push({ ...token, position: this.#next, positionLength: to - this.#next, start, end });
    }
  }
}
