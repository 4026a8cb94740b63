// Validates content: reports every fault with its path, so that a writer can fix all of them at once.

import {
  ATTRIBUTES,
  type Attribute,
  type Entity,
  KINDS,
  type Kind,
  requiredAttribute,
  UNITS,
  type Unit,
} from './content.ts';
import { loneSurrogate } from './unicode.ts';
import { lengthIn, mapOffsets } from './units.ts';

/** All faults of content. */
export const PROBLEMS = {
  'unknown-unit': 'The unit is none of utf16, utf8 and codepoint.',
  'ill-formed': 'Half of a surrogate pair stands alone: such text has no UTF-8.',
  nul: 'The character U+0000 stands in it, which many stores cannot keep.',
  'not-an-entity': 'An entity is an object with kind, start and end.',
  'unknown-kind': 'The kind is none of user, topic, entity and link.',
  'unknown-attribute': 'Entities of this kind have no such property.',
  'missing-attribute': 'A user needs a username, a link an href.',
  'bad-attribute': 'The value is not a string with at least one character.',
  'bad-offset': 'A position is an integer that is not negative.',
  'out-of-range': 'The position lies behind the end of the text.',
  'empty-slice': 'The end is not behind the start: nothing of the text is inside.',
  'inside-character': 'The position is inside a surrogate pair or a UTF-8 sequence.',
  overlap: 'Two entities share some of the text.',
  nesting: 'One entity lies within another.',
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of content. */
export interface Problem {
  /** The path of the fault, such as `entities[2].end`, `text` or `unit`. */
  readonly path: string;
  readonly code: ProblemCode;
  /** A sentence with the wrong values. */
  readonly message: string;
}

type Report = (path: string, code: ProblemCode, message?: string) => void;

/**
 * All faults of content. Entities may be in any order. Entities and unit may be any JSON values. Never throws.
 * O(n + k log k).
 */
export function validateContent(
  text: string,
  entities: readonly unknown[],
  unit: string = 'utf16',
): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, code, message = PROBLEMS[code]) =>
    void problems.push({ path, code, message });
  checkCharacters(text, 'text', report);
  if (!isUnit(unit)) {
    report('unit', 'unknown-unit');
    return problems;
  }
  const length = lengthIn(text, unit);
  const ranges: Range[] = [];
  for (const [index, entity] of entities.entries()) {
    const path = `entities[${index}]`;
    if (!isRecord(entity)) {
      report(path, 'not-an-entity');
      continue;
    }
    checkAttributes(entity, path, report);
    if (checkRange(entity, path, length, report)) {
      ranges.push({ index, start: entity['start'] as number, end: entity['end'] as number });
    }
  }
  checkBoundaries(text, unit, ranges, report);
  checkOverlaps(ranges, report);
  return problems;
}

/** True for an entity without faults, except possibly in its range. */
export function isEntity(value: unknown): value is Entity {
  let good = isRecord(value);
  if (isRecord(value)) checkAttributes(value, '', () => void (good = false));
  return good;
}

interface Range {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

function checkAttributes(entity: Readonly<Record<string, unknown>>, path: string, report: Report): void {
  const kind = entity['kind'];
  if (!isKind(kind)) {
    report(`${path}.kind`, 'unknown-kind');
    return;
  }
  const own: readonly Attribute[] = ATTRIBUTES[kind];
  for (const name of Object.keys(entity)) {
    if (name === 'kind' || name === 'start' || name === 'end' || entity[name] === undefined) continue;
    if (!own.some((known) => known === name)) report(`${path}.${name}`, 'unknown-attribute');
    else if (typeof entity[name] !== 'string' || entity[name] === '')
      report(`${path}.${name}`, 'bad-attribute');
    else checkCharacters(entity[name], `${path}.${name}`, report);
  }
  const required = requiredAttribute(kind);
  if (required !== undefined && entity[required] === undefined)
    report(`${path}.${required}`, 'missing-attribute');
}

function checkCharacters(text: string, path: string, report: Report): void {
  if (loneSurrogate(text) !== -1) report(path, 'ill-formed');
  if (text.includes('\0')) report(path, 'nul');
}

function checkRange(
  entity: Readonly<Record<string, unknown>>,
  path: string,
  length: number,
  report: Report,
): boolean {
  let good = true;
  for (const side of ['start', 'end'] as const) {
    const value = entity[side];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      report(`${path}.${side}`, 'bad-offset');
    else if (value > length)
      report(`${path}.${side}`, 'out-of-range', `${value} lies behind the end of the text, ${length}.`);
    else continue;
    good = false;
  }
  if (!good) return false;
  const { start, end } = entity as unknown as Range;
  if (end > start) return true;
  report(`${path}.end`, 'empty-slice', `The end, ${end}, is not behind the start, ${start}.`);
  return false;
}

function checkBoundaries(text: string, unit: Unit, ranges: readonly Range[], report: Report): void {
  if (unit === 'codepoint') return;
  const offsets = ranges.flatMap(({ start, end }) => [start, end]);
  const { broken } = mapOffsets(text, offsets, unit, 'utf16');
  for (const [i, { index }] of ranges.entries()) {
    if (broken[2 * i]) report(`entities[${index}].start`, 'inside-character');
    if (broken[2 * i + 1]) report(`entities[${index}].end`, 'inside-character');
  }
}

/** Reports the later one (by index) of each pair that a sweep finds. Not every pair is found. O(k log k). */
function checkOverlaps(ranges: readonly Range[], report: Report): void {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end || a.index - b.index);
  let widest: Range | undefined;
  for (const range of sorted) {
    if (widest !== undefined && range.start < widest.end) {
      const [first, second] = range.index < widest.index ? [range, widest] : [widest, range];
      const code = range.end <= widest.end ? 'nesting' : 'overlap';
      const verb = code === 'overlap' ? 'overlaps' : 'nests with';
      report(
        `entities[${second.index}]`,
        code,
        `It ${verb} entities[${first.index}]; each part of the text is in one.`,
      );
    }
    if (widest === undefined || range.end > widest.end) widest = range;
  }
}

function isUnit(value: string): value is Unit {
  return UNITS.some((unit) => unit === value);
}

function isKind(value: unknown): value is Kind {
  return KINDS.some((kind) => kind === value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
