// What can be done with an engine that `open` has given, beside what every `Engine` does?

import type { Engine } from '../../api.ts';
import { RunningEngine } from '../engine.ts';
import type { EngineLimits } from '../limits.ts';
import type { Loan } from '../replica/replica-messages.ts';

/**
 * Lends everything that an engine has to a thread that only reads: there, `openReader` makes an engine of it. The port is
 * to be transferred. Throws where the engine was opened without `lends`.
 */
export function lend(engine: Engine): Loan {
  return opened(engine).lend();
}

/** Changes limits of an engine that is open, for what is asked from now on; those that are not named stay. */
export function setLimits(engine: Engine, changes: Partial<EngineLimits>): void {
  opened(engine).setLimits(changes);
}

function opened(engine: Engine): RunningEngine {
  if (engine instanceof RunningEngine) return engine;
  throw new TypeError('not an engine that `open` has given');
}
