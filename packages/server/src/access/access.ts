// Authenticates callers, by a key of the store or a JWT of a trusted issuer. Without keys and issuer,
// everybody on this machine is anonymous and may do everything.

import type { IncomingHttpHeaders } from 'node:http';
import type { Records } from '@octavo/records';
import { Problem } from '../errors/problem.ts';
import { ANONYMOUS, type Principal } from './callers/principal.ts';
import { InvalidJwt } from './jwt/invalid-jwt.ts';
import type { JwtOptions } from './jwt/jwt-verifier.ts';
import { KeyRing } from './keys/key-ring.ts';
import { KeyStore } from './keys/key-store.ts';
import { readAuthorization } from './keys/secrets.ts';

/** What a server knows of its callers. */
export interface Access {
  /** Undefined without records. */
  readonly keys: KeyStore | undefined;
  /** True while there are neither keys nor an issuer. */
  keyless(): boolean;
  /**
   * Throws Problem (`unauthorized`). With `optional`, a request without credentials is admitted and has no
   * rights.
   */
  authenticate(
    request: { readonly headers: IncomingHttpHeaders },
    optional: boolean,
  ): Principal | Promise<Principal>;
  /** The caller of a long-running answer with its present rights; undefined once its key has ended. */
  currentPrincipal(principal: Principal): Principal | undefined;
  /** Calls the watcher after every change of a key, before the change is answered. */
  watch(watcher: () => void): void;
  close(): void;
}

/** The principal of a request without credentials: it has no scopes. */
const UNAUTHENTICATED: Principal = { id: 'nobody', scopes: [], indexPatterns: [], documentFilter: undefined };

/** Opens the keys of a store. */
export async function openAccess(options: {
  readonly records?: Records | undefined;
  readonly jwt?: JwtOptions | undefined;
  /**
   * True if there were keys once. Then requests without a key are refused, even if the records have none any
   * more.
   */
  readonly hadKeys?: boolean | undefined;
  /** Persists that there are keys, before the first one is returned. */
  readonly noteKeys?: (() => Promise<void>) | undefined;
}): Promise<Access> {
  const { records, jwt, hadKeys = false, noteKeys } = options;
  const ring = records === undefined ? undefined : await KeyRing.open(records);
  const verifyJwt =
    jwt === undefined ? undefined : (await import('./jwt/jwt-verifier.ts')).createJwtVerifier(jwt);
  const keyless = (): boolean => verifyJwt === undefined && (ring === undefined || ring.isEmpty) && !hadKeys;
  // Other processes create keys as well.
  if (noteKeys !== undefined) ring?.watch(() => void noteKeys().catch(() => {}));
  return {
    keys: ring === undefined || records === undefined ? undefined : new KeyStore(records, ring, noteKeys),
    keyless,
    authenticate(request, optional) {
      if (keyless()) return ANONYMOUS;
      const presented = readAuthorization(request.headers.authorization);
      if (presented.kind === 'none') {
        if (optional) return UNAUTHENTICATED;
        throw unauthorized('missing authentication credentials: send Authorization: ApiKey … or Bearer …');
      }
      if (presented.kind === 'malformed') throw unauthorized(presented.why);
      if (presented.kind === 'jwt') {
        if (verifyJwt === undefined) throw unauthorized('this server accepts no JWTs');
        return authenticateJwt(verifyJwt, presented.token);
      }
      const verdict = ring?.verify(presented.credentials, Date.now()) ?? { refused: 'there are no keys' };
      if ('refused' in verdict) throw unauthorized(verdict.refused);
      return verdict.principal;
    },
    currentPrincipal(principal) {
      if (principal.id.startsWith('key:')) return ring?.principal(principal.id, Date.now());
      if (principal.id === ANONYMOUS.id) return keyless() ? principal : undefined;
      return (principal.expiresAt ?? Infinity) > Date.now() ? principal : undefined;
    },
    watch: (watcher) => ring?.watch(watcher),
    close: () => ring?.close(),
  };
}

async function authenticateJwt(
  verify: (token: string) => Promise<Principal>,
  token: string,
): Promise<Principal> {
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof InvalidJwt) throw unauthorized(error.message);
    throw error;
  }
}

/** RFC 9110, 11.6.1: a 401 names the schemes. */
function unauthorized(why: string): Problem {
  return new Problem('unauthorized', `${why[0]!.toUpperCase()}${why.slice(1)}.`, {
    headers: { 'www-authenticate': 'ApiKey, Bearer realm="octavo"' },
  });
}
