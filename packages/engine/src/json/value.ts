// The type of parsed JSON: as `JSON.parse` returns it, except that integers beyond 2^53 are bigints and
// objects have no prototype, so `__proto__` is a plain key.

/** A parsed JSON value. Integers beyond 2^53 are bigints; objects have a null prototype. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** A parsed JSON object, keys in the order they came. */
export interface JsonObject {
  [key: string]: JsonValue;
}
