// Prints sizes and times: with one decimal, cut and not rounded, as by the peer; or in whole units on request. Reads sizes.

import { EngineError } from '@octavo/engine';

const BYTE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1024 ** 4,
  p: 1024 ** 5,
  pb: 1024 ** 5,
};

const BYTE_STEPS: readonly [string, number][] = [
  ['pb', 1024 ** 5],
  ['tb', 1024 ** 4],
  ['gb', 1024 ** 3],
  ['mb', 1024 ** 2],
  ['kb', 1024],
];

/** `3355` → `3.2kb`; with a unit, whole ones: (3355, 'kb') → `3`. Unknown units count as none. */
export function bytesText(bytes: number, unit?: string): string {
  const size = unit === undefined ? undefined : BYTE_UNITS[unit];
  if (size !== undefined) return String(Math.floor(bytes / size));
  for (const [name, step] of BYTE_STEPS) if (bytes >= step) return `${oneDecimal(bytes / step)}${name}`;
  return `${bytes}b`;
}

const TIME_UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const TIME_STEPS: readonly [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** `1234` milliseconds → `1.2s`; with a unit, whole ones: (1234, 's') → `1`. */
export function millisText(millis: number, unit?: string): string {
  const size = unit === undefined ? undefined : TIME_UNITS[unit];
  if (size !== undefined) return String(Math.floor(millis / size));
  for (const [name, step] of TIME_STEPS) if (millis >= step) return `${oneDecimal(millis / step)}${name}`;
  return millis === 0 ? '0s' : `${millis}ms`;
}

/** One decimal, cut; none when it is 0. */
function oneDecimal(value: number): string {
  const tenths = Math.floor(value * 10);
  return tenths % 10 === 0 ? String(tenths / 10) : (tenths / 10).toFixed(1);
}

/** `5gb` in bytes. Throws parse_exception; `name` is what has the value. */
export function parseByteSize(text: string, name: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgtp]?b|[kmgtp])$/.exec(text.trim().toLowerCase());
  const unit = match?.[2];
  if (match !== null && unit !== undefined) return Math.floor(Number(match[1]) * BYTE_UNITS[unit]!);
  if (text.trim() === '0' || text.trim() === '-1') return Number(text);
  throw new EngineError(
    'parse_exception',
    `failed to parse setting [${name}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
  );
}
