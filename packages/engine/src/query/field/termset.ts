// Which documents of a field have any term of a set? Those whose postings or column say so; and all or none where the
// mapping says that every document has the same value.

import { plainText } from '../../json/java-text.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import type { Node } from '../node/node.ts';
import { type Dictionary, TermSetNode, type TermSource } from '../node/terms/term-set-node.ts';
import { compareBytes } from '../node/terms/term-sources.ts';
import { finish } from '../steps.ts';
import { utf8 } from './value.ts';

/** Documents with any term of a set; every match scores `boost`. */
export function termSet(field: FieldType, source: TermSource, boost: number): Node {
  if (field.kind !== 'constant_keyword') return new TermSetNode(field.path, source, boost);
  const value = field.params['value'];
  const word = new OneWord(utf8(value === undefined || value === null ? '' : plainText(value)));
  return finish(source.ordinals(word)).length > 0 ? new AllNode(boost) : NONE;
}

/** The dictionary of a constant_keyword. */
class OneWord implements Dictionary {
  readonly count = 1;
  readonly sorted = true;
  readonly #word: Uint8Array;

  constructor(word: Uint8Array) {
    this.#word = word;
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    return compareBytes(bytes.subarray(start, end), this.#word) === 0 ? 0 : -1;
  }

  term(): Uint8Array {
    return this.#word;
  }

  lowerBound(bytes: Uint8Array): number {
    return compareBytes(bytes, this.#word) <= 0 ? 0 : 1;
  }

  ordinals(): Iterable<number> {
    return [0];
  }
}
