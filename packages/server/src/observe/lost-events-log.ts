// What does the operator read of events of documents that are not told? How many wait, and which are lost.

import type { FastifyBaseLogger } from 'fastify';
import type { Untold } from '../proxy/change-events/change-events.ts';

/** Lost events whose documents are named in a line. */
const NAMED = 100;

/** Lines of the level `error`. */
export function untoldTo(log: () => Pick<FastifyBaseLogger, 'error'>): Untold {
  return {
    waits: (thrown, waiting) =>
      log().error({ err: thrown, waiting }, 'events of documents cannot be told now'),
    lost: (changes) =>
      log().error(
        { lost: changes.length, documents: changes.slice(0, NAMED) },
        'events of documents are lost: they were written while the records moved; write them again at a server over the records there',
      ),
    unresolved: (thrown) =>
      log().error({ err: thrown }, 'what became of writes that a server has left cannot be looked at now'),
  };
}
