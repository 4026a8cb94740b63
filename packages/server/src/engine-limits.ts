// Picks the limits of a server that its engine has, too, under the same name.

import { ENGINE_LIMITS, type EngineLimits } from '@octavo/engine';
import type { LimitName } from './limits.ts';

/** The limits that an engine has: for `open`, `openReplica` and `setLimits`. */
export function engineLimits(limits: Partial<Record<LimitName, number>>): Partial<EngineLimits> {
  const found = Object.entries(limits).filter(
    ([name, value]) => Object.hasOwn(ENGINE_LIMITS, name) && value !== undefined,
  );
  return Object.fromEntries(found);
}
