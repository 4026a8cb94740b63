// Renders mustache templates as the peer does for searches: values are escaped for JSON, and the sections `toJson`, `join` and
// `url` are functions. Rendering has the limits of a script.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { RunState, SCRIPT_LIMITS } from '../run-state.ts';
import { asFault } from '../script-fault.ts';
import { jsonOfValue, valueOfJson } from '../values/json-values.ts';
import { type List, textOf, type Value, ValueMap } from '../values/value.ts';
import { mustacheError, parseTemplate, type TemplateNode } from './parse-template.ts';

/** The text of a template with parameters. Throws script_exception and mustache_exception. */
export function renderTemplate(source: string, params: JsonObject): string {
  const bytes = Buffer.byteLength(source);
  if (bytes > SCRIPT_LIMITS.source) {
    throw illegalArgument(
      `exceeded max allowed inline script size in bytes [${SCRIPT_LIMITS.source}] with size [${bytes}] for script [${source.slice(0, 100)}…]`,
    );
  }
  const nodes = compiled(source);
  const run = new RunState(0, [], 0);
  try {
    return new TemplateRun(run).render(nodes, [valueOfJson(params)]);
  } catch (thrown) {
    if (thrown instanceof EngineError) throw thrown;
    throw mustacheError(asFault(thrown).message);
  }
}

function compiled(source: string): readonly TemplateNode[] {
  try {
    return parseTemplate(source);
  } catch (thrown) {
    if (!(thrown instanceof EngineError)) throw thrown;
    const details = { script_stack: [], script: source, lang: 'mustache' };
    throw new EngineError('script_exception', thrown.message, { details, causedBy: thrown });
  }
}

/** Steps of one node. */
const NODE = 4;

class TemplateRun {
  readonly #run: RunState;

  constructor(run: RunState) {
    this.#run = run;
  }

  /** `scopes`: the values that names are looked up in, the innermost last. */
  render(nodes: readonly TemplateNode[], scopes: readonly Value[]): string {
    let out = '';
    for (const node of nodes) {
      this.#run.spend(NODE);
      const part = this.#part(node, scopes);
      this.#run.allocate(part.length / 4);
      out += part;
    }
    return out;
  }

  #part(node: TemplateNode, scopes: readonly Value[]): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'value': {
        const text = this.#text(this.#find(node.path, scopes, node.line));
        return node.isEscaped ? JSON.stringify(text).slice(1, -1) : text;
      }
      case 'section':
        return this.#section(node, scopes);
      case 'toJson': {
        const value = this.#find(node.path, scopes, node.line);
        return typeof value === 'object' && (Array.isArray(value) || value instanceof ValueMap)
          ? jsonOfValue(value, this.#run)
          : this.#text(value);
      }
      case 'join': {
        const name = this.render(node.body, scopes);
        const value = this.#find(name, scopes, node.line);
        if (!Array.isArray(value)) return name;
        if (value.includes(null)) throw mustacheError('Function failure: an item to join is null', node.line);
        return value.map((item) => textOf(item, this.#run)).join(node.delimiter);
      }
      default:
        return formEncoded(this.render(node.body, scopes));
    }
  }

  #section(node: Extract<TemplateNode, { kind: 'section' }>, scopes: readonly Value[]): string {
    const value = this.#find(node.path, scopes, node.line);
    const isShown = Array.isArray(value)
      ? value.length > 0
      : value !== null && value !== false && value !== '';
    if (node.isInverted) return isShown ? '' : this.render(node.body, scopes);
    if (!isShown) return '';
    if (!Array.isArray(value)) return this.render(node.body, [...scopes, value]);
    let out = '';
    for (const item of value) {
      this.#run.spend(NODE + scopes.length);
      out += this.render(node.body, [...scopes, item]);
    }
    return out;
  }

  /** The value at a path such as `user.names.0`; null where there is none. `.` is the innermost value. */
  #find(path: string, scopes: readonly Value[], line: number): Value {
    if (path === '.') return scopes.findLast((scope) => scope !== null) ?? null;
    const [first = '', ...rest] = path.split('.');
    this.#run.spend(scopes.length + rest.length);
    const scope = scopes.findLast((each) => each instanceof ValueMap && each.entries.has(first));
    let value = scope === undefined ? null : ((scope as ValueMap).entries.get(first) ?? null);
    for (const name of rest) value = memberOf(value, name, path, line);
    return value;
  }

  /** A list is shown as a map of its places. */
  #text(value: Value): string {
    if (value === null) return '';
    if (!Array.isArray(value)) return textOf(value, this.#run);
    return `{${value.map((item, i) => `${i}=${textOf(item, this.#run)}`).join(', ')}}`;
  }
}

function memberOf(value: Value, name: string, path: string, line: number): Value {
  if (value instanceof ValueMap) return value.entries.get(name) ?? null;
  if (typeof value === 'string') return name === 'length' ? value.length : null;
  if (!Array.isArray(value)) return null;
  if (name === 'size') return value.length;
  return /^\d{1,9}$/.test(name) ? itemOf(value, Number(name), path, line) : null;
}

function itemOf(list: List, index: number, path: string, line: number): Value {
  const item = list[index];
  if (item !== undefined) return item;
  const causedBy = new EngineError(
    'index_out_of_bounds_exception',
    `Index ${index} out of bounds for length ${list.length}`,
  );
  const reason = `Failed to get value for ${path} @[query-template:${line}]`;
  throw new EngineError('mustache_exception', reason, { causedBy });
}

/** As Java's URLEncoder has it. */
function formEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+');
}
