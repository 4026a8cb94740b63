// Prints a reply as JSON: a tree compactly, with stored sources copied in as they are. `filter_path` and
// `pretty` then work on the JSON text, so that no number changes its spelling.

import { Real } from '../../json/number-text.ts';
import { prettyJson } from '../../json/pretty-json.ts';
import { RawJson, type ReplyObject, type ReplyValue } from '../../json/reply-value.ts';
import { filterJson, type PathFilter } from '../../patterns/filter-path.ts';

/** How the general parameters change the text. */
export interface PrintOptions {
  readonly pretty: boolean;
  readonly filter: PathFilter | undefined;
}

/** JSON as it is. */
export const PLAIN_PRINT: PrintOptions = { pretty: false, filter: undefined };

/** The reply as UTF-8 JSON. */
export function printReply(value: ReplyValue, options: PrintOptions = PLAIN_PRINT): Buffer {
  return formatJson(new Printer().print(value), options);
}

/** Applies the general parameters to JSON that is printed already. */
export function formatJson(bytes: Buffer, options: PrintOptions): Buffer {
  if (options.filter === undefined && !options.pretty) return bytes;
  let text = bytes.toString('utf8');
  if (options.filter !== undefined) text = filterJson(text, options.filter);
  if (options.pretty) text = prettyJson(text);
  return Buffer.from(text, 'utf8');
}

/** Collects text, with stored bytes between its parts. */
class Printer {
  #text = '';
  readonly #parts: (string | Uint8Array)[] = [];

  print(value: ReplyValue): Buffer {
    this.#value(value);
    if (this.#parts.length === 0) return Buffer.from(this.#text, 'utf8');
    this.#parts.push(this.#text);
    let length = 0;
    for (const part of this.#parts)
      length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
    const out = Buffer.allocUnsafe(length);
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === 'string') at += out.write(part, at, 'utf8');
      else {
        out.set(part, at);
        at += part.length;
      }
    }
    return out;
  }

  #value(value: ReplyValue): void {
    switch (typeof value) {
      case 'string':
        this.#text += JSON.stringify(value);
        return;
      case 'number':
        this.#text += Number.isFinite(value) ? String(value) : `"${value}"`;
        return;
      case 'boolean':
      case 'bigint':
        this.#text += String(value);
        return;
      case 'object':
        if (value === null) this.#text += 'null';
        else if (Array.isArray(value)) this.#array(value);
        else if (value instanceof RawJson) this.#raw(value.bytes);
        else if (value instanceof Real) this.#text += value.text;
        else this.#object(value as ReplyObject);
        return;
      default:
        this.#text += 'null';
    }
  }

  #array(values: readonly ReplyValue[]): void {
    this.#text += '[';
    for (let i = 0; i < values.length; i++) {
      if (i > 0) this.#text += ',';
      this.#value(values[i]);
    }
    this.#text += ']';
  }

  #object(object: ReplyObject): void {
    this.#text += '{';
    let first = true;
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      this.#text += first ? JSON.stringify(key) : `,${JSON.stringify(key)}`;
      this.#text += ':';
      first = false;
      this.#value(value);
    }
    this.#text += '}';
  }

  #raw(bytes: Uint8Array): void {
    this.#parts.push(this.#text, bytes);
    this.#text = '';
  }
}
