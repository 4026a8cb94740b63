// The credentials of a caller: a public key id and a secret of 256 random bits, in one of two forms.
//
//   Authorization: ApiKey base64(id:secret)      as Elasticsearch's clients send it
//   Authorization: Bearer octavo_<id>.<secret>   one printable token, easy to find in a log or a repository
//
// A secret of full entropy needs no slow hash: SHA-256 is stored, and hashes are compared in constant time.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key as a caller presents it. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

const PREFIX = 'octavo_';
const MAX_LENGTH = 512;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const SECRET = /^[A-Za-z0-9_-]{20,128}$/;

/**
 * 20 URL-safe characters, 120 bits. It never starts with a dash, so a command line does not take it for an
 * option.
 */
export function newKeyId(): string {
  for (;;) {
    const id = randomBytes(15).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}

/** 43 URL-safe characters, 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a secret, 32 bytes. */
export function hashSecret(secret: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(secret, 'utf8').digest());
}

/** Compares in constant time. */
export function equalHashes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The form for `Bearer`. */
export function bearerToken({ id, secret }: Credentials): string {
  return `${PREFIX}${id}.${secret}`;
}

/** The form for `ApiKey`. */
export function encodedKey({ id, secret }: Credentials): string {
  return Buffer.from(`${id}:${secret}`, 'utf8').toString('base64');
}

/** The content of an `Authorization` header. */
type PresentedCredentials =
  | { readonly kind: 'key'; readonly credentials: Credentials }
  | { readonly kind: 'jwt'; readonly token: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly why: string };

/** Reads the header. Each scheme accepts both forms of a key. Never throws. */
export function readAuthorization(header: string | undefined): PresentedCredentials {
  if (header === undefined) return { kind: 'none' };
  const space = header.indexOf(' ');
  const scheme = (space < 0 ? header : header.slice(0, space)).toLowerCase();
  const value = space < 0 ? '' : header.slice(space + 1).trim();
  if (scheme !== 'apikey' && scheme !== 'bearer') {
    return { kind: 'malformed', why: 'the scheme of Authorization must be ApiKey or Bearer' };
  }
  if (scheme === 'bearer' && value.split('.').length === 3) return { kind: 'jwt', token: value };
  const credentials = value.length > MAX_LENGTH ? undefined : (parseToken(value) ?? parseEncoded(value));
  return credentials === undefined
    ? { kind: 'malformed', why: `the value after ${scheme === 'bearer' ? 'Bearer' : 'ApiKey'} is not a key` }
    : { kind: 'key', credentials };
}

function parseToken(value: string): Credentials | undefined {
  if (!value.startsWith(PREFIX)) return undefined;
  return credentialsFrom(value.slice(PREFIX.length).split('.', 2));
}

function parseEncoded(value: string): Credentials | undefined {
  const plain = Buffer.from(value, 'base64').toString('utf8');
  return credentialsFrom(plain.split(':', 2));
}

function credentialsFrom([id, secret]: readonly string[]): Credentials | undefined {
  return id !== undefined && secret !== undefined && ID.test(id) && SECRET.test(secret)
    ? { id, secret }
    : undefined;
}
