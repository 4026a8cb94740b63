// Resolves date math names such as `<logs-{now/d}>`: the expression in braces becomes a date, in UTC.

import { EngineError } from '@octavo/engine';

/** The name with its dates filled in; names without angle brackets are returned as they are. */
export function resolveDateMathName(name: string, now: number = Date.now()): string {
  if (!name.startsWith('<') || !name.endsWith('>')) return name;
  let out = '';
  let at = 1;
  while (at < name.length - 1) {
    if (name[at] !== '{') {
      out += name[at++];
      continue;
    }
    const end = closingBrace(name, at);
    const body = name.slice(at + 1, end);
    const brace = body.indexOf('{');
    const math = brace < 0 ? body : body.slice(0, brace);
    const format = brace < 0 ? 'yyyy.MM.dd' : body.slice(brace + 1, -1).split('|')[0]!;
    out += formatDate(evaluateMath(math, name, now), format);
    at = end + 1;
  }
  return out;
}

function closingBrace(name: string, start: number): number {
  let depth = 0;
  for (let i = start; i < name.length; i++) {
    if (name[i] === '{') depth++;
    else if (name[i] === '}' && --depth === 0) return i;
  }
  throw invalidExpression(name);
}

const STEPS = /([+-])(\d+)([yMwdhHms])|\/([yMwdhHms])/gy;

/** `now-1d/M` as a date. */
function evaluateMath(math: string, name: string, now: number): Date {
  if (!math.startsWith('now')) throw invalidExpression(name);
  const date = new Date(now);
  const rest = math.slice(3);
  STEPS.lastIndex = 0;
  let at = 0;
  while (at < rest.length) {
    const match = STEPS.exec(rest);
    if (match === null) throw invalidExpression(name);
    if (match[4] !== undefined) roundDown(date, match[4]);
    else shift(date, match[3]!, Number(`${match[1]}${match[2]}`));
    at = STEPS.lastIndex;
  }
  return date;
}

function shift(date: Date, unit: string, by: number): void {
  if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + by);
  else if (unit === 'M') date.setUTCMonth(date.getUTCMonth() + by);
  else if (unit === 'w') date.setUTCDate(date.getUTCDate() + 7 * by);
  else if (unit === 'd') date.setUTCDate(date.getUTCDate() + by);
  else if (unit === 'm') date.setUTCMinutes(date.getUTCMinutes() + by);
  else if (unit === 's') date.setUTCSeconds(date.getUTCSeconds() + by);
  else date.setUTCHours(date.getUTCHours() + by);
}

function roundDown(date: Date, unit: string): void {
  date.setUTCMilliseconds(0);
  if (unit === 's') return;
  date.setUTCSeconds(0);
  if (unit === 'm') return;
  date.setUTCMinutes(0);
  if (unit === 'h' || unit === 'H') return;
  date.setUTCHours(0);
  if (unit === 'w') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (unit === 'M' || unit === 'y') date.setUTCDate(1);
  if (unit === 'y') date.setUTCMonth(0);
}

function formatDate(date: Date, format: string): string {
  const pad = (value: number, length: number): string => String(value).padStart(length, '0');
  return format.replace(/y+|u+|M+|d+|H+|m+|s+/g, (run) => {
    if (run[0] === 'y' || run[0] === 'u') {
      return run.length === 2 ? pad(date.getUTCFullYear() % 100, 2) : pad(date.getUTCFullYear(), run.length);
    }
    if (run[0] === 'M') return pad(date.getUTCMonth() + 1, run.length);
    if (run[0] === 'd') return pad(date.getUTCDate(), run.length);
    if (run[0] === 'H') return pad(date.getUTCHours(), run.length);
    return pad(run[0] === 'm' ? date.getUTCMinutes() : date.getUTCSeconds(), run.length);
  });
}

function invalidExpression(name: string): EngineError {
  return new EngineError('parse_exception', `invalid dynamic name expression [${name}]`);
}
