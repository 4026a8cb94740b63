// Patterns of users. All ways through a pattern are followed at once, character by character, so that the time grows with the
// text times the pattern, never beyond; a limit of steps holds for each text. Of all matches, the first and most preferred wins,
// as in Java.
//
// Source: Pike, The text editor sam (1987); Cox, Regular Expression Matching: the Virtual Machine Approach (2009); Barrière and
// Pit-Claudel, Linear Matching of JavaScript Regular Expressions (2024), for what looks around.

import { illegalArgument } from '../../errors.ts';
import { anyOfSets, type CharSet, LINE_ENDS, WORDS } from './char-set.ts';
import { type Look, type Program, patternProgram } from './compile-pattern.ts';
import { type PatternFlags, parsePattern } from './parse-pattern.ts';
import type { PlaceKind } from './pattern-tree.ts';

/** Steps for any text, and for each of its characters. A step takes about 0.1 µs. */
const FREE_STEPS = 400_000;
const STEPS_PER_CHARACTER = 64;

/** Where a match and its groups begin and end, in pairs of UTF-16 units; -1 for a group that took no part. */
export type PatternMatch = readonly number[];

export class Pattern {
  readonly source: string;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  readonly #program: Program;
  readonly #first: CharSet | undefined;

  /** Throws pattern_syntax_exception for a malformed pattern, illegal_argument_exception for one that is not supported. */
  constructor(source: string, flags: PatternFlags) {
    const { root, groups, names } = parsePattern(source, flags);
    this.source = source;
    this.groups = groups;
    this.names = names;
    this.#program = patternProgram(root);
    this.#first = firstOf(this.#program);
  }

  /** All matches of a text, each behind the one before. */
  *matches(text: string): Generator<PatternMatch> {
    const run = new Run(this.#program, this.groups, text, this.source);
    for (let from = 0; from <= text.length; ) {
      from = this.#skip(text, from);
      const match = run.find(from, false);
      if (match === undefined) return;
      yield match;
      from = match[1]! === match[0]! ? match[1]! + 1 : match[1]!;
    }
  }

  /** The next place where a match can begin. */
  #skip(text: string, from: number): number {
    const first = this.#first;
    if (first === undefined) return from;
    let at = from;
    while (at < text.length) {
      const code = text.codePointAt(at)!;
      if (first.has(code)) break;
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }

  /** Whether the pattern matches the whole of a text. */
  isMatch(text: string): boolean {
    return new Run(this.#program, this.groups, text, this.source).find(0, true) !== undefined;
  }
}

/** The characters with which each match begins; undefined if a match may begin without one. */
function firstOf(program: Program): CharSet | undefined {
  const sets: CharSet[] = [];
  const waiting = [0];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const one = program[at]!;
    if (one.op === 'chars') sets.push(one.set);
    else if (one.op === 'split') waiting.push(one.first, one.second);
    else if (one.op === 'jump') waiting.push(one.to);
    else if (one.op === 'save') waiting.push(at + 1);
    else return undefined;
  }
  return sets.length === 0 ? undefined : anyOfSets(sets);
}

/** The ways through a program at one place of a text, the preferred first. */
class Ways {
  readonly at: number[] = [];
  readonly slots: number[][] = [];
  readonly #seen: Int32Array;
  #round = 0;

  constructor(size: number) {
    this.#seen = new Int32Array(size);
  }

  clear(): void {
    this.at.length = 0;
    this.slots.length = 0;
    this.#round++;
  }

  /** Whether an instruction is met for the first time. */
  isNew(instruction: number): boolean {
    if (this.#seen[instruction] === this.#round) return false;
    this.#seen[instruction] = this.#round;
    return true;
  }
}

/** One text under one pattern. */
class Run {
  readonly #program: Program;
  readonly #slots: number;
  readonly #text: string;
  readonly #source: string;
  readonly #looks = new Map<Look, Uint8Array>();
  readonly #waiting: number[] = [];
  readonly #waitingSlots: number[][] = [];
  #steps = 0;
  #now: Ways;
  #next: Ways;

  constructor(program: Program, groups: number, text: string, source: string) {
    this.#program = program;
    this.#slots = groups * 2 + 2;
    this.#text = text;
    this.#source = source;
    this.#now = new Ways(program.length);
    this.#next = new Ways(program.length);
  }

