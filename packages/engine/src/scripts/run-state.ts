// The state of one run of a script: its variables, the place where it is, and what it may still spend.

import type { EngineError } from '../errors.ts';
import type { FailedScript } from './script-fault.ts';
import { asFault, runtimeError, ScriptFault } from './script-fault.ts';
import type { Run, Value } from './values/value.ts';

/** Limits of one run. An endless loop ends after about 30 ms. */
export const SCRIPT_LIMITS = {
  /** Steps, each about as long as one operator. */
  steps: 1_000_000,
  /** Allocations in units of about eight bytes: 16 MB. Memory that becomes free is not given back. */
  memory: 2_000_000,
  /** Bytes of one source. */
  source: 65_535,
} as const;

const TOO_LONG = 'The maximum number of statements that can be executed in a loop has been reached.';
const TOO_LARGE = 'The script takes more memory than the limit allows.';

/** One run. */
export class RunState implements Run {
  readonly slots: Value[];
  /** Values that the caller gives by name, in the order of the context. */
  readonly globals: readonly Value[];
  readonly now: number;
  /** What `return` has left. */
  result: Value = null;
  /** Offset of what is computed, for errors. */
  at = 0;
  #steps: number = SCRIPT_LIMITS.steps;
  #memory: number = SCRIPT_LIMITS.memory;

  constructor(slots: number, globals: readonly Value[], now: number) {
    this.slots = new Array<Value>(slots).fill(null);
    this.globals = globals;
    this.now = now;
  }

  /** Steps that were taken. */
  get spent(): number {
    return SCRIPT_LIMITS.steps - this.#steps;
  }

  /** Units of memory that were allocated. */
  get allocated(): number {
    return SCRIPT_LIMITS.memory - this.#memory;
  }

  /** Whether a limit was reached. */
  get isExhausted(): boolean {
    return this.#steps < 0 || this.#memory < 0;
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new ScriptFault('painless_error', TOO_LONG);
  }

  allocate(units: number): void {
    this.#memory -= units;
    if (this.#memory < 0) throw new ScriptFault('painless_error', TOO_LARGE);
  }

  /** The error of what was thrown while the script ran; rethrows what is no mistake of the script. */
  errorOf(thrown: unknown, script: FailedScript): EngineError {
    const fault = asFault(thrown);
    if (fault.offset === -1) fault.offset = this.at;
    return runtimeError(script, fault);
  }
}
