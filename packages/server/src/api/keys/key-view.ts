// Converts keys of the store to and from their form under `/api`.

import type { JsonObject } from '@octavo/engine';
import type { ApiKey, KeyGrant } from '@octavo/records';
import { checkFilter } from '../../access/keys/grants.ts';
import type { IssuedKey } from '../../access/keys/key-store.ts';
import { bearerToken, encodedKey } from '../../access/keys/secrets.ts';
import { Problem } from '../../errors/problem.ts';

/** The members of a grant; null removes a restriction. */
export interface GrantBody {
  readonly name?: string;
  readonly scopes?: readonly string[];
  readonly index_patterns?: readonly string[] | null;
  readonly document_filter?: JsonObject | null;
  readonly rate?: { readonly quota: number; readonly window_seconds: number } | null;
  readonly expires_at?: string | null;
}

export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly index_patterns?: readonly string[];
  readonly document_filter?: Readonly<Record<string, unknown>>;
  readonly rate?: { readonly quota: number; readonly window_seconds: number };
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at?: string;
  readonly revoked_at?: string;
  readonly previous_secret_until?: string;
}

export interface NewKeyView {
  readonly key: KeyView;
  readonly token: string;
  readonly encoded: string;
}

export function keyView(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    ...(key.indexPatterns === undefined ? {} : { index_patterns: [...key.indexPatterns] }),
    ...(key.documentFilter === undefined ? {} : { document_filter: { ...key.documentFilter } }),
    ...(key.rate === undefined
      ? {}
      : { rate: { quota: key.rate.quota, window_seconds: key.rate.windowSeconds } }),
    created_by: key.createdBy,
    created_at: iso(key.createdAt),
    updated_at: iso(key.updatedAt),
    ...(key.expiresAt === undefined ? {} : { expires_at: iso(key.expiresAt) }),
    ...(key.revokedAt === undefined ? {} : { revoked_at: iso(key.revokedAt) }),
    ...(key.previousUntil === undefined || key.previousUntil <= Date.now()
      ? {}
      : { previous_secret_until: iso(key.previousUntil) }),
  };
}

export function newKeyView({ key, credentials }: IssuedKey): NewKeyView {
  return { key: keyView(key), token: bearerToken(credentials), encoded: encodedKey(credentials) };
}

/** Parses the members a body names; null becomes undefined. Throws Problem. */
export function parseGrant(body: GrantBody): Partial<KeyGrant> {
  const out: { -readonly [K in keyof KeyGrant]?: KeyGrant[K] } = {};
  if (body.name !== undefined) out.name = body.name;
  if (body.scopes !== undefined) out.scopes = body.scopes;
  if (body.index_patterns !== undefined) out.indexPatterns = body.index_patterns ?? undefined;
  if (body.document_filter !== undefined) {
    const filter = body.document_filter ?? undefined;
    if (filter !== undefined) checkFilter(filter);
    out.documentFilter = filter;
  }
  if (body.rate !== undefined) {
    out.rate =
      body.rate === null ? undefined : { quota: body.rate.quota, windowSeconds: body.rate.window_seconds };
  }
  if (body.expires_at !== undefined) out.expiresAt = parseExpiry(body.expires_at);
  return out;
}

function parseExpiry(text: string | null): number | undefined {
  if (text === null) return undefined;
  const time = Date.parse(text);
  if (Number.isFinite(time) && time > Date.now()) return time;
  throw new Problem('invalid-body', `expires_at must be a future time, such as 2030-01-01T00:00:00Z.`, {
    field: 'expires_at',
  });
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
