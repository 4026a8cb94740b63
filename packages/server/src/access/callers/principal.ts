// The caller of a request and its rights. Made once per request at admission.

import type { JsonObject } from '@octavo/engine';
import type { Rate } from '../limits/rate-limiter.ts';

/** The area of a scope. */
export type ScopeArea = 'search' | 'feed' | 'chat' | 'ledger' | 'events' | 'keys' | 'admin';

/** `search:read`, `ledger:write`, `feed:*`, `*`. `write` includes `read`; `admin` (`search:admin`) includes both. */
export type AccessScope = '*' | `${ScopeArea}:${'read' | 'write' | 'admin' | '*'}`;

/** The caller of one request. */
export interface Principal {
  /**
   * Stable and unique: `anonymous`, `key:<id>`, `jwt:<issuer>#<subject>`. Tokens, scrolls and idempotency
   * keys are bound to it.
   */
  readonly id: string;
  /** Its name for people. */
  readonly name?: string | undefined;
  readonly scopes: readonly AccessScope[];
  /** Index names and `*` patterns it may search and write; undefined for all. */
  readonly indexPatterns: readonly string[] | undefined;
  /** A query that every document must match to exist for this caller; undefined for none. */
  readonly documentFilter: JsonObject | undefined;
  /** The rate of its key, if it has one of its own. */
  readonly rate?: Rate | undefined;
  /** Milliseconds since 1970. A running answer (events) ends then. */
  readonly expiresAt?: number | undefined;
}

/** Everybody on loopback while there are no keys. */
export const ANONYMOUS: Principal = {
  id: 'anonymous',
  scopes: ['*'],
  indexPatterns: undefined,
  documentFilter: undefined,
};

/** True when the scopes allow `verb` on `area`. */
export function allows(principal: Principal, area: ScopeArea, verb: 'read' | 'write' | 'admin'): boolean {
  for (const scope of principal.scopes) {
    if (scope === '*' || scope === `${area}:*` || scope === `${area}:admin` || scope === `${area}:${verb}`)
      return true;
    if (verb === 'read' && scope === `${area}:write`) return true;
  }
  return false;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the admission hook, before any handler. */
    principal: Principal;
  }
}
