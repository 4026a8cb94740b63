// What does parsed JSON look like here? As `JSON.parse` gives it, with three differences: an integer that a double
// cannot hold is a bigint, objects have no prototype (so `__proto__` is a plain key), and duplicate keys are errors.

/** A parsed JSON value. Integers beyond 2^53 are bigints; objects have a null prototype. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** A parsed JSON object, keys in the order they came. */
export interface JsonObject {
  [key: string]: JsonValue;
}
