// Variables of the tests: `$body`, `${name}` and paths such as `hits.hits.0._id` refer to the last reply and
// to stashed values.

import type { TestReply } from './client.ts';
import { Failed } from './failed.ts';
import { textOf, type Value, type ValueMap } from './values.ts';

export class Stash {
  readonly #values = new Map<string, Value>();
  answer: TestReply | undefined;

  take(answer: TestReply): void {
    this.answer = answer;
    this.#values.set('body', answer.body);
  }

  set(name: string, value: Value): void {
    this.#values.set(name.replace(/^\$/, ''), value);
  }

  /** A value of the test with its variables replaced; unknown ones stay. */
  fill(value: Value): Value {
    if (typeof value === 'string') return this.#fillString(value);
    if (Array.isArray(value)) return value.map((item) => this.fill(item));
    if (value instanceof Map) {
      return new Map([...value].map(([key, item]) => [textOf(this.#fillString(key)), this.fill(item)]));
    }
    return value;
  }

  /** A text body with `$name` and `${name}` replaced. */
  fillText(text: string): string {
    return text.replace(/\$\{?(\w+)\}?/g, (whole, name: string) =>
      this.#values.has(name) ? textOf(this.#values.get(name) as Value) : whole,
    );
  }

  /** The value at a path of the reply or of a stashed value; undefined if there is none. */
  at(path: string): Value | undefined {
    const [head = '', ...rest] = keysOf(path);
    if (head.startsWith('$') && this.#values.has(head.slice(1)) && (rest.length === 0 || head === '$body')) {
      return walk(
        this.#values.get(head.slice(1)),
        rest.map((key) => this.#key(key)),
      );
    }
    return walk(
      this.answer?.body,
      keysOf(path).map((key) => this.#key(key)),
    );
  }

  #fillString(text: string): Value {
    const whole = /^\$([\w.\\]+)$/.exec(text)?.[1] ?? /^\$\{([^}]+)\}$/.exec(text)?.[1];
    if (whole !== undefined && this.#knows(whole)) return this.#variable(whole);
    return text.replace(/\$\{([^}]+)\}/g, (all, name: string) =>
      this.#knows(name) ? textOf(this.#variable(name)) : all,
    );
  }

  #knows(expression: string): boolean {
    return this.#values.has(keysOf(expression)[0] ?? '');
  }

  #variable(expression: string): Value {
    const [head = '', ...rest] = keysOf(expression);
    return walk(this.#values.get(head), rest) ?? null;
  }

  #key(key: string): string {
    if (key.startsWith('$') && this.#values.has(key.slice(1)))
      return textOf(this.#values.get(key.slice(1)) as Value);
    return this.fillInside(key);
  }

  private fillInside(key: string): string {
    return key.replace(/\$\{([^}]+)\}/g, (all, name: string) =>
      this.#values.has(name) ? textOf(this.#values.get(name) as Value) : all,
    );
  }
}

/** `a.b\.c.0` → a, `b.c`, 0. */
export function keysOf(path: string): string[] {
  return path
    .split(/(?<!\\)\./)
    .map((key) => key.replaceAll('\\.', '.'))
    .filter((key) => key !== '');
}

function walk(from: Value | undefined, keys: readonly string[]): Value | undefined {
  let value = from;
  for (const key of keys) {
    if (Array.isArray(value)) {
      if (!/^\d+$/.test(key) || Number(key) >= value.length) {
        throw new Failed(`a list of ${value.length} has no [${key}]`);
      }
      value = value[Number(key)];
    } else if (value instanceof Map) {
      // Matches any key and returns its name.
      if (key === '_arbitrary_key_') return firstKey(value);
      value = value.get(key);
    } else return undefined;
  }
  return value;
}

function firstKey(map: ValueMap): string {
  const [key] = map.keys();
  if (key === undefined) throw new Failed('there is no key to take for _arbitrary_key_');
  return key;
}
