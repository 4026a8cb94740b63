// Prints a reply as JSON: a tree compactly, with stored sources copied in as they are. `filter_path` and
// `pretty` then work on the JSON text, so that no number changes its spelling.

import { answerTooLarge, startSliced } from '@octavo/engine';
import { Real } from '../../json/number-text.ts';
import { prettyJson } from '../../json/pretty-json.ts';
import { RawJson, RawText, type ReplyObject, type ReplyValue } from '../../json/reply-value.ts';
import { filterJson, type PathFilter } from '../../patterns/filter-path.ts';
import { chain, type MaybePromise } from '../../sync-first.ts';

/** How the general parameters change the text. */
export interface PrintOptions {
  readonly pretty: boolean;
  readonly filter: PathFilter | undefined;
}

/** JSON as it is. */
export const PLAIN_PRINT: PrintOptions = { pretty: false, filter: undefined };

/** The reply as UTF-8 JSON. */
export function printReply(value: ReplyValue, options: PrintOptions = PLAIN_PRINT): Buffer {
  const printer = new Printer(value, Number.POSITIVE_INFINITY);
  while (!printer.advance());
  return formatJson(printer.end(), options);
}

/**
 * The reply as UTF-8 JSON: in this call if it is printed within a slice, else the event loop turns between its parts. Throws
 * circuit_breaking_exception as soon as it has more than `most` bytes.
 */
export function printInSlices(value: ReplyValue, options: PrintOptions, most: number): MaybePromise<Buffer> {
  return chain(startSliced(printSteps(new Printer(value, most))), (bytes) => formatJson(bytes, options));
}

function* printSteps(printer: Printer): Generator<void, Buffer, undefined> {
  while (!printer.advance()) yield;
  return printer.end();
}

/** Applies the general parameters to JSON that is printed already. */
export function formatJson(bytes: Buffer, options: PrintOptions): Buffer {
  if (options.filter === undefined && !options.pretty) return bytes;
  let text = bytes.toString('utf8');
  if (options.filter !== undefined) text = filterJson(text, options.filter);
  if (options.pretty) text = prettyJson(text);
  return Buffer.from(text, 'utf8');
}

/** Text that is printed between two looks at the clock. */
const STEP_LENGTH = 16_384;

/** An object or a list that is printed up to a member. */
interface Open {
  readonly value: ReplyObject | readonly ReplyValue[];
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined;
  next: number;
  isEmpty: boolean;
}

/** Collects text, with stored bytes between its parts. What is open is a stack, so that printing can pause anywhere. */
class Printer {
  #text = '';
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  readonly #most: number;
  readonly #open: Open[] = [];

  constructor(value: ReplyValue, most: number) {
    this.#most = most;
    this.#value(value);
  }

  /** Prints the next part; true if it was the last. */
  advance(): boolean {
    const end = this.#length + this.#text.length + STEP_LENGTH;
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      this.#member(open);
      if (this.#length + this.#text.length < end) continue;
      this.#seal();
      return false;
    }
    return true;
  }

  end(): Buffer {
    if (this.#parts.length === 0) {
      this.#require(this.#text.length);
      return Buffer.from(this.#text, 'utf8');
    }
    this.#seal();
    return Buffer.concat(this.#parts, this.#length);
  }

  /** Prints the next member of what is open, or its end. */
  #member(open: Open): void {
    const { value, keys } = open;
    const at = open.next++;
    if (at === (keys ?? (value as readonly ReplyValue[])).length) {
      this.#text += keys === undefined ? ']' : '}';
      this.#open.pop();
      return;
    }
    const key = keys?.[at];
    const member = key === undefined ? (value as readonly ReplyValue[])[at] : (value as ReplyObject)[key];
    if (key !== undefined && member === undefined) return;
    if (!open.isEmpty) this.#text += ',';
    open.isEmpty = false;
    if (key !== undefined) this.#text += `${JSON.stringify(key)}:`;
    this.#value(member);
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
        else if (value instanceof RawJson) this.#raw(value.bytes);
        else if (value instanceof Real || value instanceof RawText) this.#text += value.text;
        else this.#tree(value as Open['value']);
        return;
      default:
        this.#text += 'null';
    }
  }

  #tree(value: Open['value']): void {
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    this.#text += keys === undefined ? '[' : '{';
    this.#open.push({ value, keys, next: 0, isEmpty: true });
  }

  #raw(bytes: Uint8Array): void {
    this.#seal();
    this.#push(bytes);
  }

  /** The text so far becomes bytes. */
  #seal(): void {
    if (this.#text !== '') this.#push(Buffer.from(this.#text, 'utf8'));
    this.#text = '';
  }

  #push(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    this.#require(this.#length);
  }

  #require(bytes: number): void {
    if (bytes > this.#most) throw answerTooLarge(bytes, this.#most);
  }
}
