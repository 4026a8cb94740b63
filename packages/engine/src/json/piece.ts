// How is text written that is the same every time? Eight bytes at a time, from words made once. ASCII never looks like a NaN,
// whose bits a machine may change: words of it may pass as doubles, which is what a DataView writes at any place.

import { bytesOf } from './bytes.ts';

const WORD = 8;

/** ASCII text, made ready to be written often. */
export class Piece {
  readonly length: number;
  /** Its bytes, the first in the lowest; spaces behind. */
  readonly words: Float64Array;

  /** REQUIRES: ASCII. */
  constructor(text: string) {
    this.length = text.length;
    this.words = new Float64Array(Math.ceil(text.length / WORD));
    const { buffer, byteOffset } = bytesOf(text.padEnd(this.words.length * WORD));
    const view = new DataView(buffer, byteOffset);
    for (let i = 0; i < this.words.length; i++) this.words[i] = view.getFloat64(i * WORD, true);
  }
}
