// JSON over several lines, with integers of any size.

import { toJson } from '@octavo/client';

/** An array that fits into so many characters stays on its line. */
const SHORT = 60;

export function prettyJson(value: unknown, indent: string = ''): string {
  if (typeof value !== 'object' || value === null) return toJson(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((each) => toJson(each)).join(', ')}]`;
    if (line.length <= SHORT) return line;
    return block(
      '[',
      value.map((each) => prettyJson(each, inner)),
      ']',
      indent,
    );
  }
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${prettyJson(each, inner)}`,
  );
  return members.length === 0 ? '{}' : block('{', members, '}', indent);
}

function block(open: string, parts: readonly string[], close: string, indent: string): string {
  return `${open}\n${indent}  ${parts.join(`,\n${indent}  `)}\n${indent}${close}`;
}
