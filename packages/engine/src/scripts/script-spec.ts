// Reads a script of a request: its source as a text, or an object with the source and parameters.

import type { ScriptSpec } from '../api.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import { RunState } from './run-state.ts';
import { jsonOfValue, valueOfJson } from './values/json-values.ts';

/**
 * Reads the script of a member, which may be a stored one by its id. Throws x_content_parse_exception; its cause is
 * the mistake itself where `parser` names what the member belongs to.
 */
export function readScript(holder: JsonObject, key: string, parser?: string): ScriptSpec {
  const value = holder[key]!;
  if (typeof value === 'string') return { source: value };
  if (!isObject(value)) {
    const reason = `[${parser ?? 'script'}] ${key} doesn't support values of type: ${tokenOf(value)}`;
    throw attachPlace(new EngineError('x_content_parse_exception', reason), { holder, key, at: 'value' });
  }
  try {
    return readMembers(value);
  } catch (error) {
    if (!(error instanceof EngineError) || parser === undefined) throw error;
    const reason = `[${parser}] failed to parse field [${key}]`;
    const outer = new EngineError('x_content_parse_exception', reason, { causedBy: error });
    throw attachPlace(outer, { holder, key, at: 'value' });
  }
}

function readMembers(body: JsonObject): ScriptSpec {
  let source: string | undefined;
  let id: string | undefined;
  let params: JsonObject | undefined;
  let lang: string | undefined;
  const wrong = (key: string, value: JsonValue): EngineError => {
    const reason = `[script] ${key} doesn't support values of type: ${tokenOf(value)}`;
    return attachPlace(new EngineError('x_content_parse_exception', reason), {
      holder: body,
      key,
      at: 'value',
    });
  };
  for (const [key, value] of Object.entries(body)) {
    switch (key) {
      case 'source':
      case 'inline':
        if (typeof value !== 'string') throw wrong(key, value);
        source = value;
        break;
      case 'id':
        if (typeof value !== 'string') throw wrong(key, value);
        id = value;
        break;
      case 'lang':
        if (typeof value !== 'string') throw wrong(key, value);
        lang = value;
        break;
      case 'params':
        if (!isObject(value)) throw wrong(key, value);
        params = value;
        break;
      case 'options':
        if (!isObject(value)) throw wrong(key, value);
        if (Object.keys(value).length > 0)
          throw illegalArgument(`Unrecognized compile-time parameter(s): ${Object.keys(value).join(', ')}`);
        break;
      default: {
        const error = new EngineError('x_content_parse_exception', `[script] unknown field [${key}]`);
        throw attachPlace(error, { holder: body, key, at: 'key' });
      }
    }
  }
  if (id !== undefined) {
    if (source !== undefined)
      throw illegalArgument('must only use one of [source, id] when specifying a script');
    if (lang !== undefined) throw illegalArgument('illegally specified <lang> for a stored script');
    return { source: '', id, ...(params === undefined ? {} : { params }) };
  }
  if (source === undefined)
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script');
  return {
    source,
    ...(params === undefined ? {} : { params }),
    ...(lang === undefined ? {} : { lang }),
  };
}

/** The JSON text of a script, with its numbers as they were written. */
export function printScript({ source, id, params, lang }: ScriptSpec): string {
  const language = lang === undefined ? '' : `"lang":${JSON.stringify(lang)},`;
  const what = id === undefined ? `"source":${JSON.stringify(source)}` : `"id":${JSON.stringify(id)}`;
  const text = `{${language}${what}`;
  if (params === undefined) return `${text}}`;
  return `${text},"params":${jsonOfValue(valueOfJson(params), new RunState(0, [], 0))}}`;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tokenOf(value: JsonValue): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'object') return 'START_OBJECT';
  if (typeof value === 'string') return 'VALUE_STRING';
  return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
}
