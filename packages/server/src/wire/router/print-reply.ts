// Prints a reply as JSON: a tree compactly, with stored sources copied in as they are. `filter_path` and
// `pretty` then work on the JSON text, so that no number changes its spelling.

import { answerTooLarge, Turn } from '@octavo/engine';
import { Real } from '../../json/number-text.ts';
import { prettyJson } from '../../json/pretty-json.ts';
import { RawJson, RawText, type ReplyObject, type ReplyValue } from '../../json/reply-value.ts';
import { filterJson, type PathFilter } from '../../patterns/filter-path.ts';
import type { MaybePromise } from '../../sync-first.ts';

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

/**
 * The reply as UTF-8 JSON: in this call if it is printed within a slice, else the event loop turns between its parts. Throws
 * circuit_breaking_exception as soon as it has more than `most` bytes.
 */
export function printInSlices(value: ReplyValue, options: PrintOptions, most: number): MaybePromise<Buffer> {
  const printer = new Printer(most);
  const steps = printer.steps(value, 0);
  const turn = new Turn();
  do {
    if (steps.next().done) return formatJson(printer.end(), options);
  } while (!turn.isOver());
  return later(steps, printer, turn).then((bytes) => formatJson(bytes, options));
}

async function later(steps: Generator<void>, printer: Printer, turn: Turn): Promise<Buffer> {
  do if (turn.isOver()) await turn.next();
  while (!steps.next().done);
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

/** Levels of a tree that are printed in steps: down to the members of a hit, or of a bucket. */
const STEPPED_LEVELS = 5;
/** Text that is printed between two steps. */
const STEP_LENGTH = 16_384;

/** Collects text, with stored bytes between its parts. */
class Printer {
  #text = '';
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  /** `#length` at the last step. */
  #stepped = 0;
  readonly #most: number;

  constructor(most: number = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  print(value: ReplyValue): Buffer {
    this.#value(value);
    return this.end();
  }

  /** Prints a value as `print` does, and yields between its parts. */
  *steps(value: ReplyValue, level: number): Generator<void, void, undefined> {
    if (level >= STEPPED_LEVELS || !isTree(value)) {
      this.#value(value);
      if (this.#text.length + this.#length - this.#stepped < STEP_LENGTH) return;
      this.#seal();
      this.#stepped = this.#length;
      yield;
    } else if (Array.isArray(value)) {
      this.#text += '[';
      for (let i = 0; i < value.length; i++) {
        if (i > 0) this.#text += ',';
        yield* this.steps(value[i] as ReplyValue, level + 1);
      }
      this.#text += ']';
    } else {
      this.#text += '{';
      let first = true;
      for (const key of Object.keys(value)) {
        const member = (value as ReplyObject)[key];
        if (member === undefined) continue;
        this.#text += first ? `${JSON.stringify(key)}:` : `,${JSON.stringify(key)}:`;
        first = false;
        yield* this.steps(member, level + 1);
      }
      this.#text += '}';
    }
  }

  end(): Buffer {
    if (this.#parts.length === 0) {
      this.#require(this.#text.length);
      return Buffer.from(this.#text, 'utf8');
    }
    this.#seal();
    return Buffer.concat(this.#parts, this.#length);
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
        else if (value instanceof Real || value instanceof RawText) this.#text += value.text;
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
    this.#seal();
    this.#push(bytes);
  }
}

/** Whether a value has values inside. */
function isTree(value: ReplyValue): value is ReplyObject | readonly ReplyValue[] {
  if (typeof value !== 'object' || value === null) return false;
  return !(value instanceof RawJson || value instanceof RawText || value instanceof Real);
}
