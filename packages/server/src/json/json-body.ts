// Parses JSON bodies: strictly, with exact longs, and with the peer's errors where a body is not an object.

import { EngineError, isObject, type JsonObject, type JsonValue, parseJson } from '@octavo/engine';
import type { Limits } from '../limits.ts';

/** The limits of bodies that are parsed. */
export type JsonLimits = Pick<Limits, 'nesting' | 'jsonBodyBytes' | 'jsonValues'>;

/** The body as JSON within the limits; undefined for an empty body or white space. */
export function parseBody(body: Uint8Array, limits: JsonLimits | undefined): JsonValue | undefined {
  if (limits === undefined) return isBlank(body) ? undefined : parseJson(body);
  const { jsonBodyBytes, jsonValues, nesting } = limits;
  if (body.length > jsonBodyBytes) {
    throw new EngineError(
      'content_too_long_exception',
      `this JSON has [${body.length}] bytes, which is more than the limit of [${jsonBodyBytes}] (jsonBodyBytes); send less at once`,
    );
  }
  return isBlank(body) ? undefined : parseJson(body, { maxDepth: nesting, maxValues: jsonValues });
}

/** The body as an object; `{}` for an empty body. Without limits for what this server has stored. */
export function parseObjectBody(body: Uint8Array, limits: JsonLimits | undefined): JsonObject {
  const value = parseBody(body, limits);
  if (value === undefined) return Object.create(null) as JsonObject;
  if (!isObject(value)) {
    throw new EngineError(
      'parsing_exception',
      `Expected [START_OBJECT] but found [${firstTokenName(value)}]`,
      {
        details: { line: 1, col: 1 },
      },
    );
  }
  return value;
}

/** The peer's name of the token that a value begins with. */
export function firstTokenName(value: JsonValue): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  switch (typeof value) {
    case 'object':
      return 'START_OBJECT';
    case 'string':
      return 'VALUE_STRING';
    case 'boolean':
      return 'VALUE_BOOLEAN';
    default:
      return 'VALUE_NUMBER';
  }
}

function isBlank(body: Uint8Array): boolean {
  for (let i = 0; i < body.length; i++) if (body[i]! > 32) return false;
  return true;
}
