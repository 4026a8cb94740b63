// Stands in for the engine's strict JSON parser until that is exported; then this file goes.

import { EngineError, type JsonValue } from '@octavo/engine';

/** `JSON.parse` with null prototypes. */
export function parseJson(bytes: Uint8Array): JsonValue {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.setPrototypeOf(value, null)
        : value,
    ) as JsonValue;
  } catch (error) {
    throw new EngineError('json_parse_exception', (error as Error).message);
  }
}
