// How long may a scroll or a point in time live without being asked? As long as the limit of this server says; the
// cluster has a limit of its own.

import { illegalArgument } from '@octavo/engine';
import type { Services } from '../../wire/router/route.ts';

/** Throws where a life is asked for that is longer than `keepAliveMaxMs`. */
export function checkLife(millis: number, { limits }: Pick<Services, 'limits'>): void {
  if (millis <= limits.keepAliveMaxMs) return;
  throw illegalArgument(
    `Keep alive for request (${millis}ms) is too large. It must be less than (${limits.keepAliveMaxMs}ms). ` +
      'This limit is keepAliveMaxMs; the cluster may have a lower one.',
  );
}
