// Scripts and search templates by name. They lie in the catalog, as templates of indices do.

import {
  attachPlace,
  type Engine,
  EngineError,
  illegalArgument,
  isObject,
  isScriptLanguage,
  type JsonObject,
  type JsonValue,
  type ScriptSpec,
  stringifyJson,
  type WriteOp,
} from '@octavo/engine';
import { firstTokenName } from '../../json/json-body.ts';

/** The kind of these documents in the catalog. */
export const STORED_SCRIPTS = 'stored_script';

/** Bytes of one source, as of a script in a request. */
const MAX_SOURCE = 65_535;

/** A stored script. */
interface StoredScript {
  readonly lang: string;
  readonly source: string;
  readonly options?: JsonObject;
}

/** The stored script of a name; undefined if there is none. */
export function storedScript({ settings }: Engine, id: string): StoredScript | undefined {
  const stored = settings.get(STORED_SCRIPTS, id);
  // Only what `readStoredScript` has read is stored.
  return stored === undefined ? undefined : (stored as unknown as StoredScript);
}

/** Reads the body of a request that stores a script. Throws the peer's errors. */
export function readStoredScript(body: JsonObject): StoredScript {
  for (const key of Object.keys(body)) {
    if (key === 'script') continue;
    const error = new EngineError('parsing_exception', `unexpected field [${key}], expected [script]`);
    throw attachPlace(error, { holder: body, key, at: 'key' });
  }
  const script = body['script'];
  if (!isObject(script)) {
    if (script === undefined) throw illegalArgument('must specify lang for stored script');
    const reason = `unexpected token [${firstTokenName(script)}], expected [{, <source>]`;
    throw attachPlace(new EngineError('parsing_exception', reason), {
      holder: body,
      key: 'script',
      at: 'value',
    });
  }
  return readMembers(script);
}

function readMembers({ lang, source, options }: JsonObject): StoredScript {
  if (lang === undefined) throw illegalArgument('must specify lang for stored script');
  if (typeof lang !== 'string') throw unfit('lang', lang);
  if (source === undefined) throw illegalArgument('must specify source for stored script');
  const text = isObject(source) ? stringifyJson(source) : source;
  if (typeof text !== 'string') throw unfit('source', source);
  if (text === '') throw illegalArgument('source cannot be empty');
  if (Buffer.byteLength(text) > MAX_SOURCE)
    throw illegalArgument(`[source] has more than [${MAX_SOURCE}] bytes; pass values as [params]`);
  if (!isScriptLanguage(lang))
    throw illegalArgument(`unable to put stored script with unsupported lang [${lang}]`);
  if (options !== undefined && !isObject(options)) throw unfit('options', options);
  const unknown = Object.keys(options ?? {}).filter((key) => key !== 'content_type');
  if (unknown.length > 0) throw illegalArgument(`illegal compiler options [${unknown.join(', ')}] specified`);
  const shown = isObject(source) ? { content_type: 'application/json; charset=UTF-8', ...options } : options;
  return { lang, source: text, ...(isEmpty(shown) ? {} : { options: shown! }) };
}

function isEmpty(options: JsonObject | undefined): boolean {
  return options === undefined || Object.keys(options).length === 0;
}

function unfit(key: string, value: JsonValue): EngineError {
  const reason = `[stored script source] ${key} doesn't support values of type: ${firstTokenName(value)}`;
  return new EngineError('x_content_parse_exception', reason);
}

/** The script with the source of the stored one that it names; as it is if there is no such one. */
function withStoredSource(engine: Engine, spec: ScriptSpec): ScriptSpec {
  const stored = spec.id === undefined ? undefined : storedScript(engine, spec.id);
  if (stored === undefined) return spec;
  const { id: _, ...rest } = spec;
  return { ...rest, source: stored.source, lang: stored.lang };
}

/** The writes with the sources of the stored scripts that they name. Unknown ones are the errors of their writes. */
export function withStoredSources(engine: Engine, ops: readonly WriteOp[]): readonly WriteOp[] {
  if (ops.every(({ update }) => update?.script?.id === undefined)) return ops;
  return ops.map((op) => {
    const script = op.update?.script;
    if (script?.id === undefined) return op;
    return { ...op, update: { ...op.update, script: withStoredSource(engine, script) } };
  });
}

/** The script with its source. Throws resource_not_found_exception. */
export function requireKnownScript(engine: Engine, spec: ScriptSpec): ScriptSpec {
  const found = withStoredSource(engine, spec);
  if (found.id === undefined) return found;
  throw new EngineError(
    'resource_not_found_exception',
    `unable to find script [${found.id}] in cluster state`,
  );
}

/** Members of a search whose values are data, not part of the search. */
const DATA: ReadonlySet<string> = new Set([
  'params',
  'doc',
  'docs',
  'like',
  'unlike',
  'search_after',
  'meta',
]);

/** Replaces the scripts that a search names by their sources, in place. O(body), only if scripts are stored. */
export function resolveScripts(engine: Engine, body: JsonObject): JsonObject {
  if (engine.settings.list(STORED_SCRIPTS).size > 0) resolveWithin(engine, body);
  return body;
}

function resolveWithin(engine: Engine, value: JsonValue): void {
  if (Array.isArray(value)) for (const item of value) resolveWithin(engine, item);
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const member = value[key]!;
    if (DATA.has(key)) continue;
    const source = isScriptMember(key) && isObject(member) ? sourceOf(engine, member) : undefined;
    if (source !== undefined) value[key] = source;
    else resolveWithin(engine, member);
  }
}

function isScriptMember(key: string): boolean {
  return key === 'script' || key.endsWith('_script');
}

/** The script in place of `{"id": …}`; undefined for all else, of which the engine says what is wrong. */
function sourceOf(engine: Engine, script: JsonObject): JsonObject | undefined {
  const { id, params } = script;
  const known = params === undefined ? 1 : 2;
  if (typeof id !== 'string' || Object.keys(script).length > known) return undefined;
  const stored = storedScript(engine, id);
  return stored && { lang: stored.lang, source: stored.source, ...(params === undefined ? {} : { params }) };
}
