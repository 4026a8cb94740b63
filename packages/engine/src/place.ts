// The place of an error in a parsed JSON body. Parsers of queries see objects and keys, not lines and
// columns: they attach the object and key to the error, and the code that still has the text computes
// line and column, once an error exists.

import type { EngineError } from './errors.ts';

/** A place in parsed JSON. */
export interface ErrorPlace {
  /** The object or array, by identity. */
  readonly holder: object;
  /** The name of a member, or the index of an item; undefined for the holder itself. */
  readonly key?: string;
  /** The name of the member, its value, or the end of the holder. */
  readonly at: 'key' | 'value' | 'end';
}

const places = new WeakMap<EngineError, ErrorPlace>();

/**
 * Attaches a place to an error and returns it. The first call wins: the innermost parser knows the place
 * best.
 */
export function attachPlace<E extends EngineError>(error: E, place: ErrorPlace): E {
  if (!places.has(error)) places.set(error, place);
  return error;
}

/** The place of an error, if a parser attached one. */
export function errorPlaceOf(error: EngineError): ErrorPlace | undefined {
  return places.get(error);
}

/** The place that OpenSearch's parser reports: behind the name of a member that it refused. */
export function parserPlaceOf(error: EngineError): ErrorPlace | undefined {
  const place = places.get(error);
  return place?.at === 'key' ? { ...place, at: 'value' } : place;
}
