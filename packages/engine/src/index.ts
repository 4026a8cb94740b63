// The door of the engine.

export type * from './api.ts';
export { EngineError, ERROR_TYPES, type ErrorType, illegalArgument } from './errors.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export type * from './search/request.ts';
