// Which of the limits of a server are kept by its engine? Those that have the same name there.

import { ENGINE_LIMITS, type EngineLimits } from '@octavo/engine';
import type { LimitName } from './limits.ts';

/** Those limits that an engine keeps: for `open`, `openReplica` and `setLimits`. */
export function engineLimits(limits: Partial<Record<LimitName, number>>): Partial<EngineLimits> {
  const kept = Object.entries(limits).filter(
    ([name, value]) => Object.hasOwn(ENGINE_LIMITS, name) && value !== undefined,
  );
  return Object.fromEntries(kept);
}
