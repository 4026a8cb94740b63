// Scripts by their source: parsed and compiled once for each context.

import type { ScriptSpec } from '../api.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import type { Functions } from './compile/compile-expression.ts';
import { type CompiledScript, compileScript } from './compile/compile-statement.ts';
import { parseScript } from './language/parse-script.ts';
import type { TypeName } from './language/types.ts';
import { RunState, SCRIPT_LIMITS } from './run-state.ts';
import { asFault, compileError, ScriptFault } from './script-fault.ts';
import type { Value } from './values/value.ts';

/** Where a script is used: the names of the values it gets, and functions of its own. */
export interface ScriptContext {
  readonly name: string;
  readonly globals: readonly string[];
  readonly functions?: Functions;
  /** The type of the result; any by default. */
  readonly returns?: TypeName;
}

/** Counts the steps of runs, each about as long as one operator; also of those that fail. */
export interface StepMeter {
  steps: number;
}

/** A compiled script; it has no state and may be shared. */
export class Script {
  readonly source: string;
  readonly #compiled: CompiledScript;
  readonly #statements: readonly number[];

  constructor(source: string, compiled: CompiledScript, statements: readonly number[]) {
    this.source = source;
    this.#compiled = compiled;
    this.#statements = statements;
  }

  /**
   * Runs it, and `finish` on its result within the same limits. `globals` are in the order of the context. `workOf`
   * gives what the run adds to the meter. Throws script_exception.
   */
  run<T>(
    globals: readonly Value[],
    now: number,
    finish: (result: Value, state: RunState) => T,
    meter?: StepMeter,
    workOf: (state: RunState, isDone: boolean) => number = (run) => run.spent,
  ): T {
    const state = new RunState(this.#compiled.slots, globals, now);
    let isDone = false;
    try {
      const finished = finish(this.#compiled.run(state), state);
      isDone = true;
      return finished;
    } catch (thrown) {
      throw state.errorOf(thrown, { source: this.source, statements: this.#statements });
    } finally {
      if (meter !== undefined) meter.steps += workOf(state, isDone);
    }
  }
}

/** Compiled scripts and refusals, by context and source: at most so many, and none above so many characters. */
const MEMO_SIZE = 500;
const MEMO_SOURCE = 4_096;
const memo = new Map<string, Script | EngineError>();

/** Whether scripts can be in a language. */
export function isScriptLanguage(lang: string): boolean {
  return lang === 'painless' || lang === 'mustache';
}

/** The compiled script. Throws script_exception if it does not compile, and errors for other languages. */
export function findScript({ source, id, lang }: ScriptSpec, context: ScriptContext): Script {
  if (id !== undefined)
    throw new EngineError('resource_not_found_exception', `unable to find script [${id}] in cluster state`);
  if (lang === 'mustache')
    throw illegalArgument(`mustache engine does not know how to handle context [${context.name}]`);
  if (lang !== undefined && lang !== 'painless') throw illegalArgument(`script_lang not supported [${lang}]`);
  const key = `${context.name}\0${source}`;
  const known = memo.get(key);
  if (known !== undefined) {
    if (known instanceof EngineError) throw known;
    return known;
  }
  if (Buffer.byteLength(source) > SCRIPT_LIMITS.source) {
    throw illegalArgument(
      `exceeded max allowed inline script size in bytes [${SCRIPT_LIMITS.source}] with size [${Buffer.byteLength(source)}] for script [${source.slice(0, 100)}…]`,
    );
  }
  const made = compile(source, context);
  if (source.length <= MEMO_SOURCE) {
    if (memo.size >= MEMO_SIZE) memo.delete(memo.keys().next().value!);
    memo.set(key, made);
  }
  if (made instanceof EngineError) throw made;
  return made;
}

function compile(source: string, { globals, functions = {}, returns }: ScriptContext): Script | EngineError {
  try {
    const { body, statements } = parseScript(source);
    if (body.body.length === 0)
      throw new ScriptFault('illegal_argument_exception', 'a script must have a statement', 0);
    return new Script(source, compileScript(body, globals, functions, returns), statements);
  } catch (thrown) {
    return compileError(source, asFault(thrown));
  }
}
