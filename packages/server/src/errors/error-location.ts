// Finds the line and column of an error in the request body. The position is looked up only after an error:
// text and parsed value are walked in parallel until the object the error names is reached.

import { EngineError, type ErrorPlace, errorPlaceOf, type JsonObject, type JsonValue } from '@octavo/engine';

/** Longer bodies are not searched. */
const MOST_BYTES = 1 << 20;

interface LineColumn {
  readonly line: number;
  readonly col: number;
}

/**
 * Adds line and column as the peer shows them: as members of a parsing_exception, in the message of others.
 * Columns count bytes from 1. O(body).
 */
export function locateError(error: EngineError, root: JsonValue | undefined, body: Uint8Array): EngineError {
  if (root === undefined || body.length > MOST_BYTES || !hasLocation(error)) return error;
  // One character per byte.
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  return addLocations(error, (place) => new LocationFinder(text, place).find(root));
}

/** True if the error, or one of its causes, is shown with line and column. */
export function hasLocation(error: EngineError): boolean {
  return errorPlaceOf(error) !== undefined || (error.causedBy !== undefined && hasLocation(error.causedBy));
}

function addLocations(error: EngineError, find: (place: ErrorPlace) => LineColumn | undefined): EngineError {
  const causedBy = error.causedBy === undefined ? undefined : addLocations(error.causedBy, find);
  const place = errorPlaceOf(error);
  const spot = place === undefined ? undefined : find(place);
  const { message, details } = spot === undefined ? error : describeAt(error, spot);
  return new EngineError(error.type, message, {
    status: error.status,
    details,
    ...(causedBy === undefined ? {} : { causedBy }),
  });
}

function describeAt(error: EngineError, { line, col }: LineColumn): { message: string; details: JsonObject } {
  const { message, details } = error;
  switch (error.type) {
    case 'parsing_exception':
      return { message, details: { ...details, line, col } };
    case 'x_content_parse_exception':
    case 'named_object_not_found_exception':
      return { message: `[${line}:${col}] ${message}`, details };
    case 'illegal_argument_exception':
      if (message.endsWith('empty clause found'))
        return { message: `${message} at [${line}:${col}]`, details };
      return { message, details };
    default:
      return { message, details };
  }
}

/** Walks valid JSON text to one place. The depth is bounded by that of the parsed value. */
class LocationFinder {
  readonly #text: string;
  readonly #place: ErrorPlace;
  #at = 0;

  constructor(text: string, place: ErrorPlace) {
    this.#text = text;
    this.#place = place;
  }

  find(root: JsonValue): LineColumn | undefined {
    return this.#value(root) ? this.#spot() : undefined;
  }

  /** True if it has stopped at the place. */
  #value(value: JsonValue): boolean {
    this.#space();
    if (this.#text[this.#at] === '{') return this.#members(value as JsonObject);
    if (this.#text[this.#at] === '[') return this.#items(value as JsonValue[]);
    if (this.#text[this.#at] === '"') this.#string();
    else while (this.#at < this.#text.length && !/[\s,\]}]/.test(this.#text[this.#at]!)) this.#at++;
    return false;
  }

  #members(object: JsonObject): boolean {
    for (this.#at++; ; this.#at++) {
      this.#space();
      if (this.#text[this.#at] === '}') return this.#end(object);
      const start = this.#at;
      const written = this.#string();
      // Half a surrogate pair in an escape was replaced when the key was parsed.
      const key = Object.hasOwn(object, written) ? written : written.toWellFormed();
      if (this.#isHere(object, key, 'key')) {
        this.#at = start;
        return true;
      }
      this.#space();
      this.#at++;
      this.#space();
      if (this.#isHere(object, key, 'value') || this.#value(object[key]!)) return true;
      this.#space();
      if (this.#text[this.#at] !== ',') return this.#end(object);
    }
  }

  #items(items: JsonValue[]): boolean {
    this.#at++;
    for (let i = 0; ; i++) {
      this.#space();
      if (this.#text[this.#at] === ']') return this.#end(items);
      if (this.#isHere(items, String(i), 'value') || this.#value(items[i]!)) return true;
      this.#space();
      if (this.#text[this.#at] !== ',') return this.#end(items);
      this.#at++;
    }
  }

  #end(holder: object): boolean {
    if (holder === this.#place.holder && this.#place.at === 'end') return true;
    this.#at++;
    return false;
  }

  #isHere(holder: object, key: string, at: ErrorPlace['at']): boolean {
    return holder === this.#place.holder && key === this.#place.key && at === this.#place.at;
  }

  #string(): string {
    const start = this.#at;
    for (this.#at++; this.#at < this.#text.length && this.#text[this.#at] !== '"'; this.#at++)
      if (this.#text[this.#at] === '\\') this.#at++;
    this.#at++;
    return JSON.parse(Buffer.from(this.#text.slice(start, this.#at), 'latin1').toString('utf8')) as string;
  }

  #space(): void {
    while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) <= 32) this.#at++;
  }

  #spot(): LineColumn {
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    return { line, col: this.#at - before.lastIndexOf('\n') };
  }
}
