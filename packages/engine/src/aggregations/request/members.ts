// Reads the members of an aggregation's body. A kind takes each member that it has by name and type; any other
// is an error that suggests the nearest names. Scalars are lenient as the peer's are: numbers and booleans may
// come as text.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { attachPlace } from '../../place.ts';
import { didYouMean } from '../../query/did-you-mean.ts';
import { isObject, unsupportedValue } from '../../query/parameters.ts';

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** The members of one body. */
export class Members {
  /** The name that errors show. */
  readonly parser: string;
  readonly body: JsonObject;
  readonly #known: string[] = [];

  constructor(parser: string, body: JsonObject) {
    this.parser = parser;
    this.body = body;
  }

  /** Whether a member is there. */
  has(name: string): boolean {
    return Object.hasOwn(this.body, name);
  }

  /** A member of any type; undefined where it is not there. */
  any(name: string): JsonValue | undefined {
    this.#known.push(name);
    return this.has(name) ? this.body[name] : undefined;
  }

  text(name: string): string | undefined {
    return this.read(name, (value) => {
      if (typeof value === 'string') return value;
      if (typeof value === 'object') throw this.wrongType(name, value);
      return String(value);
    });
  }

  /** A text or null. */
  optionalText(name: string): string | undefined {
    if (this.body[name] !== null) return this.text(name);
    this.#known.push(name);
    return undefined;
  }

  number(name: string): number | undefined {
    return this.read(name, (value) => {
      if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
      if (typeof value !== 'string') throw this.wrongType(name, value);
      if (!DECIMAL.test(value.trim())) throw numberFormat(value);
      return Number(value);
    });
  }

  /** A whole number of 32 bits; fractions are cut off. */
  integer(name: string): number | undefined {
    const value = this.number(name);
    if (value === undefined || Math.abs(value) < 2 ** 31) return value && Math.trunc(value);
    const reason = `Numeric value (${value}) out of range of int (-2147483648 - 2147483647)`;
    throw this.failed(name, illegalArgument(reason));
  }

  flag(name: string): boolean | undefined {
    return this.read(name, (value) => {
      if (typeof value === 'boolean') return value;
      if (value === 'true' || value === 'false') return value === 'true';
      if (typeof value !== 'string') throw this.wrongType(name, value);
      throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
    });
  }

  object(name: string): JsonObject | undefined {
    return this.read(name, (value) => {
      if (isObject(value)) return value;
      throw this.wrongType(name, value);
    });
  }

  /** A list; a single value counts as a list of one. */
  list(name: string): readonly JsonValue[] | undefined {
    return this.read(name, (value) => {
      if (value === null) throw this.wrongType(name, value);
      return Array.isArray(value) ? value : [value];
    });
  }

  /** One of several names, in any case. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    const found = choices.find((each) => each === text);
    if (found !== undefined) return found;
    throw this.failed(name, new EngineError('parse_exception', `no [${name}] found for value [${text}]`));
  }

  /** Reads a member; errors about its value name it. */
  read<T>(name: string, parse: (value: JsonValue) => T): T | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw error.type === 'illegal_argument_exception' || error.type === 'number_format_exception'
        ? this.failed(name, error)
        : attachPlace(error, { holder: this.body, key: name, at: 'value' });
    }
  }

  /** The error for a value of another type. */
  wrongType(name: string, value: JsonValue): EngineError {
    const error = unsupportedValue(this.parser, name, value);
    return attachPlace(error, { holder: this.body, key: name, at: 'value' });
  }

  /** The error for a value out of its bounds. */
  refused(name: string, reason: string): EngineError {
    return this.failed(name, illegalArgument(reason));
  }

  /** The error for members that contradict each other. */
  unbuilt(causedBy: EngineError): EngineError {
    const reason = `Failed to build [${this.parser}] after last required field arrived`;
    return new EngineError('x_content_parse_exception', reason, { causedBy });
  }

  /** Reads a member that is an object or a list of objects: errors inside it name it, too. */
  nested<T>(name: string, parse: (value: JsonValue) => T): T | undefined {
    return this.read(name, (value) => {
      try {
        return parse(value);
      } catch (error) {
        const isInner = error instanceof EngineError && error.type !== 'parsing_exception';
        throw isInner ? this.failed(name, error) : error;
      }
    });
  }

  /** The error for a value that its reader refuses. */
  failed(name: string, causedBy: EngineError): EngineError {
    const reason = `[${this.parser}] failed to parse field [${name}]`;
    const error = new EngineError('x_content_parse_exception', reason, { causedBy });
    return attachPlace(error, { holder: this.body, key: name, at: 'value' });
  }

  /** Throws for members that no reader has taken; `unknown` makes the error of kinds with words of their own. */
  end(unknown?: (name: string) => EngineError): void {
    for (const name of Object.keys(this.body)) {
      if (this.#known.includes(name)) continue;
      if (unknown !== undefined)
        throw attachPlace(unknown(name), { holder: this.body, key: name, at: 'value' });
      const reason = `[${this.parser}] unknown field [${name}]${didYouMean(name, this.#known)}`;
      const error = new EngineError('x_content_parse_exception', reason);
      throw attachPlace(error, { holder: this.body, key: name, at: 'key' });
    }
  }
}

function numberFormat(text: string): EngineError {
  return new EngineError('number_format_exception', `For input string: "${text}"`);
}
