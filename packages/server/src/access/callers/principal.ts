// Who is calling, and what may they do? One value per request, made at the door and asked everywhere.

import type { JsonObject } from '@octavo/engine';
import type { Rate } from '../limits/rate-limiter.ts';

/** What a scope is about. */
export type ScopeArea = 'search' | 'feed' | 'chat' | 'ledger' | 'events' | 'keys' | 'admin';

/** `search:read`, `ledger:write`, `feed:*`, `*`. `write` includes `read`; `admin` (`search:admin`) includes both. */
export type Scope = '*' | `${ScopeArea}:${'read' | 'write' | 'admin' | '*'}`;

/** The caller of one request. */
export interface Principal {
  /** Stable and unique: `anonymous`, `key:<id>`, `jwt:<issuer>#<subject>`. Tokens, scrolls and idempotency keys are bound to it. */
  readonly id: string;
  /** What a person calls it. */
  readonly name?: string | undefined;
  readonly scopes: readonly Scope[];
  /** Index names and `*` patterns that searches and writes may touch; undefined is all. */
  readonly indexPatterns: readonly string[] | undefined;
  /** A query that every document must match to exist for this caller; undefined is all. */
  readonly documentFilter: JsonObject | undefined;
  /** The rate of its key, where it has one of its own. */
  readonly rate?: Rate | undefined;
  /** Milliseconds since 1970: an answer that goes on (events) ends then. */
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
    /** Set by the hook at the door, before any handler. */
    principal: Principal;
  }
}
