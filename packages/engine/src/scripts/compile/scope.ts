// Names while a script is compiled: variables, which become slots, and the values that its context gives.

import type { Declared } from '../language/syntax.ts';
import type { TypeName } from '../language/types.ts';
import type { RunState } from '../run-state.ts';
import { ScriptFault } from '../script-fault.ts';
import type { Value } from '../values/value.ts';

/** A compiled expression; `type` is `def` where it is known only at run time. */
export interface Compiled {
  readonly type: TypeName;
  readonly run: (state: RunState) => Value;
  /** Steps of one evaluation without the calls in it. */
  readonly weight: number;
  /** The value, where it is written in the source. */
  readonly constant?: Value;
}

interface Variable {
  readonly slot: number;
  readonly type: TypeName;
}

/** What a name stands for. */
type Resolved = { readonly slot: number; readonly type: TypeName } | { readonly global: number };

/** The names of one script. Every variable has a slot of its own: scripts have no recursion. */
export class Scope {
  readonly #globals: readonly string[];
  readonly #blocks: Map<string, Variable>[] = [new Map()];
  #slots = 0;

  constructor(globals: readonly string[]) {
    this.#globals = globals;
  }

  get slots(): number {
    return this.#slots;
  }

  /** Compiles with the variables of a block, which end with it. */
  within<T>(compile: () => T): T {
    this.#blocks.push(new Map());
    const compiled = compile();
    this.#blocks.pop();
    return compiled;
  }

  declare({ name, type, at }: Declared): Variable {
    if (this.#find(name) !== undefined || this.#globals.includes(name))
      throw new ScriptFault('illegal_argument_exception', `variable [${name}] is already defined`, at);
    const variable = { slot: this.#slots++, type };
    this.#blocks.at(-1)!.set(name, variable);
    return variable;
  }

  /** What a name stands for; undefined for an unknown one. */
  resolve(name: string): Resolved | undefined {
    const variable = this.#find(name);
    if (variable !== undefined) return variable;
    const global = this.#globals.indexOf(name);
    return global === -1 ? undefined : { global };
  }

  #find(name: string): Variable | undefined {
    return this.#blocks.findLast((block) => block.has(name))?.get(name);
  }
}
