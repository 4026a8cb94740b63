// Verifies JWTs with the keys their issuer publishes (RFC 7517). Only asymmetric algorithms are accepted;
// issuer, audience and expiry are checked; scopes come from a claim.

import type { JsonObject } from '@octavo/engine';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import QuickLRU from 'quick-lru';
import type { Principal } from '../callers/principal.ts';
import { knownScopes } from '../keys/grants.ts';
import { InvalidJwt } from './invalid-jwt.ts';

/** The trusted issuer. */
export interface JwtOptions {
  /** Where it publishes its keys: http or https. */
  readonly jwks: string;
  readonly issuer: string;
  readonly audience: string;
  /** The claim with the scopes: a string separated by spaces, or a list. @default 'scope' */
  readonly scopeClaim?: string;
}

/** No shared secrets, and never `none`. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** A minimum; quick-lru keeps up to twice as many. */
const CACHED_TOKENS = 5_000;
const MAX_LENGTH = 8_192;

/**
 * Returns a function from token to principal. Valid tokens are cached until they expire. Throws TypeError if
 * the JWKS address is not http(s).
 */
export function createJwtVerifier(options: JwtOptions): (token: string) => Promise<Principal> {
  const url = new URL(options.jwks);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(`the JWKS address ${options.jwks} must be http or https`);
  }
  const keys = createRemoteJWKSet(url, {
    timeoutDuration: 5_000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  });
  const cache = new QuickLRU<string, Principal>({ maxSize: CACHED_TOKENS });
  return async (token) => {
    const cached = cache.get(token);
    if (cached !== undefined) return cached;
    if (token.length > MAX_LENGTH) throw new InvalidJwt('the JWT is too long');
    const principal = principalOf(await verifyJwt(token, keys, options), options);
    cache.set(token, principal, { maxAge: (principal.expiresAt ?? 0) - Date.now() });
    return principal;
  };
}

async function verifyJwt(
  token: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  options: JwtOptions,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: 5,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new InvalidJwt(`the JWT is not valid: ${error.message}`);
    throw new InvalidJwt('the keys of the issuer cannot be fetched now');
  }
}

/**
 * The claims `octavo_indices` (patterns) and `octavo_filter` (a query) restrict the caller as those of a key
 * do.
 */
function principalOf(payload: JWTPayload, options: JwtOptions): Principal {
  const patterns = payload['octavo_indices'];
  const filter = payload['octavo_filter'];
  if (
    patterns !== undefined &&
    !(Array.isArray(patterns) && patterns.every((each) => typeof each === 'string'))
  ) {
    throw new InvalidJwt('the claim octavo_indices must be a list of names');
  }
  if (filter !== undefined && (typeof filter !== 'object' || filter === null || Array.isArray(filter))) {
    throw new InvalidJwt('the claim octavo_filter must be a query');
  }
  return {
    id: `jwt:${options.issuer}#${payload.sub ?? ''}`,
    scopes: knownScopes(scopeNames(payload[options.scopeClaim ?? 'scope'])),
    indexPatterns: patterns as string[] | undefined,
    documentFilter: filter as JsonObject | undefined,
    expiresAt: (payload.exp ?? 0) * 1_000,
  };
}

function scopeNames(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((each) => typeof each === 'string') : [];
}
