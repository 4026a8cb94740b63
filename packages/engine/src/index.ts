// The door of the engine.

export type * from './api.ts';
export { type IndexDefaults, lend } from './engine/engine.ts';
export { Elsewhere } from './engine/lend/elsewhere.ts';
export type { Loan } from './engine/lend/messages.ts';
export { openReader, type ReaderOptions } from './engine/lend/open-reader.ts';
export { open } from './engine/open.ts';
export type { OpenOptions } from './engine/options.ts';
export { checkMappings } from './engine/state-codec.ts';
export { EngineError, ERROR_TYPES, type ErrorType, illegalArgument } from './errors.ts';
export { parseJson } from './json/parse.ts';
export { Piece } from './json/piece.ts';
export { stringifyJson } from './json/print.ts';
export * as jsonScanner from './json/scanner.ts';
export { plainNumber, plainText } from './json/text.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { JsonWriter } from './json/writer.ts';
export { shardOf } from './kernels/murmur3.ts';
export { copyBytes } from './memory/copy.ts';
export { flatText } from './memory/flat-text.ts';
export { type Place, placed, placeOf } from './place.ts';
export { parseQuery } from './query/parse.ts';
export { filterSource } from './search/filter-source.ts';
export type * from './search/request.ts';
export { parseSort } from './search/sort.ts';
export { giveWay } from './thread/priority.ts';
export { isRead, Turn } from './turn.ts';
export { newId } from './write/ids.ts';
