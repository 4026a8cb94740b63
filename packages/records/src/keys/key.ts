// An API key: its public id, what it may do and for how long, and a hash of its secret.

import type { Selectable } from 'kysely';
import type { ApiKeyTable } from '../schema/key-tables.ts';

/** The JSON of a query, stored unchanged. */
export type FilterJson = Readonly<Record<string, unknown>>;

/** The properties of a key that may change. */
export interface KeyGrant {
  readonly name: string;
  /** `search:read`, `ledger:write`, `*`; the server knows which there are. */
  readonly scopes: readonly string[];
  /** Undefined is all indices. */
  readonly indexPatterns?: readonly string[] | undefined;
  readonly documentFilter?: FilterJson | undefined;
  readonly rate?: { readonly quota: number; readonly windowSeconds: number } | undefined;
  readonly metadata?: FilterJson | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** A key. Hashes are SHA-256 of secrets, 32 bytes. */
export interface ApiKey extends KeyGrant {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly previousHash: Uint8Array | undefined;
  /** Until when the secret before the last rotation is valid. */
  readonly previousUntil: number | undefined;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revokedAt: number | undefined;
}

/** A row of the table, as a store gives it. */
export type KeyRow = Selectable<ApiKeyTable>;

/** A row as a key. */
export function keyOfRow(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hash: new Uint8Array(row.hash),
    previousHash: row.previous_hash === null ? undefined : new Uint8Array(row.previous_hash),
    previousUntil: optional(row.previous_until),
    scopes: JSON.parse(row.scopes) as string[],
    indexPatterns: parsed(row.index_patterns) as string[] | undefined,
    documentFilter: parsed(row.document_filter) as FilterJson | undefined,
    rate: parsed(row.rate) as KeyGrant['rate'],
    metadata: parsed(row.metadata) as FilterJson | undefined,
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    expiresAt: optional(row.expires_at),
    revokedAt: optional(row.revoked_at),
  };
}

/** The data of a key's events: no hash. */
export function keyEventData(key: ApiKey): Readonly<Record<string, unknown>> {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    ...(key.expiresAt === undefined ? {} : { expires_at: new Date(key.expiresAt).toISOString() }),
    ...(key.revokedAt === undefined ? {} : { revoked_at: new Date(key.revokedAt).toISOString() }),
  };
}

/** The columns of a grant. */
export function grantColumns(grant: KeyGrant): Pick<
  KeyRow,
  'name' | 'scopes' | 'index_patterns' | 'document_filter' | 'rate' | 'metadata'
> & {
  expires_at: number | null;
} {
  return {
    name: grant.name,
    scopes: JSON.stringify(grant.scopes),
    index_patterns: printed(grant.indexPatterns),
    document_filter: printed(grant.documentFilter),
    rate: printed(grant.rate),
    metadata: printed(grant.metadata),
    expires_at: grant.expiresAt ?? null,
  };
}

function printed(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function parsed(text: string | null): unknown {
  return text === null ? undefined : JSON.parse(text);
}

function optional(value: bigint | null): number | undefined {
  return value === null ? undefined : Number(value);
}
