// Random choices from a seed. The same seed gives the same choices, so a case is named by two numbers.

/** A stream of choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number in [0, 1) (mulberry32, T. Ettinger 2017). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer of `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)]!;
  }

  /** One of the first entries more often than one of the last: as words lie in texts. */
  skewed<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() ** 2 * from.length)]!;
  }

  /** Up to `most` different entries, at least one. */
  some<T>(from: readonly T[], most: number): T[] {
    const rest = [...from];
    const taken: T[] = [];
    for (let left = this.int(1, Math.min(most, rest.length)); left > 0; left--)
      taken.push(...rest.splice(Math.floor(this.next() * rest.length), 1));
    return taken;
  }

  /** A list of `least` to `most` made entries. */
  list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: this.int(least, most) }, make);
  }

  /** One of the makers, by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of choices) {
      left -= weight;
      if (left < 0) return make();
    }
    return choices.at(-1)![1]();
  }

  /** The members that a coin has chosen, each with its own probability or `probability`. */
  members(probability: number, all: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
    const chosen: Record<string, unknown> = {};
    for (const [name, make] of Object.entries(all)) if (this.chance(probability)) chosen[name] = make();
    return chosen;
  }
}

/** The seed of part `index` of a run. */
export function seedOf(seed: number, index: number): number {
  return Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b);
}