  /** The first match from a place on; `isWhole` asks for one of the whole text. */
  find(from: number, isWhole: boolean): PatternMatch | undefined {
    const text = this.#text;
    let found: number[] | undefined;
    this.#now.clear();
    for (let at = from; ; ) {
      if (found === undefined && (at === from || !isWhole)) {
        const slots = new Array<number>(this.#slots).fill(-1);
        slots[0] = at;
        this.#follow(this.#program, this.#now, 0, slots, at);
      }
      const code = at < text.length ? text.codePointAt(at)! : -1;
      const after = at + (code > 0xffff ? 2 : 1);
      this.#next.clear();
      const { at: ways, slots: all } = this.#now;
      this.#step(ways.length);
      for (let i = 0; i < ways.length; i++) {
        const instruction = ways[i]!;
        const one = this.#program[instruction]!;
        const slots = all[i]!;
        if (one.op === 'match') {
          if (isWhole && at < text.length) continue;
          found = slots;
          found[1] = at;
          break;
        }
        if (one.op === 'chars' && code >= 0 && one.set.has(code))
          this.#follow(this.#program, this.#next, instruction + 1, slots, after);
      }
      [this.#now, this.#next] = [this.#next, this.#now];
      if (code < 0) return found;
      if (this.#now.at.length === 0 && (found !== undefined || isWhole)) return found;
      at = after;
    }
  }

  /** Adds an instruction, and all that it leads to without a character. */
  #follow(program: Program, ways: Ways, from: number, slots: number[], at: number): void {
    const waiting = this.#waiting;
    const waitingSlots = this.#waitingSlots;
    // Looking around uses the same lists, above what waits here.
    const bottom = waiting.length;
    waiting.push(from);
    waitingSlots.push(slots);
    let steps = 0;
    while (waiting.length > bottom) {
      const instruction = waiting.pop()!;
      const own = waitingSlots.pop()!;
      if (!ways.isNew(instruction)) continue;
      steps++;
      const one = program[instruction]!;
      let next = -1;
      switch (one.op) {
        case 'split':
          waiting.push(one.second, one.first);
          waitingSlots.push(own, own);
          continue;
        case 'jump':
          next = one.to;
          break;
        case 'save': {
          const saved = own.slice();
          saved[one.slot] = at;
          waiting.push(instruction + 1);
          waitingSlots.push(saved);
          continue;
        }
        case 'place':
          if (this.#isAt(one.place, at)) next = instruction + 1;
          break;
        case 'look':
          if (this.#placesOf(one.look)[at] === (one.look.isNegative ? 0 : 1)) next = instruction + 1;
          break;
        default:
          ways.at.push(instruction);
          ways.slots.push(own);
      }
      if (next < 0) continue;
      waiting.push(next);
      waitingSlots.push(own);
    }
    this.#step(steps);
  }

  /** The places where a look ahead or behind finds its pattern. */
  #placesOf(look: Look): Uint8Array {
    const known = this.#looks.get(look);
    if (known !== undefined) return known;
    const { program, isAhead } = look;
    const text = this.#text;
    const places = new Uint8Array(text.length + 1);
    let now = new Ways(program.length);
    let next = new Ways(program.length);
    now.clear();
    for (let at = isAhead ? text.length : 0; ; ) {
      this.#follow(program, now, 0, [], at);
      const end = isAhead ? 0 : text.length;
      const code = at === end ? -1 : isAhead ? codeBefore(text, at) : text.codePointAt(at)!;
      const size = code > 0xffff ? 2 : 1;
      const after = isAhead ? at - size : at + size;
      next.clear();
      this.#step(now.at.length);
      for (const instruction of now.at) {
        const one = program[instruction]!;
        if (one.op === 'match') places[at] = 1;
        else if (one.op === 'chars' && code >= 0 && one.set.has(code))
          this.#follow(program, next, instruction + 1, [], after);
      }
      if (code < 0) break;
      [now, next] = [next, now];
      at = after;
    }
    this.#looks.set(look, places);
    return places;
  }

  #isAt(place: PlaceKind, at: number): boolean {
    const text = this.#text;
    const end = text.length;
    switch (place) {
      case 'text-start':
        return at === 0;
      case 'text-end':
        return at === end;
      case 'text-end-or-break':
        return at === end || (isLineEnd(text, at) && at + breakLength(text, at) === end);
      case 'line-start':
        // At the end of a text no line starts.
        return at < end && (at === 0 || isBehindBreak(text, at));
      case 'line-end':
        return at === end || isLineEnd(text, at);
      default: {
        const isEdge = isWord(text, at - 1) !== isWord(text, at);
        return isEdge === (place === 'word-edge');
      }
    }
  }

  #step(count: number): void {
    this.#steps += count;
    const { length } = this.#text;
    if (this.#steps > FREE_STEPS + STEPS_PER_CHARACTER * length)
      throw illegalArgument(
        `The pattern [${this.#source}] takes too many steps over a text of ${length} characters. Use a simpler pattern, or shorter texts.`,
      );
  }
}

function codeBefore(text: string, at: number): number {
  const pair = at > 1 ? text.codePointAt(at - 2)! : 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && WORDS.has(text.charCodeAt(at));
}

/** Whether a line ends here; the second character of a break is not its end. */
function isLineEnd(text: string, at: number): boolean {
  if (at >= text.length || !LINE_ENDS.has(text.charCodeAt(at))) return false;
  return !(text[at] === '\n' && at > 0 && text[at - 1] === '\r');
}

function breakLength(text: string, at: number): number {
  return text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
}

function isBehindBreak(text: string, at: number): boolean {
  if (!LINE_ENDS.has(text.charCodeAt(at - 1))) return false;
  return !(text[at - 1] === '\r' && text[at] === '\n');
}
