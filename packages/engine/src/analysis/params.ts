// Reads the settings of analysis components: strings or JSON, with OpenSearch's errors for invalid
// values.

import { illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** A whole number setting. */
export function intParam(params: JsonObject, key: string, fallback: number): number {
  const value = params[key];
  if (value === undefined || value === null) return fallback;
  const number = typeof value === 'string' && /^[+-]?\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || Math.abs(number) > 2147483647) {
    throw illegalArgument(`Failed to parse value [${plainText(value)}] for setting [${key}]`);
  }
  return number;
}

/** A true or false setting. */
export function boolParam(params: JsonObject, key: string, fallback: boolean): boolean {
  const value = params[key];
  if (value === undefined || value === null) return fallback;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw illegalArgument(`Failed to parse value [${plainText(value)}] as only [true] or [false] are allowed.`);
}

/** A text setting. */
export function textParam(params: JsonObject, key: string): string | undefined {
  const value = params[key];
  return value === undefined || value === null ? undefined : plainText(value);
}

/** A list setting: an array, `{0: …, 1: …}` of flattened settings, or text with commas. */
export function listParam(params: JsonObject, key: string): string[] | undefined {
  const value = params[key];
  return value === undefined || value === null ? undefined : listOf(value);
}

/** A value as a list of texts. */
export function listOf(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.map(plainText);
  if (value !== null && typeof value === 'object') return Object.values(value).map(plainText);
  const text = String(value);
  const list = listText(text);
  if (list !== undefined) return list;
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * Flat settings store a list as the compact JSON text of its strings (see IndexInfo); undefined for other
 * texts.
 */
function listText(text: string): string[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) && items.every((item) => typeof item === 'string') ? items : undefined;
  } catch {
    return undefined;
  }
}

/** Throws where words or rules shall come from a file of the server. */
export function refuseFile(
  name: string,
  params: JsonObject,
  key: string,
  instead: string,
  kind: 'filter' | 'char_filter' = 'filter',
): void {
  if (params[key] === undefined || params[key] === null) return;
  throw illegalArgument(`[${key}] of ${kind} [${name}] is not supported: give [${instead}]`);
}
