// Where in a body does an error lie? Parsers know objects and keys, not lines and columns: an error carries the object,
// and who has the text finds the rest, once there is an error.

import type { EngineError } from './errors.ts';

/** A place in parsed JSON. */
export interface Place {
  /** The object or array, by identity. */
  readonly holder: object;
  /** The name of a member, or the index of an item; undefined for the holder itself. */
  readonly key?: string;
  /** The name of the member, its value, or the end of the holder. */
  readonly at: 'key' | 'value' | 'end';
}

const places = new WeakMap<EngineError, Place>();

/** Says where an error lies, unless that was said already: the innermost parser knows best. Gives the error back. */
export function placed<E extends EngineError>(error: E, place: Place): E {
  if (!places.has(error)) places.set(error, place);
  return error;
}

/** Where an error lies, if anybody said so. */
export function placeOf(error: EngineError): Place | undefined {
  return places.get(error);
}

/** Where the parser of the peer stood when it met an error: behind the name, where that was what it refused. */
export function stoodAt(error: EngineError): Place | undefined {
  const place = places.get(error);
  return place?.at === 'key' ? { ...place, at: 'value' } : place;
}
