// Errors about broken JSON, in OpenSearch's (Jackson's) words, with line and column.

import { EngineError } from '../errors.ts';
import { utf8Text } from './bytes.ts';

/** Line and column (both from 1, in bytes) of a position. O(position). */
export function lineAndColumn(
  bytes: Uint8Array,
  start: number,
  position: number,
): { line: number; col: number } {
  let line = 1;
  let lineStart = start;
  for (let i = start; i < position; i++) {
    if (bytes[i] === 10) {
      line++;
      lineStart = i + 1;
    }
  }
  return { line, col: position - lineStart + 1 };
}

/** An error at a byte position. */
export function jsonFault(
  bytes: Uint8Array,
  start: number,
  position: number,
  what: string,
  type: 'json_parse_exception' | 'json_e_o_f_exception' = 'json_parse_exception',
): EngineError {
  const { line, col } = lineAndColumn(bytes, start, position);
  return new EngineError(type, `${what}\n at [line: ${line}, column: ${col}]`, {
    details: { line, col },
  });
}

/** `('x' (code 120))`, as Jackson names a character. */
export function charName(bytes: Uint8Array, position: number, end: number): string {
  const byte = bytes[position]!;
  if (byte < 32) return `((CTRL-CHAR, code ${byte}))`;
  let stop = position + 1;
  while (byte >= 0xc0 && stop < end && stop < position + 4 && (bytes[stop]! & 0xc0) === 0x80) stop++;
  const text = utf8Text(bytes, position, stop);
  return `('${text}' (code ${text.codePointAt(0)}))`;
}
