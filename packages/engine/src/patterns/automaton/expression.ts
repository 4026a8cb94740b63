// Regular expressions with derivatives: the derivative by a character is the expression of what may still
// follow it. Equal trees are one object, so that states are compared by number. Unions are kept flat, sorted
// and free of repeats, which makes the number of derivatives finite.
//
//   d(ab*) by a = b*        d(a|ab) by a = ε|b        d(~e) = ~d(e)        d(e&f) = d(e)&d(f)
//
// Source: Brzozowski, Derivatives of Regular Expressions (1964); Owens, Reppy, Turon (2009).

import { illegalArgument } from '../../errors.ts';

/** Number of an expression in its table. */
export type Id = number;

/** Code points from … to, both inclusive, in pairs, ascending and apart. */
export type Ranges = readonly number[];

type Shape =
  | { readonly kind: 'never' | 'empty' }
  | { readonly kind: 'chars'; readonly ranges: Ranges }
  | { readonly kind: 'then'; readonly first: Id; readonly rest: Id }
  | { readonly kind: 'or' | 'and'; readonly of: readonly Id[] }
  | { readonly kind: 'not'; readonly of: Id }
  | { readonly kind: 'repeat'; readonly of: Id; readonly min: number; readonly max: number };

/** The largest code point. */
export const LAST = 0x10ffff;

/** An unbounded number of times. */
export const MANY: number = Number.POSITIVE_INFINITY;

/** Expressions of one pattern. */
export class Expressions {
  readonly never: Id;
  readonly empty: Id;
  readonly any: Id;
  readonly anything: Id;
  readonly #shapes: Shape[] = [];
  readonly #nullable: boolean[] = [];
  readonly #known = new Map<string, Id>();
  /** What is left of the effort. */
  #left: number;
  readonly #effort: number;

  /** `effort`: the most steps that building and deriving may take, one for each expression that is looked at. */
  constructor(effort: number) {
    this.#effort = effort;
    this.#left = effort;
    this.never = this.#make('0', { kind: 'never' }, false);
    this.empty = this.#make('1', { kind: 'empty' }, true);
    this.any = this.chars([0, LAST]);
    this.anything = this.repeat(this.any, 0, MANY);
  }

  /** Whether the expression matches the empty string. */
  nullable(id: Id): boolean {
    return this.#nullable[id]!;
  }

  /** One character of some ranges. */
  chars(ranges: Ranges): Id {
    if (ranges.length === 0) return this.never;
    return this.#make(`c${ranges.join()}`, { kind: 'chars', ranges }, false);
  }

