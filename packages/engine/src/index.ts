// The exports of the engine package.

export { parseAggregations } from './aggregations/parse.ts';
export { Members } from './aggregations/request/members.ts';
export type * from './api.ts';
export { attachReplica, type IndexDefaults, setLimits } from './engine/engine.ts';
export { type BlockLevel, refuseBlocked, refuseSettings } from './engine/indices/index-blocks.ts';
export { checkMappings, PRESET_SETTINGS } from './engine/indices/index-codec.ts';
export { ENGINE_LIMITS, type EngineLimits } from './engine/limits.ts';
export { type RepairOptions, type RepairPlan, repairDirectory } from './engine/repair/repair-directory.ts';
export { NeedsWriterThread } from './engine/replica/needs-writer-thread.ts';
export type { ReplicaLink } from './engine/replica/replica-messages.ts';
export { open } from './engine/start/open.ts';
export { type NoteAbout, type OpenOptions, withoutRepeats } from './engine/start/open-options.ts';
export { openReplica, type ReplicaOptions } from './engine/start/open-replica.ts';
export { type OpenSettings, openSettings } from './engine/start/open-settings.ts';
export { EngineError, ERROR_TYPES, type ErrorType, illegalArgument } from './errors.ts';
export { readHighlight } from './highlight/read-highlight.ts';
export { javaDouble } from './json/java-double.ts';
export { plainNumber, plainText } from './json/java-text.ts';
export { JsonWriter, Piece } from './json/json-writer.ts';
export { parseJson } from './json/parse.ts';
export { stringifyJson } from './json/print.ts';
export * as jsonScanner from './json/scanner.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { shardOf } from './kernels/murmur3.ts';
export { shortestFloat } from './mapping/types/shortest-float.ts';
export { copyBytes } from './memory/copy.ts';
export { flatText } from './memory/flat-text.ts';
export { isolatedObject } from './nested/object-source.ts';
export { attachPlace, type ErrorPlace, errorPlaceOf, parserPlaceOf } from './place.ts';
export {
  flagMember,
  integerMember,
  numberFormat,
  numberMember,
  unknownField,
  unknownKey,
} from './query/members.ts';
export { isObject } from './query/parameters.ts';
export { parseQuery } from './query/parse.ts';
export { renderTemplate } from './scripts/mustache/render-template.ts';
export { isScriptLanguage } from './scripts/script.ts';
export { printScript, readScript } from './scripts/script-spec.ts';
export { checkScript, runTestScript } from './scripts/try-script.ts';
export { filterSource } from './search/page/filter-source.ts';
export { parseSort } from './search/request/parse-sort.ts';
export { answerTooLarge } from './search/search-limits.ts';
export { parseSuggest } from './suggest/suggest.ts';
export { giveWay } from './thread/priority.ts';
export { isSearching, runToEnd, startSliced, Turn } from './turn.ts';
export { newId } from './write/operation/document-id.ts';
export { runReindexScript } from './write/operation/reindex-script.ts';
export { FailedScriptError } from './write/operation/scripted-update.ts';
