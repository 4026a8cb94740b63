// A deterministic automaton whose states are the derivatives of an expression. States are made when a
// dictionary first needs them, and characters that the pattern cannot tell apart share a class.

import { illegalArgument } from '../../errors.ts';
import { type Automaton, DEAD } from './automaton.ts';
import type { Expressions, Id } from './expression.ts';

const UNKNOWN = -2;

/** An automaton of an expression's derivatives. */
export class Derivatives implements Automaton {
  readonly key: string;
  readonly start: number;
  readonly #expressions: Expressions;
  readonly #maxStates: number;
  /** First code point of each class. */
  readonly #starts: number[];
  readonly #ascii = new Uint16Array(128);
  /** Expression of each state, its transitions by class, and the state of an expression. */
  readonly #ids: Id[] = [];
  readonly #next: Int32Array[] = [];
  readonly #states = new Map<Id, number>();

  constructor(key: string, expressions: Expressions, root: Id, maxStates: number) {
    this.key = key;
    this.#expressions = expressions;
    this.#maxStates = maxStates;
    this.#starts = expressions.boundaries();
    for (let c = 0; c < 128; c++) this.#ascii[c] = this.#search(c);
    this.start = this.#state(root);
  }

  step(state: number, codePoint: number): number {
    const symbol = codePoint < 128 ? this.#ascii[codePoint]! : this.#search(codePoint);
    const next = this.#next[state]![symbol]!;
    return next === UNKNOWN ? this.#derive(state, symbol) : next;
  }

  accepts(state: number): number {
    return this.#expressions.nullable(this.#ids[state]!) ? 0 : -1;
  }

  liveAfter(_state: number, codePoint: number): number {
    return codePoint + 1;
  }

  acceptsAll(state: number): boolean {
    return this.#ids[state] === this.#expressions.anything;
  }

  #derive(state: number, symbol: number): number {
    const id = this.#expressions.derivative(this.#ids[state]!, this.#starts[symbol]!);
    const next = id === this.#expressions.never ? DEAD : this.#state(id);
    this.#next[state]![symbol] = next;
    return next;
  }

  #state(id: Id): number {
    const known = this.#states.get(id);
    if (known !== undefined) return known;
    const state = this.#ids.length;
    if (state >= this.#maxStates) {
      throw illegalArgument(
        `Determinizing automaton would require more than ${this.#maxStates} states. Simplify the expression or raise [max_determinized_states].`,
      );
    }
    this.#ids.push(id);
    this.#next.push(new Int32Array(this.#starts.length).fill(UNKNOWN));
    this.#states.set(id, state);
    return state;
  }

  /** The class of a code point: the last that starts at or before it. */
  #search(codePoint: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >>> 1;
      if (starts[mid]! <= codePoint) low = mid;
      else high = mid - 1;
    }
    return low;
  }
}