  // biome-ignore lint/suspicious/noThenProperty: it builds a sequence, and is no promise.
  then(first: Id, rest: Id): Id {
    if (first === this.never || rest === this.never) return this.never;
    if (first === this.empty) return rest;
    if (rest === this.empty) return first;
    const parts: Id[] = [];
    let last = first;
    for (let shape = this.#shapes[last]!; shape.kind === 'then'; shape = this.#shapes[last]!) {
      parts.push(shape.first);
      last = shape.rest;
    }
    parts.push(last);
    this.#spend(parts.length);
    let out = rest;
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i]!;
      const nullable = this.#nullable[part]! && this.#nullable[out]!;
      out = this.#make(`t${part},${out}`, { kind: 'then', first: part, rest: out }, nullable);
    }
    return out;
  }

  or(list: readonly Id[]): Id {
    const flat = this.#flat('or', list, this.never);
    if (flat.includes(this.anything)) return this.anything;
    if (flat.length <= 1) return flat[0] ?? this.never;
    const nullable = flat.some((id) => this.#nullable[id]!);
    return this.#make(`o${flat.join()}`, { kind: 'or', of: flat }, nullable);
  }

  and(list: readonly Id[]): Id {
    const flat = this.#flat('and', list, this.anything);
    if (flat.includes(this.never)) return this.never;
    if (flat.length <= 1) return flat[0] ?? this.anything;
    const nullable = flat.every((id) => this.#nullable[id]!);
    return this.#make(`a${flat.join()}`, { kind: 'and', of: flat }, nullable);
  }

  not(of: Id): Id {
    const shape = this.#shapes[of]!;
    if (shape.kind === 'not') return shape.of;
    if (of === this.never) return this.anything;
    if (of === this.anything) return this.never;
    return this.#make(`n${of}`, { kind: 'not', of }, !this.#nullable[of]!);
  }

  /** REQUIRES: 0 <= min <= max. */
  repeat(of: Id, min: number, max: number): Id {
    if (max === 0 || of === this.empty) return this.empty;
    if (of === this.never) return min === 0 ? this.empty : this.never;
    if (min === 1 && max === 1) return of;
    const shape = this.#shapes[of]!;
    if (max === MANY && shape.kind === 'repeat' && shape.max === MANY && shape.min <= 1 && min <= 1) {
      return shape.min <= min ? of : this.repeat(shape.of, 0, MANY);
    }
    const nullable = min === 0 || this.#nullable[of]!;
    return this.#make(`r${of},${min},${max}`, { kind: 'repeat', of, min, max }, nullable);
  }

  /** What may follow the code point. */
  derivative(id: Id, codePoint: number): Id {
    this.#spend(1);
    const shape = this.#shapes[id]!;
    switch (shape.kind) {
      case 'never':
      case 'empty':
        return this.never;
      case 'chars':
        return contains(shape.ranges, codePoint) ? this.empty : this.never;
      case 'then': {
        const first = this.then(this.derivative(shape.first, codePoint), shape.rest);
        return this.#nullable[shape.first]!
          ? this.or([first, this.derivative(shape.rest, codePoint)])
          : first;
      }
      case 'or':
        return this.or(shape.of.map((each) => this.derivative(each, codePoint)));
      case 'and':
        return this.and(shape.of.map((each) => this.derivative(each, codePoint)));
      case 'not':
        return this.not(this.derivative(shape.of, codePoint));
      case 'repeat': {
        const left = this.repeat(shape.of, Math.max(0, shape.min - 1), shape.max - 1);
        return this.then(this.derivative(shape.of, codePoint), left);
      }
    }
  }

  /** First code points of the ranges within which all characters are equivalent, ascending from 0. */
  boundaries(): number[] {
    const starts = new Set<number>([0]);
    for (const shape of this.#shapes) {
      if (shape.kind !== 'chars') continue;
      for (let i = 0; i < shape.ranges.length; i += 2) {
        starts.add(shape.ranges[i]!);
        if (shape.ranges[i + 1]! < LAST) starts.add(shape.ranges[i + 1]! + 1);
      }
    }
    return [...starts].sort((a, b) => a - b);
  }

  /** Throws where a pattern takes more steps than it may. */
  #spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) {
      throw illegalArgument(
        `Determinizing automaton would require more than ${this.#effort} effort. Simplify the expression or raise [max_determinized_states].`,
      );
    }
  }

  #flat(kind: 'or' | 'and', list: readonly Id[], neutral: Id): Id[] {
    const out = new Set<Id>();
    for (const id of list) {
      const shape = this.#shapes[id]!;
      this.#spend(shape.kind === kind ? shape.of.length : 1);
      if (shape.kind === kind) for (const each of shape.of) out.add(each);
      else if (id !== neutral) out.add(id);
    }
    return [...out].sort((a, b) => a - b);
  }

  #make(key: string, shape: Shape, nullable: boolean): Id {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = this.#shapes.length;
    this.#shapes.push(shape);
    this.#nullable.push(nullable);
    this.#known.set(key, id);
    return id;
  }
}

/** Whether some range holds the code point. */
function contains(ranges: Ranges, codePoint: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    if (codePoint < ranges[i]!) return false;
    if (codePoint <= ranges[i + 1]!) return true;
  }
  return false;
}

/** Sorts and merges ranges given in any order. */
export function union(pairs: readonly (readonly [number, number])[]): number[] {
  const sorted = [...pairs].filter(([from, to]) => from <= to).sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [from, to] of sorted) {
    const last = out.length - 1;
    if (last > 0 && from <= out[last]! + 1) out[last] = Math.max(out[last]!, to);
    else out.push(from, to);
  }
  return out;
}

/** Everything outside the ranges. */
export function complement(ranges: Ranges): number[] {
  const out: number[] = [];
  let from = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! > from) out.push(from, ranges[i]! - 1);
    from = ranges[i + 1]! + 1;
  }
  if (from <= LAST) out.push(from, LAST);
  return out;
}
