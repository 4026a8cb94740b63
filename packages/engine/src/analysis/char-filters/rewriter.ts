// Builds the text of a character filter piece by piece, with the origin of every unit.

import type { FilteredText } from '../chain.ts';

export class Rewriter {
  #out: string[] = [];
  #origins: number[] = [];

  /** Adds text that came from `from`: verbatim, unit by unit, or as a whole. */
  add(text: string, from: number, verbatim: boolean): void {
    this.#out.push(text);
    for (let i = 0; i < text.length; i++) this.#origins.push(verbatim ? from + i : from);
  }

  finish(length: number): FilteredText {
    const origins = this.#origins;
    return {
      text: this.#out.join(''),
      // An end maps to the origin of the unit behind it, so text removed inside a token stays inside its
      // offsets.
      offset: (index) => (index < origins.length ? origins[index]! : length),
    };
  }
}
