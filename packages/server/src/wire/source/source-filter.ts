// The parts of a source that a reply shows: `_source` as a flag, a list, or includes and excludes, from body
// or parameters.

import { EngineError, filterSource, isObject, type JsonObject, type JsonValue } from '@octavo/engine';
import { firstTokenName } from '../../json/json-body.ts';
import { RawJson, type ReplyObject } from '../../json/reply-value.ts';
import type { Params } from '../router/route.ts';

/** Which parts of a source are shown. Empty lists leave it whole. */
export interface SourceFilter {
  readonly enabled: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

type SourceSteps = Generator<void, RawJson | undefined, undefined>;

/** Everything. */
export const WHOLE_SOURCE: SourceFilter = { enabled: true, includes: [], excludes: [] };
/** Nothing. */
export const NO_SOURCE: SourceFilter = { enabled: false, includes: [], excludes: [] };

/** True if all of a source is shown. */
export function isWholeSource({ enabled, includes, excludes }: SourceFilter): boolean {
  return enabled && includes.length === 0 && excludes.length === 0;
}

/** Names of the parameters read by `sourceParams`. */
export const SOURCE_PARAMS: readonly string[] = [
  '_source',
  '_source_includes',
  '_source_excludes',
  '_source_include',
  '_source_exclude',
];

/** The spec in a query string; undefined if it has none. */
export function readSourceParams(params: Params): SourceFilter | undefined {
  const flag = params.string('_source');
  const includes = params.list('_source_includes') ?? params.list('_source_include');
  const excludes = params.list('_source_excludes') ?? params.list('_source_exclude');
  if (flag === undefined && includes === undefined && excludes === undefined) return undefined;
  const enabled = flag !== 'false';
  const listed =
    flag === undefined || flag === '' || flag === 'true' || flag === 'false' ? [] : flag.split(',');
  return { enabled, includes: includes ?? listed, excludes: excludes ?? [] };
}

/** The spec in a body: true, false, a pattern, a list, or an object with includes and excludes. */
export function parseSourceFilter(value: JsonValue): SourceFilter {
  if (typeof value === 'boolean') return value ? WHOLE_SOURCE : NO_SOURCE;
  if (typeof value === 'string') return { enabled: true, includes: [value], excludes: [] };
  if (Array.isArray(value)) return { enabled: true, includes: patterns(value), excludes: [] };
  if (isObject(value)) return fromObject(value);
  throw new EngineError(
    'parsing_exception',
    `Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [${firstTokenName(value)}]`,
  );
}

/** The parts of a source in a spec, in steps; undefined if it is switched off. */
export function* pickSource(bytes: Uint8Array, spec: SourceFilter): SourceSteps {
  if (!spec.enabled) return undefined;
  if (spec.includes.length === 0 && spec.excludes.length === 0) return new RawJson(bytes);
  return new RawJson(yield* filterSource(bytes, spec.includes, spec.excludes));
}

/** The parts of a source in a spec, under the mapping's own `_source`, which may drop the source or parts of it, in steps. */
export function* visibleSource(
  mappings: JsonObject | undefined,
  bytes: Uint8Array,
  spec: SourceFilter,
): SourceSteps {
  const own = mappings?.['_source'];
  if (own === undefined || !isObject(own)) return yield* pickSource(bytes, spec);
  if (own['enabled'] === false || own['enabled'] === 'false') return undefined;
  const { includes, excludes } = fromObject({
    includes: own['includes'] ?? [],
    excludes: own['excludes'] ?? [],
  });
  const stored = yield* pickSource(bytes, { enabled: true, includes, excludes });
  return yield* pickSource(stored?.bytes ?? bytes, spec);
}

function fromObject(value: JsonObject): SourceFilter {
  let includes: string[] = [];
  let excludes: string[] = [];
  for (const [key, each] of Object.entries(value)) {
    if (key === 'includes' || key === 'include') includes = patterns(each, key);
    else if (key === 'excludes' || key === 'exclude') excludes = patterns(each, key);
    else {
      throw new EngineError('parsing_exception', `Unknown key for a ${firstTokenName(each)} in [${key}].`);
    }
  }
  return { enabled: true, includes, excludes };
}

function patterns(value: JsonValue, name: string = '_source'): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((each) => {
    if (typeof each === 'string') return each;
    throw new EngineError('parsing_exception', `Unknown key for a ${firstTokenName(each)} in [${name}].`);
  });
}

/** The `_type` member of a document; none for the default type. */
export function typeMember(type: string): ReplyObject {
  return type === '_doc' ? {} : { _type: type };
}
