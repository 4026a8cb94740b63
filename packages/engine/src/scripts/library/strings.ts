// Methods of strings, and the builder of strings. No method takes a regular expression.

import { illegal, ScriptFault } from '../script-fault.ts';
import { compareValues } from '../values/arithmetic.ts';
import { Char, equalTexts, type Run, ScriptObject, textOf, type Value } from '../values/value.ts';
import { intArgument, type MethodTable, textArgument } from './arguments.ts';

/** A new string, which is paid for. */
function made(text: string, run: Run): string {
  run.allocate(text.length / 4);
  return text;
}

function cut(text: string, from: number, to: number, run: Run): string {
  if (from < 0 || to > text.length || from > to) {
    throw new ScriptFault('index_out_of_bounds_exception', `begin ${from}, end ${to}, length ${text.length}`);
  }
  return made(text.slice(from, to), run);
}

/** Pays for reading a text once, one unit after the other. */
function scanned(text: string, run: Run): string {
  run.spend(text.length / 8);
  return text;
}

/** Parts above this length are compared at every place by the runtime, in the worst case. */
const LONG_PART = 250;

/** Pays for a search through a text. A search from the end compares the part at every place (`isNaive`). */
function searched(text: string, part: string, run: Run, isNaive = false): string {
  const places = Math.max(0, text.length - part.length + 1);
  const compared = isNaive || part.length > LONG_PART ? places * part.length : 0;
  run.spend(text.length / 8 + compared / 32);
  return text;
}

function split(text: string, token: string, limit: number, run: Run): Value {
  if (token === '') throw illegal('a token to split at must not be empty');
  run.allocate(text.length / 4);
  const parts = searched(text, token, run).split(token);
  run.allocate(parts.length);
  if (limit <= 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(token)];
}

/** Java's hash of a string. */
function hashOfText(text: string, run: Run): number {
  run.spend(text.length / 4);
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

export const STRING_METHODS: MethodTable<string> = {
  'length/0': (text) => text.length,
  'isEmpty/0': (text) => text === '',
  'charAt/1': (text, [at]) => {
    const index = intArgument(at);
    if (index >= 0 && index < text.length) return new Char(text.charCodeAt(index));
    throw new ScriptFault(
      'index_out_of_bounds_exception',
      `Index ${index} out of bounds for length ${text.length}`,
    );
  },
  'substring/1': (text, [from], run) => cut(text, intArgument(from), text.length, run),
  'substring/2': (text, [from, to], run) => cut(text, intArgument(from), intArgument(to), run),
  'subSequence/2': (text, [from, to], run) => cut(text, intArgument(from), intArgument(to), run),
  'contains/1': (text, [part], run) => {
    const wanted = textArgument(part);
    return searched(text, wanted, run).includes(wanted);
  },
  'startsWith/1': (text, [part], run) => text.startsWith(scanned(textArgument(part), run)),
  'startsWith/2': (text, [part, from], run) => {
    const at = intArgument(from);
    return at >= 0 && at <= text.length && text.startsWith(scanned(textArgument(part), run), at);
  },
  'endsWith/1': (text, [part], run) => text.endsWith(scanned(textArgument(part), run)),
  'indexOf/1': (text, [part], run) => {
    const wanted = textArgument(part);
    return searched(text, wanted, run).indexOf(wanted);
  },
  'indexOf/2': (text, [part, from], run) => {
    const wanted = textArgument(part);
    return searched(text, wanted, run).indexOf(wanted, intArgument(from));
  },
  'lastIndexOf/1': (text, [part], run) => {
    const wanted = textArgument(part);
    return searched(text, wanted, run, true).lastIndexOf(wanted);
  },
  'lastIndexOf/2': (text, [part, from], run) => {
    const at = intArgument(from);
    const wanted = textArgument(part);
    return at < 0 ? -1 : searched(text, wanted, run, true).lastIndexOf(wanted, at);
  },
  'toLowerCase/0': (text, _, run) => made(scanned(text, run).toLowerCase(), run),
  'toUpperCase/0': (text, _, run) => made(scanned(text, run).toUpperCase(), run),
  'trim/0': (text, _, run) => {
    // Java's trim removes all units up to the space.
    let [from, to] = [0, text.length];
    while (from < to && text.charCodeAt(from) <= 32) from++;
    while (to > from && text.charCodeAt(to - 1) <= 32) to--;
    run.spend((from + text.length - to) / 8);
    return cut(text, from, to, run);
  },
  'replace/2': (text, [from, to], run) => {
    const [old, replacement] = [textArgument(from), textArgument(to)];
    // Pays first: the result may be much longer than the text.
    const most = old === '' ? text.length + 1 : Math.floor(text.length / old.length);
    run.allocate((text.length + most * replacement.length) / 4);
    return searched(text, old, run).replaceAll(old, () => {
      run.spend(2);
      return replacement;
    });
  },
  'concat/1': (text, [other], run) => made(text + textArgument(other), run),
  'equals/1': (text, [other], run) => typeof other === 'string' && equalTexts(text, other, run),
  'equalsIgnoreCase/1': (text, [other], run) =>
    typeof other === 'string' &&
    equalTexts(scanned(text, run).toLowerCase(), scanned(other, run).toLowerCase(), run),
  'compareTo/1': (text, [other], run) => compareValues(text, textArgument(other), run),
  'compareToIgnoreCase/1': (text, [other], run) =>
    compareValues(scanned(text, run).toLowerCase(), scanned(textArgument(other), run).toLowerCase(), run),
  'toString/0': (text) => text,
  'hashCode/0': (text, _, run) => hashOfText(text, run),
  'splitOnToken/1': (text, [token], run) => split(text, textArgument(token), -1, run),
  'splitOnToken/2': (text, [token, limit], run) => split(text, textArgument(token), intArgument(limit), run),
};

/** `new StringBuilder()`. */
export class StringBuilder extends ScriptObject {
  readonly className = 'java.lang.StringBuilder';
  #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override call(name: string, args: readonly Value[], run: Run): Value | undefined {
    if (name === 'append' && args.length === 1) {
      const text = textOf(args[0]!, run);
      run.allocate(text.length / 4);
      this.#text += text;
      return this;
    }
    if (name === 'toString' && args.length === 0) return made(this.#text, run);
    if (name === 'length' && args.length === 0) return this.#text.length;
    return undefined;
  }

  override text(): string {
    return this.#text;
  }
}
